"""A clock that is killed or hangs in the middle of a game comes back with it, and nothing else stands on its panel meanwhile, whatever is typed."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal

import pytest

from rules.duration import NS
from tests.glass.boot import comes_up, ready, switched_on
from tests.glass.clocks import ClockTwin, clock_twin, interrupt, keep, kept, started
from tests.glass.gaps import gap
from tests.glass.machine import Appliance, Machine
from tests.glass.panels import LANDSCAPE
from tests.glass.pictures import Album
from tests.glass.stations import station, twin_of
from tests.machine.figures import Figures

pytestmark = pytest.mark.timeout(3600)

AS_ANY_OTHER = """
import fcntl, os
console = os.open("/dev/tty1", os.O_RDWR)
fcntl.ioctl(console, 0x4B3A, 0)  # KDSETMODE, KD_TEXT
fcntl.ioctl(console, 0x4B45, 3)  # KDSKBMODE, K_UNICODE
"""


def test_a_killed_and_a_hanging_clock_come_back_with_the_game(clock: Machine, tmp_path: Path, figures: Figures) -> None:
    boot = clock.read("/proc/sys/kernel/random/boot_id")
    with clock_twin(clock) as twin:
        twin.shows("ready")
        twin.press("left")
        twin.shows("right runs")
        assert_keys_do_nothing(twin)
        killed = interrupted(twin, "KILL", tmp_path / "killed", figures, meanwhile=both_sequences(clock))
    with clock_twin(clock, *killed) as twin:
        twin.shows("recovered")
        assert_keys_do_nothing(twin)
        director_confirms(twin)
        twin.press("left")
        twin.shows("right runs again")
        hung = interrupted(twin, "STOP", tmp_path / "hung", figures)
    assert "Watchdog timeout" in clock.run("journalctl", "--boot", "--unit=tileclock", "--output=cat")
    with clock_twin(clock, *hung) as twin:
        twin.shows("recovered")
        director_confirms(twin)
        twin.press("left")
        twin.shows("right runs once more")
        # Where there is another console, and the kernel would go there:
        clock.run("sh", "-c", "echo another console > /dev/tty2")
        assert_keys_do_nothing(twin)
        twin.press("right")
        twin.shows("left runs")
    assert clock.read("/proc/sys/kernel/random/boot_id") == boot
    assert_keys_mean_something_without_the_clock(clock)


def test_nothing_that_is_typed_while_it_boots_shows_on_the_panel(debs: Path, album: Album) -> None:
    with switched_on(Appliance("tileclock", debs, LANDSCAPE), album) as machine:
        comes_up(machine, black_again=True, meanwhile=both_sequences(machine))
        with clock_twin(machine) as twin:
            twin.press("left")
            twin.shows("right runs")
            assert_keys_do_nothing(twin)


def interrupted(
    twin: ClockTwin, signal: Literal["KILL", "STOP"], folder: Path, figures: Figures, meanwhile: Callable[[], object] = lambda: None
) -> tuple[Path, int]:
    """Interrupt the program, watch the panel until something new stands on it, and return the journal that the next one has found, and when it came to it."""
    machine, before = twin.machine, twin.machine.now()
    interrupt(machine, signal)
    last = list(twin.pictures(machine.now()))
    seen = gap(machine, {"last picture": last}, meanwhile)
    found = kept(machine, folder), started(machine, folder.with_suffix(".after"))
    with clock_twin(machine, *found) as after:
        assert seen.back in list(after.pictures(machine.now())), f"expected the game that was recovered: look at {machine.album.folder}"
        missing, said = after.left_at(machine.now()) - twin.left_at(before), after.clock.notices.interruption
    assert said is not None
    # The screen rounds up to seconds.
    stated = -(-said.missing_ns // NS)
    assert missing <= stated * NS, f"{missing} ns are missing, and {stated} s are stated"
    assert missing >= twin.left_at(found[1]) - twin.left_at(before), "somebody was charged for more time than there was"
    began, ready = (
        int(machine.run("systemctl", "show", f"--property={name}TimestampMonotonic", "--value", "tileclock")) / 1e6
        for name in ("ExecMainStart", "ActiveEnter")
    )
    figures.add(
        f"{folder.name}, in the machine's seconds: {seen.said(before)}; the new program took {ready - began:.1f} s to its first picture; "
        f"{missing / NS:.2f} s of a player's time missing since the signal was asked for, {stated} s stated"
    )
    return found


def director_confirms(twin: ClockTwin) -> None:
    twin.key(on=True)
    twin.shows("the director's menu")
    twin.take("The times are right: go on")
    twin.key(on=False)
    twin.shows("confirmed")


def both_sequences(machine: Machine) -> Callable[[], None]:
    last = itertools.cycle(("f2", "delete"))
    return lambda: machine.keys.press("ctrl", "alt", next(last))


def assert_keys_do_nothing(twin: ClockTwin) -> None:
    """Seven Ctrl+Alt+Del in 2 s are a burst, for which systemd has an action of its own."""
    for key in ("f2", *["delete"] * 8, "f2"):
        twin.machine.keys.press("ctrl", "alt", key)
    twin.shows("after the keys")
    assert twin.machine.read("/sys/class/tty/tty0/active").strip() == b"tty1"


def assert_keys_mean_something_without_the_clock(machine: Machine) -> None:
    """The same keys reach the kernel: on a console as any other the first leads elsewhere, and systemd hears the second and has nothing to do."""
    machine.run("systemctl", "stop", "tileclock")
    machine.run("/usr/bin/python3", "-c", AS_ANY_OTHER)
    machine.keys.press("ctrl", "alt", "delete")
    machine.keys.press("ctrl", "alt", "f2")
    machine.waits(lambda: machine.read("/sys/class/tty/tty0/active").strip() == b"tty2", "another console: that the keys reach the kernel")
    said = machine.run("journalctl", "--boot", "_PID=1", "--output=cat")
    assert re.search(r"ctrl-alt-del\.target.*masked", said), said[-2000:]


AHEAD_S: Final = 15
"""For so long a clock's pictures are made in advance."""


