"""Manual adjudication: slip, one verdict for the play, reviews, what a power cut leaves, nothing shown that is not in the log (2014 IV.K, 2017 IV.K, NZ 6.15)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from appliance.errors import Diagnosis
from faults.errors import Phrase
from kiosk import events as players
from kiosk.challenge.apply import apply as apply_flow
from kiosk.challenge.flow import Step
from kiosk.context import Trouble, TroubleKind
from kiosk.director import word_judge
from kiosk.events import ChooseChallenger, Confirm, GiveVerdict, Print, SecondOpinion, VerdictWritten, WriteEntry
from records.entry import Entry, Kind, Way
from rules.duration import NS
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.kiosk.challenge.making import context, key
from tests.kiosk.director.judging import AT, Judging, slip, written
from tests.some import some


def test_a_verdict_is_a_row_with_table_words_side_rulebook_and_judge_and_no_list() -> None:
    (row,) = slip().ruled_by("ab", acceptable=False).kept
    assert (row.kind, row.table, row.words, row.challenger) == (Kind.MANUAL, 7, ("HEM", "ZAX"), "right")
    assert (row.acceptable, row.first, row.rulebook, row.lexicon, row.why) == (False, None, "naspa-2017", None, "first judge AB")


def test_no_verdict_is_shown_before_it_is_kept() -> None:
    judged = slip().do(players.Type("AB"), players.Next(), GiveVerdict(acceptable=True))
    assert judged.at.ruling is None
    ruling = some(judged.do(VerdictWritten(31)).at.ruling)
    assert (ruling.acceptable, ruling.row) == (True, 31)


def test_where_the_log_cannot_be_written_no_verdict_is_given_and_the_judge_may_try_again() -> None:
    judged = slip().do(players.Type("AB"), players.Next(), GiveVerdict(acceptable=True), VerdictWritten(None, Phrase("disk full")))
    assert (judged.at.stage, judged.at.ruling) == (word_judge.Stage.BOOK, None)
    assert key(judged.at) == "judge.notice.not_kept"
    assert judged.do(GiveVerdict(acceptable=True), VerdictWritten(5)).at.stage is word_judge.Stage.RULED


def test_where_the_director_allows_it_a_verdict_stands_without_a_row_and_says_so() -> None:
    judged = slip(at=context(judge_unlogged=True))
    judged.do(players.Type("AB"), players.Next(), GiveVerdict(acceptable=True), VerdictWritten(None, Phrase("disk full")))
    assert some(judged.at.ruling).row is None
    assert key(judged.at) == "judge.notice.unlogged"


def test_the_judge_reads_the_slip_back_and_may_still_change_the_words() -> None:
    begun = written(players.ChooseChallenger(Side.LEFT), words="HEM")
    assert (begun.at.slip.step, begun.at.stage) == (Step.CHECKING, word_judge.Stage.SLIP)
    begun.do(players.Back(), players.AddWord(), players.Type("ZAX"), players.Finish(), players.Finish())
    assert begun.at.stage is word_judge.Stage.JUDGE
    assert begun.do(players.Back()).at.stage is word_judge.Stage.SLIP
    assert begun.do(players.Finish()).ruled_by("1", acceptable=True).kept[0].words == ("HEM", "ZAX")


def test_the_adjudication_key_of_the_players_does_nothing_at_the_desk() -> None:
    begun = written(ChooseChallenger(None), words="HEM")
    before = begun.at
    # It would count for players here: only the desk takes none.
    assert apply_flow(before.slip, players.Adjudicate(Way.TAB), begun.instant + NS)[0].step is Step.JUDGING
    for way in Way:
        assert begun.do(players.Adjudicate(way)).at == before
    assert begun.asked == []


def test_naspa_where_no_third_judge_is_available_the_first_ruling_has_precedence_and_the_log_says_so() -> None:
    judged = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=False).do(Confirm())
    assert judged.now is None
    kept, printed = judged.asked[-2:]
    assert isinstance(kept, WriteEntry)
    assert (kept.entry.acceptable, kept.entry.first, kept.entry.why) == (True, 101, "no third judge: the first ruling has precedence")
    assert isinstance(printed, Print)
    assert (printed.row, printed.consequence.acceptable) == (101, True)


def test_a_review_is_another_judges() -> None:
    judged = slip().ruled_by("AB", acceptable=True).do(SecondOpinion(here=False), players.Type("ab"), players.Next())
    assert judged.at.stage is word_judge.Stage.JUDGE
    assert key(judged.at) == "judge.notice.same"
    other = judged.do(players.Erase(), players.Type("c"), players.Next()).at
    assert (other.stage, other.judge) == (word_judge.Stage.BOOK, "AC")


def test_a_judge_needs_initials_or_a_number() -> None:
    judged = slip().do(players.Next())
    assert key(judged.at) == "judge.notice.nobody"
    assert judged.do(players.Type(" -\n"), players.Type("12345")).at.judge == "1234"


def test_a_second_opinion_is_prefilled_linked_to_the_look_up_and_its_words_stay_as_they_are() -> None:
    opinion = word_judge.Opinion(9, Side.LEFT, (tuple("HEM"), tuple("ZAX")), 55, AT)
    judged = Judging(word_judge.from_opinion(context(), opinion, AT))
    assert judged.at.slip.step is Step.CHECKING
    (row,) = judged.do(players.Finish()).ruled_by("AB", acceptable=True).kept
    assert (row.table, row.challenger, row.words, row.first) == (9, "left", ("HEM", "ZAX"), 55)
    again = Judging(word_judge.from_opinion(context(), opinion, AT)).do(players.Back())
    assert (again.now, again.asked) == (None, [])


def test_a_slip_taken_back_is_logged_as_aborted_but_an_empty_one_is_not() -> None:
    begun = Judging(word_judge.new_slip(context(), AT)).do(players.Back())
    assert (begun.now, begun.asked) == (None, [])
    written = slip().do(*[players.Back()] * 4)
    assert written.now is None
    assert [effect.entry.kind for effect in written.asked] == [Kind.ABORTED]


def test_a_slip_that_has_no_more_than_a_table_number_is_logged_as_aborted_too_for_a_word_judge_was_called_there() -> None:
    begun = Judging(word_judge.new_slip(context(), AT)).do(players.Type("7"))
    (kept,) = word_judge.left(begun.at, "the desk was closed")
    assert isinstance(kept, WriteEntry)
    assert (kept.entry.kind, kept.entry.table, kept.entry.words) == (Kind.ABORTED, 7, ())
    assert begun.do(players.Back()).now is None
    assert [(effect.entry.kind, effect.entry.table) for effect in begun.asked] == [(Kind.ABORTED, 7)]


def test_a_ruling_that_stands_when_the_desk_locks_is_settled() -> None:
    (printed,) = word_judge.left(slip().ruled_by("AB", acceptable=True).at, "the desk locked itself")
    assert isinstance(printed, Print)


def test_a_judge_with_a_book_needs_no_lexicon() -> None:
    broken = replace(context(), lexicon=None, spelling=None, trouble=Trouble(TroubleKind.LEXICON_MISSING, Diagnosis("no file")))
    (row,) = slip(at=broken).ruled_by("AB", acceptable=True).kept
    assert row.words == ("HEM", "ZAX")


EVENTS = st.sampled_from(
    [
        GiveVerdict(acceptable=True),
        GiveVerdict(acceptable=False),
        VerdictWritten(4),
        VerdictWritten(None, Phrase("full")),
        SecondOpinion(here=False),
        Confirm(),
        players.Back(),
        players.Next(),
        players.Type("A"),
        players.Type("B"),
        players.Erase(),
    ]
)


@given(st.lists(EVENTS, max_size=40))
def test_every_ruling_was_handed_to_the_log_before_it_stood(events: list[object]) -> None:
    judged = slip()
    for event in events:
        before = judged.now
        if before is None:
            break
        given_in = iter([row.acceptable for row in judged.kept])
        assert all(any(ruling.acceptable is verdict for verdict in given_in) for ruling in before.rulings)
        judged.do(event)


def test_what_is_printed_is_linked_as_the_row_of_the_ruling_that_stands_is() -> None:
    opinion = word_judge.Opinion(9, Side.LEFT, (tuple("HEM"),), 55, AT)
    for second, row, first in ((True, 101, 55), (False, 101, 55)):
        judged = Judging(word_judge.from_opinion(context(), opinion, AT)).do(players.Finish()).ruled_by("AB", acceptable=True)
        printed = judged.reviewed_by("CD", acceptable=second).do(Confirm()).asked[-1]
        assert (printed.row, printed.entry.first) == (row, first)
        assert [each.first for each in judged.kept] == [55, 101]
    third = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=False).reviewed_by("EF", acceptable=False)
    printed = third.do(Confirm()).asked[-1]
    assert (printed.row, printed.entry.first, printed.entry.why) == (103, 101, "third judge EF")


NASPA = context("naspa-2017")
NZ = context("nzasp-2022")
UNTIL = AT + 1

STARTED, STOPPED, REFUSED = Entry(Kind.STARTED), Entry(Kind.STOPPED), Entry(Kind.REFUSED)


def rows(judged: Judging, *after: Entry) -> list[word_judge.Numbered]:
    """Return the log's last rows as the judges made them, and ``after``, newest first."""
    before = (99, Entry(Kind.DOOR_OPENED, why="PIN"))
    kept = [before, *enumerate((*judged.kept, *after), 101)]
    return kept[::-1]


