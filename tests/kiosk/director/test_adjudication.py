"""Which ruling stands, which opinions wait, and an adjudication cut short between two judges that is found again in the log (2017 IV.K.4, NZ 6.15.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from game.challenge_log.entry import Entry, Kind
from kiosk import events as players
from kiosk.challenge.flow import TypedWord
from kiosk.director.adjudication import (
    MAX,
    Numbered,
    Opinion,
    Ruling,
    Seat,
    Stage,
    from_opinion,
    next_seat,
    remembered,
    ruled,
    signature,
    signed,
    unfinished,
    valid_ruling,
    without,
)
from kiosk.events import NoSide
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.kiosk.challenge.making import context
from tests.kiosk.director.judging import AT, Judging, slip, written
from tests.some import some

NASPA = context("naspa-2017")

NZ = context("nzasp-2022")

UNTIL = AT + 1

STARTED, STOPPED, REFUSED = Entry(Kind.STARTED), Entry(Kind.STOPPED), Entry(Kind.REFUSED)


def rows(judged: Judging, *after: Entry) -> list[Numbered]:
    """Return the log's last rows as the judges made them, and ``after``, newest first."""
    before = (99, Entry(Kind.DOOR_OPENED, why="PIN"))
    kept = [before, *enumerate((*judged.kept, *after), 101)]
    return kept[::-1]


def test_after_the_first_judge_the_second_is_asked_with_words_side_and_table_as_they_were() -> None:
    found = unfinished(rows(slip().ruled_by("AB", acceptable=True), STARTED), NASPA, UNTIL)
    ruling = Ruling(Seat.FIRST, "AB", acceptable=True, row=101)
    assert found == Opinion(7, Side.RIGHT, (tuple("HEM"), tuple("ZAX")), None, UNTIL, (ruling,))


def test_it_goes_on_at_the_next_judges_name_shows_no_ruling_before_and_its_rows_are_linked_to_the_first() -> None:
    found = some(unfinished(rows(slip().ruled_by("AB", acceptable=True), STARTED), NASPA, UNTIL))
    again = Judging(from_opinion(context(), found, AT), row=200)
    assert (again.at.stage, again.at.seat) == (Stage.JUDGE, Seat.SECOND)
    again.do(players.Type("AB"), players.Next())
    assert again.at.stage is Stage.JUDGE, "the same judge may not rule twice over a restart either"
    again.do(*[players.Erase()] * 2).ruled_by("CD", acceptable=False)
    (row,) = again.kept
    assert (row.why, row.table, row.words, row.challenger, row.first) == ("second judge CD", 7, ("HEM", "ZAX"), "right", 101)
    assert again.at.seat is Seat.THIRD


def test_after_two_who_differ_the_third_judge_is_asked_and_after_two_who_agree_none() -> None:
    first = slip().ruled_by("AB", acceptable=True)
    found = some(unfinished(rows(first.reviewed_by("CD", acceptable=False), STARTED, STARTED), NASPA, UNTIL))
    assert [(each.seat, each.judge, each.acceptable, each.row) for each in found.rulings] == [
        (Seat.FIRST, "AB", True, 101),
        (Seat.SECOND, "CD", False, 102),
    ]
    assert from_opinion(context(), found, AT).seat is Seat.THIRD
    assert unfinished(rows(slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=True)), NASPA, UNTIL) is None
    assert unfinished(rows(first.reviewed_by("EF", acceptable=False)), NASPA, UNTIL) is None


def test_nz_after_the_first_judge_the_referee_is_asked_and_after_the_referee_none() -> None:
    judged = slip(at=context("nzasp-2022")).ruled_by("AB", acceptable=True)
    found = some(unfinished(rows(judged), NZ, UNTIL))
    assert from_opinion(context("nzasp-2022"), found, AT).seat is Seat.REFEREE
    assert unfinished(rows(judged.reviewed_by("RF", acceptable=False)), NZ, UNTIL) is None


