"""Second opinions that wait for a word judge: one a table, the latest; so many and no more; each for its time."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from kiosk.director.adjudication import MAX, Opinion, Ruling, Seat, remembered, ruled, still_open, without
from rules.side import Side

TABLES = st.lists(st.integers(1, 2 * MAX), max_size=3 * MAX)


def of(table: int, word: str = "HEM", until: int = 100) -> Opinion:
    return Opinion(table, Side.LEFT, (tuple(word),), 55, until)


def test_of_two_opinions_of_one_table_the_later_one_is_remembered_and_the_others_stay() -> None:
    waiting = remembered(remembered((of(3),), of(9, "HEM")), of(12))
    assert remembered(waiting, of(9, "ZAX")) == (of(3), of(12), of(9, "ZAX"))


def test_where_one_too_many_waits_the_one_asked_first_is_forgotten() -> None:
    full = tuple(of(table) for table in range(1, MAX + 1))
    assert remembered(full, of(99)) == (*full[1:], of(99))


def test_an_opinion_asked_again_takes_no_other_ones_place() -> None:
    full = tuple(of(table) for table in range(1, MAX + 1))
    assert remembered(full, of(MAX, "ZAX")) == (*full[:-1], of(MAX, "ZAX"))


@given(TABLES)
def test_those_that_wait_are_the_latest_of_as_many_tables_as_there_is_room_for(tables: list[int]) -> None:
    waiting: tuple[Opinion, ...] = ()
    for number, table in enumerate(tables):
        waiting = remembered(waiting, of(table, until=number))
    latest = sorted({table: number for number, table in enumerate(tables)}.items(), key=lambda each: each[1])
    assert [(each.table, each.until) for each in waiting] == latest[-MAX:]


def test_an_opinion_is_forgotten_at_its_instant_and_not_before() -> None:
    waiting = (of(3, until=99), of(9, until=100), of(12, until=101))
    assert still_open(waiting, 99) == waiting[1:]
    assert still_open(waiting, 100) == waiting[2:]


def test_rulings_are_remembered_with_the_play_they_were_given_on_alone() -> None:
    rulings = (Ruling(Seat.FIRST, "AB", acceptable=True, row=41),)
    words = (tuple("HEM"),)
    assert ruled((of(3), of(9)), 9, words, rulings) == (of(3), replace(of(9), rulings=rulings))
    assert ruled((of(9, "ZAX"),), 9, words, rulings) == (of(9, "ZAX"),)


def test_one_tables_opinion_is_taken_away_alone() -> None:
    assert without((of(3), of(9)), 3) == (of(9),)
    assert without((of(3),), 9) == (of(3),)
