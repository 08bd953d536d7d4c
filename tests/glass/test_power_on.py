"""From power on to the first picture, photographed all the time: what stands on the panel meanwhile, and that the picture comes.

The same test runs with the packages of the last commit that never drew on a bare panel: it has to fail there, and for that reason.
"""

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from rules.duration import NS
from tests.glass.boot import switched_on
from tests.glass.machine import BOOT_S, LOOK_S, Appliance, Machine
from tests.glass.panels import LANDSCAPE
from tests.glass.pictures import Album, Picture
from tests.glass.stations import ready_clock, splash
from tests.machine.figures import Figures
from tests.machine.guest import Silent
from tests.packaged.packages import of_commit

pytestmark = pytest.mark.timeout(3600)
BLACK_PANEL: Final = "0360899"
"""The last commit whose packages drew nothing under KMSDRM: no hint for SDL, and neither EGL nor GLES."""
ASK_S: Final = 30
"""Between two looks at the journal inside: they take a part of its processor."""
STARTS: Final = 2
"""A program that ends with the same words so many times will not draw the next time."""


class NeverDrawn(Exception):
    """The program found no display, ended and was started again, and the panel stayed black."""


@pytest.fixture(
    params=["tree", pytest.param("old", marks=pytest.mark.xfail(raises=NeverDrawn, strict=True, reason=f"packages of {BLACK_PANEL}"))]
)
def packages(request: pytest.FixtureRequest) -> Path:
    return of_commit(BLACK_PANEL, "trixie") if request.param == "old" else Path(request.getfixturevalue("debs"))


def test_a_clock_that_is_switched_on_shows_its_name_and_then_its_first_picture(
    packages: Path, debs: Path, album: Album, figures: Figures
) -> None:
    with Appliance("tileclock", debs, LANDSCAPE).painter() as painted:
        first, name = ready_clock(painted), splash("tileclock", LANDSCAPE)
    with switched_on(Appliance("tileclock", packages, LANDSCAPE), album) as machine:
        begun = time.monotonic()
        machine.go()
        named = False
        for picture in photographed(machine):
            named |= picture == name
            assert picture in (name, first) or (picture.black and not named), (
                f"expected black, then the name, then the first picture: look at {album.folder}"
            )
            if picture == first:
                break
        assert named, f"expected the program's name before its first picture: look at {album.folder}"
        # Whatever devices came after the name: its unit does not wait for the console that is the clock's now.
        splash_state = machine.run("systemctl", "show", "tileclock-splash", "--property=ActiveState,Result", "--value").split()
        assert sorted(splash_state) == ["inactive", "success"]
        figures.add(
            f"power on to the first picture: {time.monotonic() - begun:.0f} s here; {machine.now() / NS:.0f} s of the kernel's time, its driver"
        )
        figures.add(f"  had the panel from {driver_had_it(machine):.0f} s on, and the program was started at {started(machine):.0f} s")


def photographed(machine: Machine) -> Iterator[Picture]:
    """Yield a picture of the panel again and again.

    Raises:
        NeverDrawn: the program ended again and again, for want of a display.
        Silent: the machine does not come up.
    """
    limit, agent, looked = time.monotonic() + BOOT_S, False, time.monotonic()
    while True:
        yield machine.shot()
        if not agent:
            agent = heard(machine)
        elif time.monotonic() > looked + ASK_S:
            looked = time.monotonic()
            not_drawn(machine)
        else:
            time.sleep(LOOK_S)
        assert machine.guest.runs, f"the machine ended: {machine.guest.console[-2000:]}"
        assert time.monotonic() < limit, f"no first picture within {BOOT_S} s: look at {machine.album.folder}"


def heard(machine: Machine) -> bool:
    """Return whether the agent has come up, after a moment's listening."""
    try:
        return machine.guest.line(LOOK_S) == "ready"
    except Silent:
        return False


def not_drawn(machine: Machine) -> None:
    """Raise NeverDrawn where the program has ended for want of a display, and was started again."""
    said = machine.run("journalctl", "--boot", "--unit=tileclock", "--output=cat")
    if len(re.findall("expected a display.*found none", said)) >= STARTS:
        assert machine.shot("black").black
        raise NeverDrawn(said)


def driver_had_it(machine: Machine) -> float:
    """Return when the kernel's driver had the panel: before that nothing can be drawn. Seconds since the kernel's start."""
    said = machine.run("journalctl", "--boot", "--dmesg", "--output=short-monotonic", "--grep=Initialized virtio_gpu")
    return float(said.strip("[ ").split("]")[0])


def started(machine: Machine) -> float:
    """Return when systemd started the program, in the same seconds."""
    said = machine.run("systemctl", "show", "tileclock", "--property=ExecMainStartTimestampMonotonic", "--value")
    return int(said) / 1e6
