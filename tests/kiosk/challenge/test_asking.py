"""The questions before the words, and the way back from each."""

from __future__ import annotations

from dataclasses import replace

import pytest

from appliance.errors import Diagnosis
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.context import Trouble, TroubleKind
from kiosk.challenge.flow import Flow, Question, Step
from kiosk.events import (
    Back,
    Begin,
    ChallengeEvent,
    ChooseChallenger,
    ChooseCount,
    ChooseLanguage,
    ClockRuns,
    ClockStopped,
    Done,
    Erase,
    Finish,
    LastPlay,
    NewChallenge,
    Next,
    RepeatIt,
    SetContext,
    Type,
    TypeTile,
    Withdraw,
)
from rules.side import Side
from tests.cells import each_cell
from tests.kiosk.challenge.making import S, at_checking, at_verdict, at_words, context, played, run

TROUBLE = Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("list.dawg: expected a whole file, found a damaged one", "Copy it again"))


def _asked(flow: Flow) -> tuple[Step, Question]:
    return flow.step, flow.question


def _key(flow: Flow) -> str | None:
    return None if flow.notice is None else flow.notice.key


def test_the_questions_come_in_the_order_clock_table_challenger_last_play_count_and_lead_to_the_words() -> None:
    flow, seen = begin(context()), []
    for event in (Begin(), ClockStopped(), Type("12"), Next(), ChooseChallenger(Side.RIGHT), LastPlay(was_last=False), ChooseCount(3)):
        flow = played(flow, event)
        seen.append(_asked(flow))
    table, count = (Step.TABLE, Question.TABLE), (Step.TABLE, Question.COUNT)
    asked = [(Step.TABLE, Question.CHALLENGER), (Step.TABLE, Question.LAST_PLAY), count]
    assert seen == [(Step.TABLE, Question.CLOCK), table, table, *asked, (Step.WORDS, Question.COUNT)]
    assert (flow.table, flow.challenger, flow.count, flow.words) == (12, Side.RIGHT, 3, ((), (), ()))


def test_a_clock_that_runs_leads_back_to_idle_with_the_advice_to_stop_it_in_the_players_language() -> None:
    flow = played(begin(context()), Begin(), ChooseLanguage("fr"), ClockRuns())
    assert (flow.step, _key(flow), flow.language) == (Step.IDLE, "notice.clock_first", "fr")


def test_a_station_that_cannot_judge_lets_nobody_begin() -> None:
    flow = begin(replace(context(), trouble=TROUBLE))
    assert run(flow, Begin(), ClockStopped(), Type("7")) == (flow, ())


def test_a_table_number_has_one_to_three_digits_and_begins_with_no_nought() -> None:
    for cell in each_cell(
        [
            ("7", "7", None),
            ("999", "999", None),
            ("1000", "100", "notice.table_digits"),
            ("0", "", "notice.table_digits"),
            ("105", "105", None),
            ("a", "", "notice.table_digits"),
            ("٣", "", "notice.table_digits"),
            ("\x00\x1b4", "4", None),
            ("9" * 100_000, "999", "notice.table_digits"),
        ]
    ):
        with cell as (typed, digits, notice):
            flow = played(begin(context()), Begin(), ClockStopped(), Type(typed))
            assert (flow.digits, _key(flow), flow.question) == (digits, notice, Question.TABLE)


def test_a_table_number_is_typed_on_the_screens_pad_and_erased_and_must_be_there() -> None:
    flow = played(begin(context()), Begin(), ClockStopped(), TypeTile("1"), TypeTile("2"), Erase())
    assert flow.digits == "1"
    flow = played(flow, Erase(), Next())
    assert (_key(flow), flow.question) == ("notice.table_missing", Question.TABLE)


@pytest.mark.parametrize("typed", ["12\n", "  12 ", "12 more"])
def test_a_pasted_table_number_with_white_space_after_it_is_complete(typed: str) -> None:
    flow = played(begin(context()), Begin(), ClockStopped(), Type(typed))
    assert (flow.table, flow.question) == (12, Question.CHALLENGER)


@pytest.mark.parametrize("count", [0, 9, -1, 100])
def test_a_play_has_one_to_eight_words(count: int) -> None:
    asked = played(at_words(begin(context())), Back())
    assert played(asked, ChooseCount(count)) == asked