def test_of_a_second_opinion_the_link_to_the_look_up_is_found_again_too() -> None:
    opinion = Opinion(9, Side.LEFT, (tuple("HEM"),), 55, AT)
    judged = Judging(from_opinion(context(), opinion, AT)).do(players.Finish()).ruled_by("AB", acceptable=True)
    for found in (unfinished(rows(judged), NASPA, UNTIL), unfinished(rows(judged.reviewed_by("CD", acceptable=False)), NASPA, UNTIL)):
        assert replace(some(found), until=AT, rulings=()) == opinion


@pytest.mark.parametrize(
    "after",
    [
        (STOPPED, STARTED),
        (Entry(Kind.DOOR_OPENED), STARTED),
        (Entry(Kind.ABORTED, 7, words=("HEM", "ZAX"), first=101), STARTED),
        (Entry(Kind.MANUAL, 7, acceptable=True, first=101, why="no third judge: the first ruling has precedence"), STARTED),
        (Entry(Kind.LOOKUP, 3, words=("QI",), acceptable=True),),
    ],
)
def test_where_the_desk_was_left_or_something_else_came_after_nothing_is_unfinished(after: tuple[Entry, ...]) -> None:
    assert unfinished(rows(slip().ruled_by("AB", acceptable=True), *after), NASPA, UNTIL) is None


def test_a_verdict_that_could_not_be_written_at_first_is_no_other_row_between() -> None:
    judged = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=False)
    first, second = judged.kept
    late = replace(second, why=f"[late: The log cannot be written: [Errno 28] full] {second.why}")
    found = some(unfinished([(103, REFUSED), (102, late), (101, first)], NASPA, UNTIL))
    assert [each.judge for each in found.rulings] == ["AB", "CD"]


def test_only_a_word_judges_row_is_a_ruling() -> None:
    judged = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=False)
    first, second = judged.kept
    for other in (replace(second, kind=Kind.REFUSED, acceptable=None), replace(second, kind=Kind.SECOND_OPINION)):
        (newest,) = slip().ruled_by("EF", acceptable=False).kept
        found = some(unfinished([(103, replace(newest, first=101, why="second judge EF")), (102, other), (101, first)], NASPA, UNTIL))
        assert [each.judge for each in found.rulings] == ["AB", "EF"]


def test_under_another_rulebook_or_without_the_first_judges_row_nothing_is_taken_up() -> None:
    judged = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=False)
    assert unfinished(rows(judged), NZ, UNTIL) is None
    assert unfinished(rows(judged)[:1], NASPA, UNTIL) is None
    assert unfinished([], NASPA, UNTIL) is None
    assert unfinished([(1, STARTED)], NASPA, UNTIL) is None


def test_an_earlier_adjudication_of_the_same_table_is_another() -> None:
    earlier, later = slip().ruled_by("AB", acceptable=False), slip().ruled_by("CD", acceptable=True)
    found = some(unfinished([(202, *later.kept), (101, *earlier.kept)], NASPA, UNTIL))
    assert [each.row for each in found.rulings] == [202]


def test_a_slip_that_does_not_say_on_which_side_the_challenger_is_still_does_not() -> None:
    begun = written(NoSide(), words="HEM").do(players.Finish()).ruled_by("AB", acceptable=True)
    found = some(unfinished(rows(begun), NASPA, UNTIL))
    assert Judging(from_opinion(context(), found, AT)).ruled_by("CD", acceptable=True).kept[0].challenger is None


@given(st.sampled_from(Seat), st.text("ABZ09Ñ", min_size=1, max_size=4), st.sampled_from(("", "[late: full] ", "[2 rows before] ")))
def test_who_ruled_is_read_from_the_log_as_it_was_written(seat: Seat, judge: str, remark: str) -> None:
    assert signature(remark + signed(seat, judge)) == (seat, judge)


@pytest.mark.parametrize(
    "why", [None, "", "no third judge: the first ruling has precedence", "fourth judge AB", "first judge", "referee A B"]
)
def test_what_is_no_signature_is_not_taken_for_one(why: str | None) -> None:
    assert signature(why) is None


