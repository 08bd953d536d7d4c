"""The machine is switched off from the director's desk: the wish is left as a file, said and logged; nobody but the director gets there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from appliance.supervisor import PowerOff, Supervisor
from game.challenge_log.entry import Kind
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.shell.rig import Rig, entries_in, rig

pytestmark = pytest.mark.usefixtures("dummy_display")
PIN: dict[str, Any] = {"door__pin": KEPT_PIN}


def opened(station: Rig) -> None:
    station.tap("door", *(f"tile.{digit}" for digit in "2468"), "next")


def test_the_wish_is_left_said_and_logged(tmp_path: Path) -> None:
    wish = PowerOff(tmp_path / "poweroff")
    with rig(tmp_path, supervisor=Supervisor(power_off=wish), **PIN) as station:
        opened(station)
        station.tap("place.quit")
        assert not wish.path.exists()
        station.tap("switch_off")
        assert wish.path.exists()
        assert "The machine is being switched off." in station.said
    changed = [entry.why for entry in entries_in(tmp_path / "station.db") if entry.kind is Kind.CHANGED]
    assert changed == ["the machine is switched off"]


def test_a_wish_that_cannot_be_left_is_said_and_the_station_stays(tmp_path: Path) -> None:
    wish = PowerOff(tmp_path / "gone" / "poweroff")
    with rig(tmp_path, supervisor=Supervisor(power_off=wish), **PIN) as station:
        opened(station)
        station.tap("place.quit", "switch_off")
        assert "Use the power button" in station.said
        assert station.page == "desk.quit"


def test_where_nobody_switches_the_machine_off_the_desk_only_ends_the_program(tmp_path: Path) -> None:
    with rig(tmp_path, **PIN) as station:
        opened(station)
        station.tap("place.quit")
        assert "End the program?" in station.said
        assert "witch" not in station.said
