"""The log that cannot be written: at the start, at the verdict, for a time; and a damaged one."""

from __future__ import annotations

import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from appliance.errors import InUse
from appliance.program import POLL_NS
from appliance.records.files import LOCK, SIDECARS, beside
from game.challenge_log.entry import Kind
from game.challenge_log.reading import entry_of
from hardware.boards.board import load_board
from hardware.boards.kinds import STATION
from hardware.pins.mock import MockBoard
from kiosk.log.log import open_log
from tests.errors import with_fields
from tests.kiosk.kept_pin import KEPT_PIN
from tests.kiosk.lexicons.files import made
from tests.kiosk.log.making import kept_in
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
        refused, given = station.entries()[-2:]
        assert (refused.kind, refused.table, refused.words, refused.acceptable) == (Kind.REFUSED, 12, ("TILE",), None)
        assert (refused.why or "").startswith("[late: The log cannot be written: ")
        assert (given.kind, given.acceptable, given.why) == (Kind.LOOKUP, True, None)


def test_where_the_director_allows_it_the_verdict_is_shown_and_that_it_is_in_no_log(tmp_path: Path) -> None:
    with rig(tmp_path, flow__judge_unlogged=True) as station:
        station.asked("TILE")
        with full_disk():
            station.tap("adjudicate")
        assert "ACCEPTABLE" in station.said
        assert "could not be written" in station.said
        assert all(entry.acceptable is None for entry in station.entries())


def test_verdicts_given_on_a_full_disk_are_written_when_there_is_room_in_order_each_with_its_own_time_and_links_to_no_wrong_row(
    tmp_path: Path,
) -> None:
    hand = Hand()
    with rig(tmp_path, hand, flow__judge_unlogged=True) as station:
        assert "UNACCEPTABLE" in station.judged("CAT", "QZ", table=3)
        station.tap("done")
        hand.wall = "2026-01-01T12:01:00.000+00:00"
        with full_disk():
            station.judged("TIL")
            first = hand.now
            station.tap("mistyped", *(f"tile.{letter}" for letter in "TILE"), "finish", "adjudicate")
            assert "ACCEPTABLE" in station.said
            hand.wall = "2026-01-01T12:02:00.000+00:00"
            station.goes_by(60)
            assert station.page == "idle"
        assert len(station.entries()) == 2
        hand.wall = "2026-01-01T12:03:00.000+00:00"
        station.goes_by(11)
        rows = kept_in(station.log)[2:]
        entries = [entry_of(kept) for kept in rows]
        assert [(entry.kind, entry.words, entry.acceptable, entry.first) for entry in entries] == [
            (Kind.LOOKUP, ("TIL",), False, None),
            (Kind.REPEAT, ("TILE",), True, None),
            (Kind.CHANGED, (), None, None),
        ]
        assert [kept.row.stamp.wall[14:16] for kept in rows] == ["01", "01", "03"]
        assert rows[0].row.stamp.mono == first
        assert ["late: The log cannot be written" in (entry.why or "") for entry in entries] == [True, True, False]
        assert "ACCEPTABLE" in station.judged("QI", table=5)
        assert station.entries()[-1].why is None


def test_a_start_that_could_not_be_logged_is_logged_late(tmp_path: Path) -> None:
    with full_disk():
        opened = rig(tmp_path, words=("QI",), flow__judge_unlogged=True)
        station = opened.__enter__()
    try:
        station.goes_by(11)
        assert [entry.kind for entry in station.entries()] == [Kind.STARTED, Kind.CHANGED]
        assert "late: " in (station.entries()[0].why or "")
        assert "version " in (station.entries()[0].why or "")
    finally:
        opened.__exit__(None, None, None)