def test_after_the_first_judge_the_second_is_asked_with_words_side_and_table_as_they_were() -> None:
    found = word_judge.unfinished(rows(slip().ruled_by("AB", acceptable=True), STARTED), NASPA, UNTIL)
    ruling = word_judge.Ruling(word_judge.Seat.FIRST, "AB", acceptable=True, row=101)
    assert found == word_judge.Opinion(7, Side.RIGHT, (tuple("HEM"), tuple("ZAX")), None, UNTIL, (ruling,))


def test_it_goes_on_at_the_next_judges_name_shows_no_ruling_before_and_its_rows_are_linked_to_the_first() -> None:
    found = some(word_judge.unfinished(rows(slip().ruled_by("AB", acceptable=True), STARTED), NASPA, UNTIL))
    again = Judging(word_judge.from_opinion(context(), found, AT), row=200)
    assert (again.at.stage, again.at.seat) == (word_judge.Stage.JUDGE, word_judge.Seat.SECOND)
    again.do(players.Type("AB"), players.Next())
    assert again.at.stage is word_judge.Stage.JUDGE, "the same judge may not rule twice over a restart either"
    again.do(*[players.Erase()] * 2).ruled_by("CD", acceptable=False)
    (row,) = again.kept
    assert (row.why, row.table, row.words, row.challenger, row.first) == ("second judge CD", 7, ("HEM", "ZAX"), "right", 101)
    assert again.at.seat is word_judge.Seat.THIRD


