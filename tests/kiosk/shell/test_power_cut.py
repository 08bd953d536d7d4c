"""What the log says is all that a loss of power leaves: a play between two word judges is found there again, and what it cannot say opens no door."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import nullcontext
from pathlib import Path

import pytest

from appliance.records.files import SIDECARS, beside
from game.challenge_log.entry import Kind
from kiosk.log.log import Store
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.shell.rig import Rig, rig
from tests.kiosk.shell.test_log_lost import full_disk

pytestmark = pytest.mark.usefixtures("dummy_display")


def opened(station: Rig, pin: str = "2468") -> None:
    station.tap("door", *(f"tile.{digit}" for digit in pin), "next")


def judge(station: Rig, name: str, verdict: str) -> None:
    station.tap(*(f"tile.{letter}" for letter in name), "next", f"verdict.{verdict}")
    assert station.page == "judge.ruled"


def first_ruling(station: Rig) -> None:
    """Have a first judge rule on a play of table 7."""
    opened(station)
    station.tap("place.judge", "slip.new", "clock.stopped", "tile.7", "next", "challenger.none", "last_play.no", "count.1")
    station.tap("tile.Q", "tile.I", "finish", "finish")
    judge(station, "AB", "acceptable")


def power_lost(station: Rig, folder: Path) -> Path:
    """Return a folder with the files as they are on the disk now: nothing else outlives a loss of power."""
    folder.mkdir()
    for suffix in ("", *SIDECARS):
        if beside(station.log, suffix).exists():
            shutil.copy(beside(station.log, suffix), folder)
    return folder


def test_power_lost_between_two_judges_costs_no_ruling_and_the_second_judge_is_not_told_the_first_ones(tmp_path: Path) -> None:
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
        first_ruling(station)
        after = power_lost(station, tmp_path / "after")
        ruled = len(station.entries())
    with rig(after, door__pin=KEPT_PIN) as station:
        opened(station)
        station.tap("place.judge")
        assert "table 7" in station.said
        station.tap("opinion.7")
        for told in (station.said, str(station.loop.page)):
            assert "ACCEPTABLE" not in told.upper()
        judge(station, "CD", "unacceptable")
        second = station.entries()[-1]
        assert (second.kind, second.table, second.words, second.why, second.first) == (Kind.MANUAL, 7, ("QI",), "second judge CD", ruled)
        assert station.entries()[ruled - 1].why == "first judge AB"
        station.tap("review")
        judge(station, "EF", "unacceptable")
        assert station.entries()[-1].first == ruled


def test_power_lost_after_a_verdict_leaves_the_mistyped_challenge_open_and_its_repeat_linked_to_the_first_look_up(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.judged("TILE", table=7)
        judged = len(station.entries())
        after = power_lost(station, tmp_path / "after")
    with rig(after) as station:
        station.tap("begin", "clock.stopped", "tile.7", "next")
        assert "TILE" not in station.said
        station.tap("repeat.again")
        assert "TILE" not in station.said
        station.tap("tile.Q", "tile.I", "finish", "adjudicate")
        repeat = station.entries()[-1]
        assert (repeat.kind, repeat.words, repeat.first) == (Kind.REPEAT, ("QI",), judged)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    with rig(elsewhere) as station:
        station.tap("begin", "clock.stopped", "tile.7", "next")
        assert station.page != "table.repeat"


def test_power_lost_after_a_verdict_leaves_it_to_be_shown_once_more_and_power_lost_after_that_leaves_nothing(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.judged("TILE", table=7)
        judged = len(station.entries())
        after = power_lost(station, tmp_path / "after")
    with rig(after) as station:
        station.tap("begin", "clock.stopped", "tile.8", "next")
        assert station.page == "table.challenger"
        station.tap("back", "erase", "tile.7", "next")
        assert "ACCEPTABLE" not in station.said
        station.tap("repeat.verdict")
        assert station.page == "verdict.again"
        assert "ACCEPTABLE" in station.said
        assert "TILE" not in station.said
        row = station.entries()[-1]
        assert (row.kind, row.table, row.words, row.acceptable, row.first) == (Kind.SHOWN_AGAIN, 7, (), True, judged)
        again = power_lost(station, tmp_path / "again")
    with rig(again) as station:
        station.tap("begin", "clock.stopped", "tile.7", "next")
        assert station.loop.page is not None
        assert [target.id for target in station.loop.page.actions if target.id.startswith("repeat")] == ["repeat.again", "repeat.another"]


def test_a_program_that_ended_in_good_order_has_nothing_unfinished(tmp_path: Path) -> None:
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
        first_ruling(station)
        station.tap("settle", "back", "close")
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
        assert station.loop.station.opinions == ()


def shut(station: Rig) -> bool:
    station.tap("door")
    found = station.page == "door.shut"
    station.tap("back")
    return found


def test_a_sound_log_that_knows_of_no_wrong_pin_shuts_no_door(tmp_path: Path) -> None:
    for _ in range(2):
        with rig(tmp_path, door__pin=KEPT_PIN) as station:
            assert not shut(station)


@pytest.mark.parametrize("damaged", [True, False])
def test_where_the_log_is_damaged_or_cannot_be_written_the_door_is_shut_a_while_from_the_start_and_longer_after_a_wrong_pin(
    tmp_path: Path, *, damaged: bool
) -> None:
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
        log = station.log
    if damaged:
        whole = log.read_bytes()
        log.write_bytes(whole[: len(whole) // 2] + b"\xff" * (len(whole) // 2))
    with nullcontext() if damaged else full_disk():
        station = (held := rig(tmp_path, door__pin=KEPT_PIN)).__enter__()
    try:
        assert ("See the desk" in station.said) is damaged
        assert shut(station)
        station.goes_by(30)
        opened(station, "1111")
        station.goes_by(31)
        assert station.page != "door.pin"
        assert shut(station)
        station.goes_by(30)
        opened(station)
        assert station.page == "desk.menu"
    finally:
        held.__exit__(None, None, None)


def test_wrong_pins_that_the_log_knows_of_count_also_where_it_can_be_read_and_no_more_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
        for _ in range(4):
            opened(station, "1111")
            station.goes_by(61)

    def full(*_: object) -> int:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(Store, "append", full)
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
        station.goes_by(50)
        assert shut(station)
        station.goes_by(10)
        assert not shut(station)