@pytest.mark.parametrize("event", [Type("3"), TypeTile("3"), ChooseCount(3)])
def test_the_number_of_words_may_be_typed_too(event: ChallengeEvent) -> None:
    flow = played(at_words(begin(context())), Back(), event)
    assert (flow.step, flow.count, len(flow.words)) == (Step.WORDS, 3, 3)


def test_where_the_director_turned_it_off_the_number_of_words_is_not_asked_for() -> None:
    flow = at_words(begin(context(count_first=False)))
    assert (flow.step, flow.count, flow.words) == (Step.WORDS, None, ((),))


def test_back_goes_from_each_question_to_the_one_before_and_from_the_first_to_idle() -> None:
    flow, seen = at_words(begin(context())), []
    while flow.in_progress:
        flow = played(flow, Back())
        seen.append(flow.question if flow.in_progress else None)
    assert seen == [Question.COUNT, Question.LAST_PLAY, Question.CHALLENGER, Question.TABLE, Question.CLOCK, None]


def test_back_from_the_words_and_on_again_loses_none_of_them() -> None:
    back = played(at_words(begin(context())), Type("cat"), Back(), Back(), Back())
    flow = played(back, ChooseChallenger(Side.RIGHT), LastPlay(was_last=False), ChooseCount(3))
    assert (flow.words, flow.chosen, flow.challenger) == ((tuple("CAT"), (), ()), 1, Side.RIGHT)


def test_whether_it_is_a_repeat_is_asked_only_where_this_table_has_one_open_and_before_who_challenges() -> None:
    judged = played(at_verdict(begin(context()), "CAT"), Done(), Begin(), ClockStopped())
    assert played(judged, Type("8"), Next()).question is Question.CHALLENGER
    asked = played(judged, Type("7"), Next())
    assert asked.question is Question.REPEAT
    repeat, another = played(asked, RepeatIt()), played(asked, NewChallenge())
    assert (repeat.step, repeat.challenger, repeat.count, repeat.words) == (Step.WORDS, Side.LEFT, 1, ((),))
    assert (another.question, another.link) == (Question.CHALLENGER, None)
    assert played(another, Back()).question is Question.REPEAT
    assert played(asked, Back()).question is Question.TABLE


NO_ANSWERS: list[ChallengeEvent] = [
    Begin(),
    ClockStopped(),
    RepeatIt(),
    NewChallenge(),
    Finish(),
    ChooseCount(2),
    Done(),
    ChooseLanguage("xx"),
]


def test_what_is_no_answer_to_the_question_changes_nothing_not_even_the_instant_of_the_last_touch() -> None:
    for cell in each_cell(NO_ANSWERS):
        with cell as event:
            asked = played(begin(context()), Begin(), ClockStopped(), Type("1000"))
            assert apply(asked, event, asked.touched + 5 * S) == (asked, ())


def test_the_language_changes_at_any_question_and_on_the_idle_screen_but_only_to_one_of_the_stations() -> None:
    assert played(begin(context()), ChooseLanguage("es")).language == "es"
    assert played(at_words(begin(context())), ChooseLanguage("fr"), ChooseLanguage("de")).language == "fr"


def test_an_idle_station_stands_differently_at_once_and_keeps_what_may_be_repeated() -> None:
    idle = played(at_verdict(begin(context()), "CAT"), Done())
    other = replace(context("nzasp-2022", "spanish"), language="es")
    flow, effects = apply(idle, SetContext(other), idle.touched + S)
    assert (flow.context, flow.language, flow.open, effects) == (other, "es", idle.open, ())


def test_a_lexicon_swapped_spoiled_or_gone_in_mid_challenge_waits_until_nobody_is_in_one() -> None:
    checking = at_checking(begin(context()), "CAT")
    spoiled = replace(context(), lexicon=None, spelling=None, trouble=TROUBLE)
    for other in (context(alphabet="spanish"), spoiled):
        assert apply(checking, SetContext(other), checking.since) == (checking, ())
    idle = played(checking, Withdraw(), Done())
    assert played(idle, SetContext(spoiled)).context == spoiled


def test_an_instant_before_the_last_one_counts_as_the_last_one() -> None:
    flow = played(begin(context(), at=100 * S), Begin())
    back, _ = apply(flow, ClockStopped(), 3)
    assert back.touched == flow.touched