def test_after_two_who_differ_the_third_judge_is_asked_and_after_two_who_agree_none() -> None:
    first = slip().ruled_by("AB", acceptable=True)
    found = some(word_judge.unfinished(rows(first.reviewed_by("CD", acceptable=False), STARTED, STARTED), NASPA, UNTIL))
    assert [(each.seat, each.judge, each.acceptable, each.row) for each in found.rulings] == [
        (word_judge.Seat.FIRST, "AB", True, 101),
        (word_judge.Seat.SECOND, "CD", False, 102),
    ]
    assert word_judge.from_opinion(context(), found, AT).seat is word_judge.Seat.THIRD
    assert word_judge.unfinished(rows(slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=True)), NASPA, UNTIL) is None
    assert word_judge.unfinished(rows(first.reviewed_by("EF", acceptable=False)), NASPA, UNTIL) is None


def test_nz_after_the_first_judge_the_referee_is_asked_and_after_the_referee_none() -> None:
    judged = slip(at=context("nzasp-2022")).ruled_by("AB", acceptable=True)
    found = some(word_judge.unfinished(rows(judged), NZ, UNTIL))
    assert word_judge.from_opinion(context("nzasp-2022"), found, AT).seat is word_judge.Seat.REFEREE
    assert word_judge.unfinished(rows(judged.reviewed_by("RF", acceptable=False)), NZ, UNTIL) is None


def test_of_a_second_opinion_the_link_to_the_look_up_is_found_again_too() -> None:
    opinion = word_judge.Opinion(9, Side.LEFT, (tuple("HEM"),), 55, AT)
    judged = Judging(word_judge.from_opinion(context(), opinion, AT)).do(players.Finish()).ruled_by("AB", acceptable=True)
    for found in (
        word_judge.unfinished(rows(judged), NASPA, UNTIL),
        word_judge.unfinished(rows(judged.reviewed_by("CD", acceptable=False)), NASPA, UNTIL),
    ):
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
    assert word_judge.unfinished(rows(slip().ruled_by("AB", acceptable=True), *after), NASPA, UNTIL) is None


def test_a_verdict_that_could_not_be_written_at_first_is_no_other_row_between() -> None:
    judged = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=False)
    first, second = judged.kept
    late = replace(second, why=f"[late: The log cannot be written: [Errno 28] full] {second.why}")
    found = some(word_judge.unfinished([(103, REFUSED), (102, late), (101, first)], NASPA, UNTIL))
    assert [each.judge for each in found.rulings] == ["AB", "CD"]


def test_only_a_word_judges_row_is_a_ruling() -> None:
    judged = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=False)
    first, second = judged.kept
    for other in (replace(second, kind=Kind.REFUSED, acceptable=None), replace(second, kind=Kind.SECOND_OPINION)):
        (newest,) = slip().ruled_by("EF", acceptable=False).kept
        found = some(
            word_judge.unfinished([(103, replace(newest, first=101, why="second judge EF")), (102, other), (101, first)], NASPA, UNTIL)
        )
        assert [each.judge for each in found.rulings] == ["AB", "EF"]


