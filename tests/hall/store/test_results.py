"""Results, event and measures, in a file and in PostgreSQL: rows of results are added once, and nothing else ever happens to them."""

import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from msgspec.structs import replace

from hall.event.model import Event, Pairing, Player
from hall.results.book import KeptRow, book_of, key_of
from hall.store.database import GAME_RESULTS, StorePlace, described, writing
from hall.store.events import (
    StoredEvent,
    changes_of,
    keep_game_results,
    keep_measures,
    kept_game_results,
    kept_measures,
    make_store,
    read_stored,
    set_overlay,
    set_round,
    write_event,
)
from hall.store.store import is_well_formed, open_store, stored_rows
from wire.reports import RowBatch, WireRow

ONE, TWO, THREE = (KeptRow(why=each) for each in ("1", "2", "3"))


@pytest.fixture(params=["file", "database"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> StorePlace:
    found: StorePlace = tmp_path / "hall.db" if request.param == "file" else request.getfixturevalue("database")
    make_store(found)
    return found


def test_a_row_that_comes_again_is_there_once_and_keeps_its_number(place: StorePlace) -> None:
    assert keep_game_results(place, "club", {"a": ONE, "b": TWO}) == 2
    # After an outage the clock's row comes again, now beside a new one, and another hall has rows of its own.
    assert keep_game_results(place, "club", {"b": KeptRow(why="other"), "c": THREE}) == 1
    assert keep_game_results(place, "north", {"b": KeptRow(why="9")}) == 1
    assert keep_game_results(place, "club", {}) == 0
    assert kept_game_results(place, "club", after=1) == [(2, "b", TWO), (3, "c", THREE)]


def test_no_row_is_changed_or_removed(place: StorePlace) -> None:
    keep_game_results(place, "club", {"a": ONE})
    for statement in (sa.delete(GAME_RESULTS), sa.update(GAME_RESULTS).values(content="2")):
        # A file refuses it; a database does nothing.
        with suppress(Exception), writing(place) as connection:
            connection.execute(statement)
    assert kept_game_results(place, "club") == [(1, "a", ONE)]


def test_the_file_with_its_triggers_is_one_of_the_halls(tmp_path: Path) -> None:
    keep_game_results(tmp_path / "hall.db", "club", {"a": ONE})
    store, aside = open_store(tmp_path / "hall.db", "club")
    store.close()
    assert aside is None


def test_imported_scores_stay_when_the_next_import_has_none_and_give_way_to_later_ones(tmp_path: Path) -> None:
    place, players = tmp_path / "hall.db", (Player("A", 1, "Ann"), Player("A", 2, "Bo"))
    pairing = Pairing("A", 1, 1, 2)

    def after(*scores: tuple[int | None, int | None], anew: bool = False) -> list[tuple[int, int] | None]:
        """Import these scores one after the other, and return those that count and count no longer."""
        for each in scores:
            write_event(place, "club", Event(players, (replace(pairing, scores=each),)), anew=anew)
        book = book_of(kept_game_results(place, "club"))
        assert not book.settled(pairing).is_disputed
        result = book.settled(pairing).result
        return [None if result is None else result.scores, *(each.scores for each in book.rows.get(key_of(pairing), ()) if each != result)]

    assert after((412, -5), (None, None), (412, -5)) == [(412, -5)]
    assert after((412, 5), (412, -5)) == [(412, -5), (412, -5), (412, 5)]
    assert after((None, None), anew=True) == [None]
    assert after((412, -5)) == [(412, -5)]


def test_no_import_of_scores_leads_back_from_the_round_that_a_director_has_chosen(tmp_path: Path) -> None:
    place, players = tmp_path / "hall.db", tuple(Player(name, number, "Ann") for name in "AB" for number in (1, 2))

    def scored(score: int) -> Event:
        rounds = (("A", 1), ("A", 2), ("A", 3), ("B", 1), ("B", 2))
        return Event(players, tuple(Pairing(name, number, 1, 2, scores=(300 if name == "A" else score, 200)) for name, number in rounds))

    assert write_event(place, "club", scored(300)) == 2
    set_round(place, "club", 3)
    assert [write_event(place, "club", scored(310), anew=anew) for anew in (False, True)] == [3, 2]


def test_overlays_and_the_measures_of_each_round_outlive_an_import(place: StorePlace) -> None:
    for slot, table in (("main", 12), ("left", 7), ("main", 5), ("left", None)):
        set_overlay(place, "club", slot, table)
    keep_measures(place, "club", 1, {7: "one"})
    keep_measures(place, "club", 11, {7: "eleven", 8: "beside"})
    keep_measures(place, "club", 11, {7: "again"})
    write_event(place, "club", Event((Player("A", 1, "Ann"),)))
    stored = read_stored(place, "club")
    assert (stored.overlays, stored.changes, changes_of(place, "club"), len(stored.event.players)) == ({"main": 5}, 5, 5, 1)
    assert [kept_measures(place, "club", number) for number in (1, 11, 2)] == [{7: "one"}, {7: "again", 8: "beside"}, {}]
    assert (read_stored(place, "north"), changes_of(place, "north"), kept_measures(place, "north", 1)) == (StoredEvent(), 0, {})


def test_a_row_of_another_form_is_left_out() -> None:
    row = [3, "event", 2, None, 5, 6, "boot", "", "{}"]
    wrong = [None, row[:-1], [*row, 1], ["3", *row[1:]], [True, *row[1:]], [*row[:3], "4", *row[4:]], [*row[:8], None]]
    (found,) = stored_rows([("a", each) for each in (*wrong, row)])
    assert (found.seq, found.row.game, found.row.number, found.row.body) == (3, 2, None, "{}")


def test_a_batch_is_rows_that_each_have_their_own_number() -> None:
    def batch(last: int, *numbers: int | None) -> RowBatch:
        rows: list[WireRow] = [("0" * 64, None if number is None else [number, "event"]) for number in numbers]
        return RowBatch(epoch="0" * 16, first=4, last=last, previous="0" * 64, rows=rows)

    batches = (batch(6, 4, 5, 6), batch(6, 4, None, 6), batch(7, 4, 5, 6), batch(6, 4, 4, 6))
    assert [is_well_formed(each) for each in batches] == [True, True, False, False]


def test_what_the_database_says_of_a_disk_is_said_of_the_disk() -> None:
    own = sqlite3.OperationalError("disk I/O error")
    assert described(sa.exc.OperationalError("SELECT 1", {}, own)) == described(own)
