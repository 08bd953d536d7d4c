"""What both programs cost a small machine on a bare panel: memory, the start beside that of a bare window, and half a minute in which nothing happens.

The machine has the memory of a Zero 2 W. Its processor does 250 million instructions a second: figures are to be compared with each other, not with a Pi's.
"""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final, get_args

import pytest

from rules.duration import NS
from tests.glass.boot import comes_up, switched_on
from tests.glass.clocks import await_pins
from tests.glass.installed import Program
from tests.glass.machine import BOOT_S, Appliance, Machine
from tests.glass.panels import LANDSCAPE
from tests.glass.pictures import Album
from tests.glass.stations import first_picture, running_clock, splash
from tests.machine.figures import Figures
from tests.packaged.packages import packages

pytestmark = pytest.mark.timeout(3600)
ZERO_2_W_MIB: Final = 512
REST_S: Final = 20
MAX_BUSY: Final = 0.01
"""Of the processor, at rest: a twentieth of that was seen."""
MAX_WAKES: Final = 2
"""A second, at rest: the station looks once whether its lexicon's file was replaced."""
STARTS: Final = 2
MAX_TIMES: Final = 3
"""A bare window's processor time to the first picture."""
SCRIPTS: Final = Path(__file__).parent / "measured"
INSIDE: Final = "/run/measured"
MEASURED: Final = """[Service]
Type=oneshot
Restart=no
WatchdogSec=0
TimeoutStartSec=600
StandardOutput=file:/run/started.json
"""


def test_a_small_machine(program: Program, machine: Machine, figures: Figures) -> None:
    figures.add(f"{program}, a cold boot with {ZERO_2_W_MIB} MiB, in the machine's seconds:")
    chain = machine.run("systemd-analyze", "--no-pager", "critical-chain", f"{program}.service").splitlines()
    blame = machine.run("systemd-analyze", "--no-pager", "blame").splitlines()
    for line in [*chain[3:], *blame[:6]]:
        figures.add(f"  {line}")

    pid = machine.run("systemctl", "show", "--property=MainPID", "--value", program).strip()
    rollup = kib(machine, f"/proc/{pid}/smaps_rollup")
    memory = kib(machine, "/proc/meminfo")
    figures.add(
        f"{program}, memory: RSS {rollup['Rss'] / 1024:.0f} MiB, PSS {rollup['Pss'] / 1024:.0f} MiB, of {memory['MemTotal'] / 1024:.0f} MiB that the"
        f" kernel has to give; {memory['MemAvailable'] / 1024:.0f} MiB are left"
    )
    assert memory["MemAvailable"] > memory["MemTotal"] / 2

    machine.waits(lambda: rest(program, machine, seconds=1)["program_s"] < MAX_BUSY, "that all is drawn in advance that a game needs")
    with_it = rest(program, machine)
    machine.run("systemctl", "stop", program)
    without = rest(program, machine)
    drawing = rest(program, machine, f"systemctl start --no-block {program}")
    for name, each in ((f"{program} at rest", with_it), (f"{program} stopped", without)):
        figures.add(
            f"{name}, {each['s']:.0f} s: the program {each['program_s'] / each['s']:.2%} of the processor, {each['wakes'] / each['s']:.2f} wake-ups a second;"
            f" the machine {1 - each['idle_s'] / each['s']:.2%}, {each['switches'] / each['s']:.1f} switches a second; {each['drawn']} commands to the panel"
        )
    assert with_it["drawn"] == 0
    assert with_it["program_s"] < REST_S * MAX_BUSY
    assert with_it["wakes"] < REST_S * MAX_WAKES
    assert drawing["drawn"] > 0, "drawing is not counted"

    commands = {"a bare pygame window": f"/usr/bin/python3 {INSIDE}/bare.py", program: f"/usr/bin/{program} run"}
    took = {name: [started(program, machine, command) for _ in range(STARTS)] for name, command in commands.items()}
    bare, ours = (median(each["cpu_s"] for each in measured) for measured in took.values())
    figures.add(
        f"{program}, processor seconds from exec to the first picture: {ours:.2f}, a bare pygame window {bare:.2f}: {ours / bare:.1f} times"
    )
    assert ours < MAX_TIMES * bare


@pytest.fixture(params=get_args(Program))
def program(request: pytest.FixtureRequest) -> Program:
    program: Program = request.param
    return program