def test_under_another_rulebook_or_without_the_first_judges_row_nothing_is_taken_up() -> None:
    judged = slip().ruled_by("AB", acceptable=True).reviewed_by("CD", acceptable=False)
    assert word_judge.unfinished(rows(judged), NZ, UNTIL) is None
    assert word_judge.unfinished(rows(judged)[:1], NASPA, UNTIL) is None
    assert word_judge.unfinished([], NASPA, UNTIL) is None
    assert word_judge.unfinished([(1, STARTED)], NASPA, UNTIL) is None


@given(
    st.sampled_from(word_judge.Seat),
    st.text("ABZ09Ñ", min_size=1, max_size=4),
    st.sampled_from(("", "[late: full] ", "[2 rows before] ")),
)
def test_who_ruled_is_read_from_the_log_as_it_was_written(seat: word_judge.Seat, judge: str, remark: str) -> None:
    assert word_judge.signature(remark + word_judge.signed(seat, judge)) == (seat, judge)


@pytest.mark.parametrize(
    "why", [None, "", "no third judge: the first ruling has precedence", "fourth judge AB", "first judge", "referee A B"]
)
def test_what_is_no_signature_is_not_taken_for_one(why: str | None) -> None:
    assert word_judge.signature(why) is None


FIRST, SECOND, THIRD, REFEREE = word_judge.Seat

NASPA_RULE = load_rulebook("naspa-2017").challenge
NZ_RULE = load_rulebook("nzasp-2022").challenge


def rulings(*given: tuple[word_judge.Seat, bool]) -> tuple[word_judge.Ruling, ...]:
    return tuple(word_judge.Ruling(seat, f"J{row}", acceptable, row) for row, (seat, acceptable) in enumerate(given, 1))


def test_naspa_a_third_judge_is_asked_only_where_two_differ() -> None:
    assert word_judge.next_seat(NASPA_RULE, rulings((FIRST, True), (SECOND, True))) is None
    assert word_judge.next_seat(NASPA_RULE, rulings((FIRST, True), (SECOND, False))) is THIRD
    assert word_judge.next_seat(NASPA_RULE, rulings((FIRST, True), (SECOND, False), (THIRD, True))) is None


def test_wespa_the_director_rules_where_two_differ() -> None:
    rule = load_rulebook("wespa-2021").challenge
    assert word_judge.next_seat(rule, rulings((FIRST, True))) is SECOND
    assert word_judge.next_seat(rule, rulings((FIRST, True), (SECOND, True))) is None
    assert word_judge.next_seat(rule, rulings((FIRST, True), (SECOND, False))) is REFEREE
    three = rulings((FIRST, True), (SECOND, False), (REFEREE, False))
    assert (word_judge.next_seat(rule, three), word_judge.valid_ruling(three)) == (None, three[2])


@pytest.mark.parametrize("first", [True, False])
def test_naspa_where_two_differ_the_first_has_precedence_until_a_third_has_ruled(first: bool) -> None:
    two = rulings((FIRST, first), (SECOND, not first))
    assert word_judge.valid_ruling(two) == two[0]
    for third in (True, False):
        three = (*two, word_judge.Ruling(THIRD, "C", third, 3))
        ruling = some(word_judge.valid_ruling(three))
        assert ruling.acceptable is third
        assert [each.acceptable for each in three].count(third) == 2


def test_nz_one_appeal_to_a_referee_whose_decision_stands() -> None:
    one = rulings((FIRST, True))
    assert word_judge.next_seat(NZ_RULE, one) is REFEREE
    two = rulings((FIRST, True), (REFEREE, False))
    assert word_judge.valid_ruling(two) == two[1]
    assert word_judge.next_seat(NZ_RULE, two) is None


TABLES = st.lists(st.integers(1, 2 * word_judge.MAX), max_size=3 * word_judge.MAX)


def of(table: int, word: str = "HEM", until: int = 100) -> word_judge.Opinion:
    return word_judge.Opinion(table, Side.LEFT, (tuple(word),), 55, until)


@given(TABLES)
def test_those_that_wait_are_the_latest_of_as_many_tables_as_there_is_room_for(tables: list[int]) -> None:
    waiting: tuple[word_judge.Opinion, ...] = ()
    for number, table in enumerate(tables):
        waiting = word_judge.remembered(waiting, of(table, until=number))
    latest = sorted({table: number for number, table in enumerate(tables)}.items(), key=lambda each: each[1])
    assert [(each.table, each.until) for each in waiting] == latest[-word_judge.MAX :]
