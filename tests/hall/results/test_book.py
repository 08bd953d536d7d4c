"""Which pairing a clock's result belongs to, and what the kept rows come to: a result is placed by itself only where no doubt is left."""

from collections.abc import Iterable
from typing import Any

import msgspec.json
import pytest
from msgspec.structs import replace

from hall.event.model import BYE, Event, Pairing, Player
from hall.results.book import (
    LEFT,
    RIGHT,
    ClockResult,
    Forfeit,
    GameResult,
    KeptRow,
    ResultBook,
    Source,
    book_of,
    key_of,
    pairing_of,
    taken_in,
)
from rules.side import BySide
from tests.some import some

LONG = "Maximiliane Oberhuber-Wildenstein von und zu Hohenfels"
NAMES = ("Ann", "Bo", "Cy", "Di", "Eve", "Ann", LONG)
EVENT = Event(
    tuple(Player("A", number, name) for number, name in enumerate(NAMES, 1)),
    (
        Pairing("A", 1, 1, 2, table=5, board=1),
        Pairing("A", 1, 3, 4, table=6, board=2),
        Pairing("A", 1, 5, BYE),
        Pairing("A", 2, 2, 1, table=5, board=1),
        Pairing("A", 2, 6, 2, table=8, board=2),
        Pairing("A", 2, 7, 3),
        Pairing("A", 3, 1, 3, table=5),
        Pairing("A", 3, 1, 6, table=9),
    ),
)


def said(left: str, right: str, table: int | None = 5, game: str = "e/1", **changes: Any) -> ClockResult:
    row = GameResult(row=0, division="", round=0, first=LEFT, second=RIGHT, source=Source.CLOCK, device="c-one", game=game, wall=7)
    return ClockResult(BySide(left, right), table, replace(row, **({"scores": (412, 388)} | changes)), seq=40)


NONE: dict[str, Any] = {"scores": None}


def book(*rows: KeptRow) -> ResultBook:
    return book_of((n, "", msgspec.json.decode(msgspec.json.encode(each), type=KeptRow)) for n, each in enumerate(rows, 1))


def kept(clocks: Iterable[ClockResult], current: int) -> tuple[KeptRow, ...]:
    rows: tuple[KeptRow, ...] = ()
    for each in clocks:
        rows += taken_in(each, EVENT, current, book(*rows))
    return rows


def placed(clock: ClockResult, current: int = 1, rows: tuple[KeptRow, ...] = ()) -> tuple[int, int] | str:
    found = pairing_of(clock, EVENT, current, book(*rows))
    return found if isinstance(found, str) else (found.round, found.first)


def test_names_and_table_choose_the_pairing_whoever_sits_left() -> None:
    for names in (("Ann", "Bo"), ("Bo", "Ann")):
        assert placed(said(*names)) == (1, 1)
    assert placed(said(LONG[:37].rstrip() + "...", "Cy", table=3), current=2) == (2, 7)
    (row,) = taken_in(said("Bo", "Ann"), EVENT, 1, ResultBook())
    assert (some(row.result).first, some(row.result).scores) == (1, (388, 412))


@pytest.mark.parametrize(
    ("clock", "current", "why"),
    [
        (said("Ann", ""), 1, "no names"),
        (said("Ann", "Ann", 9), 3, "one name"),
        (said("Ann", "Zed"), 1, "no pairing has these names"),
        (said("Cy", "Di", 5), 1, "at table 6"),
        (said("Ann", "Cy"), 2, "round 3, which is not current yet"),
        (said("Bo", "Ann"), 2, "those of 2 pairings: round 1 of division A, round 2 of division A"),
    ],
)
def test_where_a_doubt_is_left_the_director_is_asked(clock: ClockResult, current: int, why: str) -> None:
    assert why in placed(clock, current)
    (row,) = taken_in(clock, EVENT, current, ResultBook())
    assert (row.result, list(book(row).unplaced)) == (None, [1])