@pytest.fixture
def machine(program: Program, debs: Path, album: Album) -> Iterator[Machine]:
    with switched_on(Appliance(program, debs, LANDSCAPE, memory=ZERO_2_W_MIB), album) as machine:
        machine.go()
        machine.answered()
        machine.shows(first_picture(program, machine.painted, machine.now), "first picture")
        machine.run("systemctl", "is-system-running", "--wait", fails=True)
        machine.run("mkdir", INSIDE)
        for script in SCRIPTS.glob("*.py"):
            machine.write(f"{INSIDE}/{script.name}", script.read_text(encoding="utf-8"))
        yield machine


def kib(machine: Machine, path: str) -> dict[str, int]:
    return {name: int(size) for name, size in re.findall(r"(?m)^(\w+): +(\d+) kB$", machine.read(path).decode())}


def rest(program: Program, machine: Machine, do: str = "true", seconds: int = REST_S) -> dict[str, Any]:
    measured: dict[str, Any] = json.loads(
        machine.run("sh", "-ec", f"{do}; python3 {INSIDE}/rest.py {seconds} {program}", seconds=3 * REST_S)
    )
    return measured


def started(program: Program, machine: Machine, command: str) -> dict[str, float]:
    """Start something in a program's unit, as its user and with its limits, and return what it took to its first picture."""
    folder = f"/run/systemd/system/{program}.service.d"
    machine.run("mkdir", "--parents", folder)
    run = f"/usr/bin/python3 {INSIDE}/started.py {command}"
    machine.write(f"{folder}/zz-measured.conf", f"{MEASURED}ExecStart=\nExecStart={run}\n")
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "stop", program)
    machine.run("systemctl", "start", program, seconds=BOOT_S)
    measured: dict[str, float] = json.loads(machine.read("/run/started.json").splitlines()[-1])  # the program logs before it
    machine.run("rm", f"{folder}/zz-measured.conf", "/run/started.json")
    machine.run("systemctl", "daemon-reload")
    return measured


def test_a_clock_that_is_switched_on_shows_its_name_and_then_its_first_picture(debs: Path, album: Album, figures: Figures) -> None:
    with switched_on(Appliance("tileclock", debs, LANDSCAPE), album) as machine:
        begun = time.monotonic()
        assert splash("tileclock", LANDSCAPE) in comes_up(machine), f"no name before the first picture: look at {album.folder}"
        # Whatever devices came after the name: its unit does not wait for the console that is the clock's now.
        splash_state = machine.run("systemctl", "show", "tileclock-splash", "--property=ActiveState,Result", "--value").split()
        assert sorted(splash_state) == ["inactive", "success"]
        driver = machine.run("journalctl", "--boot", "--dmesg", "--output=short-monotonic", "--grep=Initialized virtio_gpu")
        started = machine.run("systemctl", "show", "tileclock", "--property=ExecMainStartTimestampMonotonic", "--value")
        figures.add(
            f"power on to the first picture: {time.monotonic() - begun:.0f} s here; {machine.now() / NS:.0f} s of the kernel's time, its driver"
        )
        # Before the driver had it nothing could be drawn.
        had_s = float(driver.strip("[ ").split("]")[0])
        figures.add(f"  had the panel from {had_s:.0f} s on, and the program was started at {int(started) / 1e6:.0f} s")


def test_bookworms_clock_shows_its_name_then_its_first_picture_and_hears_a_press(album: Album) -> None:
    """Raspberry Pi OS 12: SDL 2.26 and pygame 2.1.2 draw as trixie's do, compared with what that pygame paints. The kernel is the same."""
    with switched_on(Appliance("tileclock", packages("bookworm"), LANDSCAPE, suite="bookworm"), album) as machine:
        seen = comes_up(machine, black_again=True)
        assert splash("tileclock", LANDSCAPE) in seen, f"no name before the first picture: look at {album.folder}"
        # The program compares picture and panel once the picture stands. Between two looks its machine is its own.
        said = ("journalctl", "--boot", "--unit=tileclock", "--output=cat")
        machine.waits(lambda: "renderer=opengles2" in machine.run(*said), "what the program says of the panel")
        assert "the panel is open frame=arrived" in (log := machine.run(*said)), log
        await_pins(machine)
        began = machine.press("left")
        machine.shows(running_clock(machine.painted, began, "0 press left"), "right runs")