@pytest.mark.parametrize("word", [tuple("HEM"), ("[CH]", "A"), ("L", "[L·L]", "A")])
def test_what_was_one_tile_is_one_tile_again(word: TypedWord) -> None:
    opinion = Opinion(9, Side.LEFT, (word,), 55, AT)
    judged = Judging(from_opinion(context(), opinion, AT)).do(players.Finish()).ruled_by("AB", acceptable=True)
    found = some(unfinished(rows(judged), NASPA, UNTIL))
    assert found.words == (word,)


FIRST, SECOND, THIRD, REFEREE = Seat

NASPA_RULE = load_rulebook("naspa-2017").challenge

NZ_RULE = load_rulebook("nzasp-2022").challenge


def rulings(*given: tuple[Seat, bool]) -> tuple[Ruling, ...]:
    return tuple(Ruling(seat, f"J{row}", acceptable, row) for row, (seat, acceptable) in enumerate(given, 1))


def test_the_first_judge_is_asked_first() -> None:
    assert valid_ruling(()) is None
    assert next_seat(NASPA_RULE, ()) is FIRST is next_seat(NZ_RULE, ())


def test_naspa_a_third_judge_is_asked_only_where_two_differ() -> None:
    assert next_seat(NASPA_RULE, rulings((FIRST, True), (SECOND, True))) is None
    assert next_seat(NASPA_RULE, rulings((FIRST, True), (SECOND, False))) is THIRD
    assert next_seat(NASPA_RULE, rulings((FIRST, True), (SECOND, False), (THIRD, True))) is None


def test_wespa_the_director_rules_where_two_differ() -> None:
    rule = load_rulebook("wespa-2021").challenge
    assert next_seat(rule, rulings((FIRST, True))) is SECOND
    assert next_seat(rule, rulings((FIRST, True), (SECOND, True))) is None
    assert next_seat(rule, rulings((FIRST, True), (SECOND, False))) is REFEREE
    three = rulings((FIRST, True), (SECOND, False), (REFEREE, False))
    assert (next_seat(rule, three), valid_ruling(three)) == (None, three[2])


@pytest.mark.parametrize("first", [True, False])
def test_naspa_where_two_differ_the_first_has_precedence_until_a_third_has_ruled(first: bool) -> None:
    two = rulings((FIRST, first), (SECOND, not first))
    assert valid_ruling(two) == two[0]
    for third in (True, False):
        three = (*two, Ruling(THIRD, "C", third, 3))
        ruling = some(valid_ruling(three))
        assert ruling.acceptable is third
        assert [each.acceptable for each in three].count(third) == 2


def test_nz_one_appeal_to_a_referee_whose_decision_stands() -> None:
    one = rulings((FIRST, True))
    assert next_seat(NZ_RULE, one) is REFEREE
    two = rulings((FIRST, True), (REFEREE, False))
    assert valid_ruling(two) == two[1]
    assert next_seat(NZ_RULE, two) is None


TABLES = st.lists(st.integers(1, 2 * MAX), max_size=3 * MAX)


def of(table: int, word: str = "HEM", until: int = 100) -> Opinion:
    return Opinion(table, Side.LEFT, (tuple(word),), 55, until)


@given(TABLES)
def test_those_that_wait_are_the_latest_of_as_many_tables_as_there_is_room_for(tables: list[int]) -> None:
    waiting: tuple[Opinion, ...] = ()
    for number, table in enumerate(tables):
        waiting = remembered(waiting, of(table, until=number))
    latest = sorted({table: number for number, table in enumerate(tables)}.items(), key=lambda each: each[1])
    assert [(each.table, each.until) for each in waiting] == latest[-MAX:]


def test_rulings_are_remembered_with_the_play_they_were_given_on_alone() -> None:
    rulings = (Ruling(Seat.FIRST, "AB", acceptable=True, row=41),)
    words = (tuple("HEM"),)
    assert ruled((of(3), of(9)), 9, words, rulings) == (of(3), replace(of(9), rulings=rulings))
    assert ruled((of(9, "ZAX"),), 9, words, rulings) == (of(9, "ZAX"),)


def test_one_tables_opinion_is_taken_away_alone() -> None:
    assert without((of(3), of(9)), 3) == (of(9),)
    assert without((of(3),), 9) == (of(3),)
