"""What the machine itself has to tell the director: settings that are not in force, power that is too weak, a date that nobody set. The station judges all the same."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from appliance import voltage as power
from appliance.errors import Diagnosis
from appliance.lock import FREE_TRIES
from appliance.settings.layers import RejectedSettings
from appliance.voltage import Power
from game.challenge_log.entry import Kind
from hardware.boards.board import load_board
from hardware.boards.kinds import STATION
from hardware.pins.mock import MockBoard
from kiosk.settings.places import merge
from tests.appliance.checks.test_voltage import system
from tests.hardware.printer.emulator import FakePrinter
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.lexicons.files import made
from tests.kiosk.log.making import kept_in
from tests.kiosk.shell import rig as rigs
from tests.kiosk.shell.rig import Hand, Rig, rig
from tests.kiosk.shell.test_power_cut import opened, power_lost, shut

pytestmark = pytest.mark.usefixtures("dummy_display")
WHY = Diagnosis("/boot/firmware/tilekiosk.toml: flow.idle_s: expected greater than or equal to 15, found 2", "Correct it")
UNSET = "1970-01-01T00:{:02d}:00.000+00:00"


def close(station: Rig) -> None:
    station.tap("close")


@pytest.mark.parametrize(("kept", "said"), [(True, "The last good settings are in force"), (False, "The defaults are in force")])
def test_settings_that_are_not_in_force_are_told_until_the_director_has_seen_it_and_stay_at_the_desk_and_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, kept: bool, said: str
) -> None:
    monkeypatch.setattr(rigs, "merge", lambda layers: replace(merge(layers), refused=RejectedSettings(WHY, last_good=kept)))
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
        assert "Director: new settings cannot be used, others are in force. See the desk." in station.said
        assert "tilekiosk.toml" not in station.said
        assert "ACCEPTABLE" in station.judged("TILE")
        station.tap("done")
        opened(station)
        assert f"{WHY} {said}. Restart afterwards." in station.said
        close(station)
        assert "Director" not in station.said
        assert station.entries()[0].kind is Kind.STARTED
        assert f"; settings not taken: {WHY.problem}" in (station.entries()[0].why or "")


def test_power_that_is_too_weak_is_told_each_time_until_the_director_has_seen_it_and_each_change_is_in_the_log(tmp_path: Path) -> None:
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
        for times in ("1 time", "2 times"):
            station.loop.inbox.put(Power(low=True))
            station.goes_by(1)
            assert "Director: the power supply is too weak. See the desk." in station.said
            opened(station)
            assert f"The voltage has been too low {times} since the start. Use the supply made for this model" in station.said
            close(station)
            assert "power" not in station.said
            station.loop.inbox.put(Power(low=False))
            station.goes_by(1)
            assert "power" not in station.said
        told = [entry.why for entry in station.entries() if entry.kind is Kind.SELF_TEST]
        assert told == ["the voltage is too low", "the voltage is right again"] * 2


def test_power_that_becomes_too_weak_in_a_challenge_takes_nobody_their_verdict(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        station.loop.inbox.put(Power(low=True))
        station.goes_by(1)
        assert station.page == "checking"
        station.tap("adjudicate")
        assert "ACCEPTABLE" in station.said


def test_the_firmwares_alarm_reaches_the_screen_of_a_live_station(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "SYSTEM", system(tmp_path / "sys", "1\n"))
    with rig(tmp_path) as station:
        station.until(lambda: "the power supply is too weak" in station.said)


def test_without_a_date_verdicts_are_given_and_kept_in_order_and_the_desk_says_that_the_date_is_not_set(tmp_path: Path) -> None:
    with rig(tmp_path, Hand(wall=UNSET.format(3)), door__pin=KEPT_PIN) as station:
        assert "ACCEPTABLE" in station.judged("TILE")
        station.tap("done")
        opened(station)
        station.tap("place.log")
        assert "date not set" in station.said
        assert "1970" not in station.said
        assert [kept.seq for kept in kept_in(station.log)] == list(range(1, len(station.entries()) + 1))


@pytest.mark.parametrize(
    ("before", "after", "open_"),
    [
        (UNSET.format(30), UNSET.format(1), True),
        (UNSET.format(1), UNSET.format(5), True),
        (UNSET.format(1), UNSET.format(20), False),
        (UNSET.format(30), "2026-11-21T10:00:00.000+00:00", True),
        ("2026-11-21T10:00:00.000+00:00", UNSET.format(1), True),
        ("2026-11-21T10:00:00.000+00:00", "2026-11-21T10:09:00.000+00:00", True),
        ("2026-11-21T10:00:00.000+00:00", "2026-11-21T10:11:00.000+00:00", False),
    ],
)
def test_the_ten_minutes_of_a_mistyped_challenge_outlive_a_loss_of_power_whatever_the_clock_on_the_wall_says(
    tmp_path: Path, before: str, after: str, *, open_: bool
) -> None:
    with rig(tmp_path, Hand(wall=before)) as station:
        station.judged("TILE", table=7)
        kept = power_lost(station, tmp_path / "after")
    with rig(kept, Hand(wall=after, boot="next boot")) as station:
        station.tap("begin", "clock.stopped", "tile.7", "next")
        assert (station.page == "table.repeat") is open_


def test_without_a_date_wrong_pins_shut_the_door_and_switching_off_opens_it_no_sooner(tmp_path: Path) -> None:
    with rig(tmp_path, Hand(wall=UNSET.format(30)), door__pin=KEPT_PIN) as station:
        for _ in range(FREE_TRIES + 1):
            if station.page == "idle":
                station.tap("door")
            station.tap(*("tile.1" for _ in range(4)), "next")
        assert station.page == "door.shut"
        kept = power_lost(station, tmp_path / "after")
    with rig(kept, Hand(wall=UNSET.format(0), boot="next boot"), door__pin=KEPT_PIN) as station:
        assert shut(station)


def test_a_list_that_was_copied_without_a_date_is_proven_and_a_change_of_it_noticed(tmp_path: Path) -> None:
    path = made(tmp_path / "list.dawg")
    os.utime(path, (5, 5))
    with rig(tmp_path, Hand(wall=UNSET.format(0))) as station:
        assert "ACCEPTABLE" in station.judged("TILE")
        station.tap("done")
        first = station.loop.station.flow.context.lexicon
        made(tmp_path / "new.dawg", ("CAT", "DOG"))
        os.utime(tmp_path / "new.dawg", (5, 5))
        (tmp_path / "new.dawg").replace(path)
        station.until(lambda: station.loop.station.flow.context.lexicon != first)


def test_a_slip_without_a_date_says_so_in_the_players_language(tmp_path: Path) -> None:
    with FakePrinter() as printer, rig(tmp_path, Hand(wall=UNSET.format(3)), printer__port=printer.port) as station:
        station.tap("language.es")
        station.judged("TILE")
        (slip,) = printer.slips(1)
        assert "fecha sin ajustar" in [line.text for line in slip]
        assert not any("1970" in line.text for line in slip)


def test_a_button_wired_to_ground_is_told_after_a_minute_and_screen_and_keyboard_adjudicate(tmp_path: Path) -> None:
    board = MockBoard(load_board("station", STATION))
    board.down("adjudicate", 0)
    with rig(tmp_path, factory=board.factory, board__file="station", board__pins="mock", door__pin=KEPT_PIN) as station:
        assert "stuck" not in station.said
        station.goes_by(61)
        assert "Director: the adjudication button is stuck. See the desk." in station.said
        opened(station)
        assert "look for a short in its wires" in station.said
        close(station)
        assert "stuck" not in station.said
        assert "ACCEPTABLE" in station.judged("TILE")


def test_a_button_that_sticks_in_a_challenge_adjudicates_once_and_never_again(tmp_path: Path) -> None:
    board = MockBoard(load_board("station", STATION))
    with rig(tmp_path, factory=board.factory, board__file="station", board__pins="mock") as station:
        station.asked("TILE")
        station.goes_by(1)
        board.down("adjudicate", station.hand.now)
        station.goes_by(0.1)
        assert "ACCEPTABLE" in station.said
        station.goes_by(61)
        assert "the adjudication button is stuck" in station.said
        station.asked("QI", table=13)
        station.goes_by(5)
        assert station.page == "checking"
        assert [entry.words for entry in station.entries() if entry.kind is Kind.LOOKUP] == [("TILE",)]
