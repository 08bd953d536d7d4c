"""The log that cannot be written: at the start, at the verdict, for a time; and a damaged one."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from hardware.board import load_board
from hardware.disk.files import SIDECARS, beside
from hardware.errors import InUse
from hardware.fake import MockBoard
from hardware.kinds import STATION
from kiosk.challenge.entry import Kind
from kiosk.shell.loop import POLL_NS
from kiosk.shell.pin import hashed
from tests.kiosk.shell.rig import Hand, rig

pytestmark = pytest.mark.usefixtures("dummy_display")


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file of this process grow: SQLite is told what a full disk tells it."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_disk_that_is_full_at_the_verdict_gives_none_says_so_and_gives_it_once_there_is_room(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        with full_disk():
            station.tap("adjudicate")
        assert station.page == "checking"
        assert "log" in station.said
        assert all(entry.acceptable is None for entry in station.entries())
        station.tap("adjudicate")
        assert station.entries()[-1].acceptable is True
        assert "could not be written" in (station.entries()[-1].why or "")


def test_where_the_director_allows_it_the_verdict_is_shown_and_that_it_is_in_no_log(tmp_path: Path) -> None:
    with rig(tmp_path, flow__judge_unlogged=True) as station:
        station.asked("TILE")
        with full_disk():
            station.tap("adjudicate")
        assert "ACCEPTABLE" in station.said
        assert "could not be written" in station.said
        assert all(entry.acceptable is None for entry in station.entries())


def test_after_a_verdict_that_could_not_be_logged_the_next_players_are_told_and_let_in_again_when_it_can(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        with full_disk():
            station.tap("adjudicate")
            station.goes_by(60)
            assert station.page == "idle.trouble"
            assert "Free some space" in station.said
            station.goes_by(11)
            assert station.page == "idle.trouble"
        station.goes_by(11)
        assert station.page == "idle"
        gap = station.entries()[-1]
        assert gap.kind is Kind.REFUSED
        assert "could not be written" in (gap.why or "")


def test_a_log_in_a_folder_that_cannot_be_made_is_said_at_the_start_and_nothing_is_judged(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with rig(tmp_path, log__path=str(tmp_path / "file" / "station.db")) as station:
        assert station.page == "idle.trouble"
        station.key("return")
        assert station.page == "idle.trouble"
    with rig(tmp_path, log__path=str(tmp_path / "file" / "station.db"), flow__judge_unlogged=True) as station:
        assert "ACCEPTABLE" in station.judged("TILE")


def test_a_damaged_log_is_set_aside_and_the_new_one_says_so_in_its_first_row(tmp_path: Path) -> None:
    (tmp_path / "station.db").write_bytes(b"this is no log" * 100)
    with rig(tmp_path) as station:
        assert station.page == "idle"
        station.judged("QI")
        first = station.entries()[0]
        assert first.kind is Kind.CHANGED
        assert "damaged" in (first.why or "")
        assert station.entries()[-1].acceptable is True
    assert [path for path in tmp_path.iterdir() if ".damaged" in path.name]


def test_that_a_log_was_set_aside_stands_before_the_players_until_the_desk_was_opened_and_at_the_desk_until_the_end(tmp_path: Path) -> None:
    (tmp_path / "station.db").write_bytes(b"this is no log" * 100)
    with rig(tmp_path, door__pin=hashed("2468")) as station:
        assert "See the desk" in station.said
        station.judged("QI")
        assert "See the desk" not in station.said
        station.goes_by(60)
        assert station.page == "idle"
        assert "See the desk" in station.said
        for _ in range(2):
            station.tap("door", *(f"tile.{digit}" for digit in "2468"), "next")
            assert station.page == "desk.menu"
            assert "damaged: it is no SQLite file. A new one was begun." in station.said
            assert station.entries()[-1].kind is Kind.DOOR_OPENED
            station.tap("close")
            assert station.page == "idle"
            assert "See the desk" not in station.said


def test_a_key_switch_that_is_on_at_the_start_shows_at_once_what_became_of_the_log(tmp_path: Path) -> None:
    (tmp_path / "station.db").write_bytes(b"this is no log" * 100)
    hand, board = Hand(), MockBoard(load_board("station", STATION))
    board.down("key", hand.now)
    chosen: dict[str, Any] = {"board__file": "station", "board__pins": "mock", "door__key_switch": True}
    with rig(tmp_path, hand, board.factory, **chosen) as station:
        station.goes_by(1)
        assert station.page == "desk.menu"
        assert "A new one was begun." in station.said
        board.up("key", hand.now)
        station.goes_by(1)
        assert station.page == "idle"
        assert "See the desk" not in station.said


def test_a_log_that_is_removed_while_the_station_runs_is_told_to_the_next_director_and_players_go_on(tmp_path: Path) -> None:
    with rig(tmp_path, door__pin=hashed("2468")) as station:
        station.asked("QI")
        for suffix in ("", *SIDECARS):
            beside(station.log, suffix).unlink(missing_ok=True)
        # The first tap finds the log gone, the second begins a new one.
        station.tap("adjudicate", "adjudicate")
        assert "ACCEPTABLE" in station.said
        station.goes_by(60)
        assert "See the desk" in station.said
        station.tap("door", *(f"tile.{digit}" for digit in "2468"), "next")
        assert "was deleted or replaced while the station ran" in station.said


def test_a_second_station_on_the_same_log_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with rig(tmp_path), pytest.raises(InUse, match="expected a log that no other station writes to"), rig(tmp_path):
        pass


def test_while_nothing_can_be_logged_the_loop_sleeps_all_the_same(tmp_path: Path) -> None:
    with rig(tmp_path, flow__idle_s=600) as station:
        station.asked("TILE")
        with full_disk():
            station.tap("adjudicate")
            station.goes_by(20)
            assert station.page == "checking"
            wake = station.loop._show()
            assert wake is not None
            # A window that nobody sees is looked at a hundred times a second; nothing asks for more.
            assert wake >= station.hand.now + POLL_NS