def test_a_second_meeting_at_the_same_table_takes_the_second_result() -> None:
    rows = kept([said("Ann", "Bo"), said("Bo", "Ann", game="e/2", scores=(300, 299))], 1)
    # In round 1 another game of the same pairing stays without one: two clocks at one table, or a game for fun.
    assert (len(rows), rows[1].result, rows[1].why) == (2, None, "the pairing has the result of another game already")
    rows = kept([said("Ann", "Bo")], 1) + taken_in(said("Bo", "Ann", game="e/2"), EVENT, 2, book(*kept([said("Ann", "Bo")], 1)))
    assert [(some(each.result).round, some(each.result).first) for each in rows] == [(1, 1), (2, 2)]


def test_two_players_of_one_name_are_told_apart_by_the_table() -> None:
    assert placed(said("Ann", "Bo", table=8), current=2) == (2, 6)


def test_what_a_clock_repeats_adds_nothing_and_what_it_takes_back_is_kept_and_counts_no_longer() -> None:
    first, again = said("Ann", "Bo"), said("Ann", "Bo", scores=(410, 388))
    rows = kept([first, replace(first, seq=43), replace(said("Ann", "Bo", **NONE), seq=50), replace(again, seq=60)], 1)
    assert [some(each.result).scores for each in rows] == [(412, 388), None, (410, 388)]
    for length, scores in ((1, (412, 388)), (2, None), (3, (410, 388))):
        settled = book(*rows[:length]).settled(EVENT.pairings[0])
        assert (None if settled.result is None else settled.result.scores, settled.is_disputed) == (scores, False)
    # Without a further event nothing was taken back: the desk does not know the clock's own end yet.
    assert kept([first, said("Ann", "Bo", **NONE)], 1) == rows[:1]
    assert kept([said("Ann", "Bo", **NONE)], 1) == ()


def test_a_row_that_waited_gets_its_pairing_once_and_a_later_one_of_that_game_ends_it() -> None:
    (waiting,) = kept([said("Cy", "Di", 5)], 1)
    given = KeptRow(some(waiting.clock).of(EVENT.pairings[1], first_sits_left=False), settles=1)
    found = book(waiting, given)
    assert (found.unplaced, some(found.settled(EVENT.pairings[1]).result).scores) == ({}, (388, 412))
    # The players sign again: the director's choice was for what they had signed before.
    more = taken_in(replace(said("Cy", "Di", 5, scores=(1, 2)), seq=70), EVENT, 1, found)
    found = book(waiting, given, *more)
    assert (found.settled(EVENT.pairings[1]).is_missing, [each.clock.said.scores for each in found.unplaced.values()]) == (True, [(1, 2)])
    discarded = book(waiting, given, *more, KeptRow(why="practice", who="ruth", settles=4))
    assert discarded.unplaced == {}
    taken_back = taken_in(replace(said("Cy", "Di", 5, **NONE), seq=80), EVENT, 1, found)
    assert book(waiting, given, *more, *taken_back).unplaced == {}


def test_a_forfeit_names_the_pairings_player() -> None:
    lost = said("Bo", "Ann", scores=None, source=Source.END, forfeit=Forfeit((LEFT,), 50))
    (row,) = taken_in(lost, EVENT, 1, ResultBook())
    assert (some(row.result).first, some(some(row.result).forfeit).losers) == (1, (2,))


def test_an_event_that_begins_anew_has_no_results_and_takes_none_of_the_old_ones_again() -> None:
    first = said("Ann", "Bo")
    rows = (*kept([first, said("Ann", "Zed", game="e/2")], 1), KeptRow(anew=True))
    found = book(*rows)
    assert (found.rows, found.unplaced, found.newest) == ({}, {}, 3)
    assert taken_in(first, EVENT, 1, found) == ()


def test_a_slip_and_a_clock_that_differ_are_disputed_in_the_pairings_order() -> None:
    slip = GameResult(row=0, division="A", round=1, first=1, second=2, source=Source.SLIP, scores=(412, 380), who="ruth")
    found = book(*kept([said("Bo", "Ann")], 1), KeptRow(slip))
    settled = found.settled(EVENT.pairings[0])
    assert (settled.is_disputed, [each.scores for each in settled.rows]) == (True, [(388, 412), (412, 380)])
    assert [each.row for each in found.rows[key_of(slip)]] == [1, 2]
