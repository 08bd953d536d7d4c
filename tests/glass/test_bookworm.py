"""Raspberry Pi OS 12 (bookworm): its SDL 2.26 and pygame 2.1.2 draw on the panel as trixie's do, compared with what that pygame paints. The kernel is the same."""

import pytest

from tests.glass.boot import switched_on
from tests.glass.machine import BOOT_S, Appliance
from tests.glass.panels import LANDSCAPE
from tests.glass.pictures import Album, Picture
from tests.glass.stations import ready_clock, running_clock, splash
from tests.packaged.packages import packages

pytestmark = pytest.mark.timeout(3600)


def test_bookworms_clock_shows_its_name_then_its_first_picture_and_hears_a_press(album: Album) -> None:
    with switched_on(Appliance("tileclock", packages("bookworm"), LANDSCAPE, suite="bookworm"), album) as machine:
        name, first = splash("tileclock", LANDSCAPE), ready_clock(machine.painted)
        seen: list[Picture] = []

        def is_first(picture: Picture) -> bool:
            assert picture in (name, first) or picture.black, f"expected black, the name or the first picture: look at {album.folder}"
            seen.append(picture)
            return picture == first

        machine.go()
        machine.until(is_first, "the first picture", BOOT_S)
        assert name in seen, f"expected the program's name before its first picture: look at {album.folder}"
        machine.answered()
        # The program compares picture and panel once the picture stands.
        arrived = "journalctl --boot --unit=tileclock --output=cat --grep='panel.*frame=arrived'"
        assert "renderer=opengles2" in machine.run("sh", "-c", f"until {arrived}; do sleep 1; done")
        began = machine.press("left")
        machine.shows(running_clock(machine.painted, began, "0 press left"), "right runs")
