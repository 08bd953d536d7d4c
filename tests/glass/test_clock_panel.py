"""Others on the clock's panel, and the panel's cable pulled: the clock's picture stands or comes back, and no press is lost."""

from pathlib import Path
from typing import Final

import pytest

from rules.duration import NS
from tests.glass.boot import ready
from tests.glass.clocks import clock_twin, interrupt, keep, kept
from tests.glass.gaps import gap
from tests.glass.machine import Appliance, Machine
from tests.glass.panels import LANDSCAPE
from tests.glass.pictures import Album
from tests.glass.stations import station, twin_of
from tests.machine.figures import Figures

AHEAD_S: Final = 15
"""For so long a clock's pictures are made in advance."""
pytestmark = pytest.mark.timeout(3600)


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