@pytest.mark.parametrize("seed", range(3))
def test_on_a_disk_that_fails_and_heals_as_it_likes_every_verdict_shown_is_in_the_log_once_and_in_order(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same disk each time
    shown: list[tuple[int, bool]] = []
    with rig(tmp_path, flow__judge_unlogged=True) as station:
        for table in range(1, 16):
            word = chance.choice(("QI", "QZ"))
            station.asked(word, table=table)
            with full_disk() if chance.random() < 0.6 else nullcontext():
                station.tap("adjudicate")
                shown.append((table, word == "QI"))
                assert ("UNACCEPTABLE" in station.said) is (word == "QZ")
                station.tap("done")
    given = [entry for entry in map(entry_of, kept_in(tmp_path / "station.db")) if entry.acceptable is not None]
    assert [(entry.table, entry.acceptable) for entry in given] == shown
    assert any(entry.why for entry in given)


def test_after_a_verdict_that_could_not_be_logged_the_next_players_are_told_and_let_in_again_when_it_can(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        with full_disk():
            station.tap("adjudicate")
            station.goes_by(180)
            assert station.page == "idle.trouble"
            assert "Free some space" in station.said
            station.goes_by(11)
            assert station.page == "idle.trouble"
        station.goes_by(11)
        assert station.page == "idle"
        refused, aborted, gap = station.entries()[-3:]
        assert [refused.kind, aborted.kind, gap.kind] == [Kind.REFUSED, Kind.ABORTED, Kind.REFUSED]
        assert [entry.acceptable for entry in station.entries()] == [None] * 4
        assert all("late: The log cannot be written" in (entry.why or "") for entry in (refused, aborted))
        assert (gap.why or "").startswith("for a time: The log cannot be written")


def test_a_log_in_a_folder_that_cannot_be_made_is_said_at_the_start_and_nothing_is_judged(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with rig(tmp_path, log__path=str(tmp_path / "file" / "station.db")) as station:
        assert station.page == "idle.trouble"
        station.key("return")
        assert station.page == "idle.trouble"
    with rig(tmp_path, log__path=str(tmp_path / "file" / "station.db"), flow__judge_unlogged=True) as station:
        assert "ACCEPTABLE" in station.judged("TILE")


def damaged(path: Path) -> None:
    """Leave what a worn card makes of a log whose station has ended."""
    path.write_bytes(b"this is no log" * 100)
    beside(path, LOCK).touch()


def test_a_damaged_log_is_set_aside_and_the_new_one_says_so_in_its_first_row(tmp_path: Path) -> None:
    damaged(tmp_path / "station.db")
    with rig(tmp_path) as station:
        assert station.page == "idle"
        station.judged("QI")
        first = station.entries()[0]
        assert first.kind is Kind.CHANGED
        assert "damaged" in (first.why or "")
        assert station.entries()[-1].acceptable is True
    assert [path for path in tmp_path.iterdir() if ".damaged" in path.name]


def test_a_path_that_names_another_kind_of_file_is_said_on_the_screen_at_every_start_and_the_file_is_left_as_it_was(tmp_path: Path) -> None:
    path = made(tmp_path / "list.dawg", ("QI",))
    before = path.read_bytes()
    for _ in range(2):
        with rig(tmp_path, log__path=str(path)) as station:
            assert station.page == "idle.trouble"
            assert "it is another kind of file than a log, and was left as it was." in station.said
            assert "name another file in the settings" in station.said
            station.goes_by(60)
            assert station.page == "idle.trouble"
    assert path.read_bytes() == before
    assert not [each.name for each in tmp_path.iterdir() if "damaged" in each.name or "lock" in each.name]


def test_another_kind_of_file_that_is_moved_out_of_the_way_lets_the_station_begin_its_log(tmp_path: Path) -> None:
    (tmp_path / "station.db").write_text("a shopping list")
    with rig(tmp_path) as station:
        assert station.page == "idle.trouble"
        (tmp_path / "station.db").rename(tmp_path / "list.txt")
        station.goes_by(11)
        assert station.page == "idle"
        assert "ACCEPTABLE" in station.judged("TILE")
        with pytest.raises(InUse):
            open_log(tmp_path / "station.db")


def test_that_a_log_was_set_aside_stands_before_the_players_until_the_desk_was_opened_and_at_the_desk_until_the_end(tmp_path: Path) -> None:
    damaged(tmp_path / "station.db")
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
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
    damaged(tmp_path / "station.db")
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
    with rig(tmp_path, door__pin=KEPT_PIN) as station:
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
    with rig(tmp_path), pytest.raises(InUse, check=with_fields(expected="a log that no other station writes to")), rig(tmp_path):
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
