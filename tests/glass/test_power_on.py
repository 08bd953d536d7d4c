"""From power on to the first picture, photographed all the time: what stands on the panel meanwhile, and that it comes; on both Debians."""

import time
from pathlib import Path

import pytest

from rules.duration import NS
from tests.glass.boot import comes_up, switched_on
from tests.glass.machine import Appliance
from tests.glass.panels import LANDSCAPE
from tests.glass.pictures import Album
from tests.glass.stations import running_clock, splash
from tests.machine.figures import Figures
from tests.packaged.packages import packages

pytestmark = pytest.mark.timeout(3600)


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
        # The program compares picture and panel once the picture stands.
        arrived = "journalctl --boot --unit=tileclock --output=cat --grep='panel.*frame=arrived'"
        assert "renderer=opengles2" in machine.run("sh", "-c", f"until {arrived}; do sleep 1; done")
        began = machine.press("left")
        machine.shows(running_clock(machine.painted, began, "0 press left"), "right runs")
