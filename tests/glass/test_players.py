"""Players at the panel: one press on a pin, one touch on the glass."""

import pytest

from tests.glass.machine import Machine
from tests.glass.stations import ready_clock, running_clock, station, twin_of

pytestmark = pytest.mark.timeout(3600)


def test_one_press_on_a_pin_starts_the_other_players_clock(clock: Machine) -> None:
    clock.shows(lambda _: [ready_clock(clock.painted)], "ready")
    began = clock.press("left")
    clock.shows(running_clock(clock.painted, began, "0 press left"), "right runs")


def test_one_touch_acts_on_the_station(kiosk: Machine) -> None:
    twin = twin_of(kiosk.painted, kiosk.now)
    kiosk.shows(station(kiosk.painted, twin), "idle")
    kiosk.fingers.tap(*twin.middle("begin"))
    twin.tap("begin")
    kiosk.shows(station(kiosk.painted, twin), "begun")