def test_a_second_program_on_the_same_panel(debs: Path, album: Album, tmp_path: Path, figures: Figures) -> None:
    with ready(Appliance("tileclock", debs, LANDSCAPE, others=("tilekiosk",)), album) as machine:
        with clock_twin(machine) as twin:
            twin.shows("ready")
            twin.press("left")
            twin.shows("right runs")
            for user, driver in (("tileclock", "kmsdrm"), ("root", "kmsdrm"), ("root", "")):
                stray = ["runuser", "-u", user, "--", "env", f"SDL_VIDEODRIVER={driver}", "tileclock", "run"]
                said = machine.ask("run", command=stray, seconds=120)
                figures.add(
                    f"a second `tileclock run` as {user} ({driver or 'no driver named'}): exit {said['code']}, {said['err'].strip().splitlines()[-1]}"
                )
                assert said["code"] == 2
                assert "another program drawing on /dev/dri/card" in said["err"]
                twin.shows(f"beside a second one of {user} {driver}")
            twin.press("right")
            twin.shows("left runs")
            # The clock still counts while the station starts.
            last = list(twin.pictures(machine.now() + AHEAD_S * NS))

        began = machine.now()
        machine.run("systemctl", "start", "--no-block", "tilekiosk")
        seen = gap(machine, {"the clock": last})
        figures.add(f"the station started beside a clock, in the machine's seconds: {seen.said(began)}")
        kiosk = twin_of(machine.painted, machine.now)
        machine.shows(station(machine.painted, kiosk), "the station")
        assert machine.run("systemctl", "is-active", "tileclock", fails=True).strip() == "inactive"

        keep(machine)
        machine.run("systemctl", "start", "--no-block", "tileclock")
        with clock_twin(machine, kept(machine, tmp_path / "kept")) as twin:
            twin.shows("the clock again")
        assert machine.run("systemctl", "is-active", "tilekiosk", fails=True).strip() == "inactive"


def test_the_panel_unplugged_and_plugged_in_again(clock: Machine, tmp_path: Path) -> None:
    with clock_twin(clock) as twin:
        twin.shows("ready")
        twin.press("left")
        twin.shows("right runs")
        connector(clock, "off", "disconnected")
        for button in ("right", "left", "right", "centre"):
            twin.press(button)
        connector(clock, "detect", "connected")
        twin.shows("stopped while the panel was unplugged")
        twin.press("right")
        twin.shows("left runs")
        connector(clock, "off", "disconnected")
        interrupt(clock, "KILL")
    said = ("journalctl", "--boot", "--unit=tileclock", "--output=cat")
    clock.waits(lambda: "no panel connected" in clock.run(*said), "that the clock says why it cannot start")
    connector(clock, "detect", "connected")
    with clock_twin(clock, kept(clock, tmp_path / "kept")) as twin:
        twin.shows("recovered when the panel was there again")


def connector(machine: Machine, status: str, found: str) -> None:
    """Have the kernel find that nothing is connected (``off``), or look for itself (``detect``): it tells of both as of a cable."""
    for file in machine.run("sh", "-c", "ls /sys/class/drm/card*-*/status").split():
        machine.write(file, status)
        assert machine.read(file).decode().strip() == found
