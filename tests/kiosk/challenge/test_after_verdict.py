"""After the verdict: the repeat of a mistyped challenge, second opinions, the director."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from game.challenge_log.entry import Kind, Way
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import EarlierRow, Flow, Question, Step
from kiosk.challenge.timeouts import clears_at, tick
from kiosk.effects import Judge, Role, WriteEntry
from kiosk.events import (
    Adjudicate,
    Back,
    Begin,
    CallDirector,
    ChallengeEvent,
    ClockStopped,
    Concede,
    Done,
    Erase,
    Finish,
    Judged,
    Mistyped,
    NewChallenge,
    Next,
    RepeatIt,
    SecondOpinion,
    SetContext,
    ShowHelp,
    ShowVerdict,
    Type,
    VerdictNotLogged,
    Withdraw,
)
from kiosk.facts import SentVerdict
from rules.rulebooks.model import RestartRule
from rules.side import Side
from tests.kiosk.challenge.making import S, at_checking, at_verdict, at_words, context, played, run

SAY_IT: tuple[ChallengeEvent, ...] = (Begin(), ClockStopped(), Type("7"), Next())
"""To the question after the number of table 7."""


def _verdict(**limits: Any) -> Flow:
    return at_verdict(begin(context(**limits)), "CAT", "DOG", row=11)


def _judge_again(flow: Flow, row: int) -> tuple[Flow, tuple[object, ...]]:
    return run(flow, Type("car dog"), Finish(), Adjudicate(Way.TAB), Judged(False, row))


def _key(flow: Flow) -> str | None:
    return None if flow.notice is None else flow.notice.key


def test_a_mistyped_challenge_is_repeated_with_the_same_table_challenger_and_number_and_shows_nothing_of_the_first() -> None:
    flow = played(_verdict(), Mistyped())
    assert (flow.step, flow.table, flow.challenger, flow.count) == (Step.WORDS, 7, Side.LEFT, 2)
    assert (flow.words, flow.outcome, flow.link) == (((), ()), None, EarlierRow(Kind.REPEAT, 11, 1))


def test_a_repeat_needs_the_challenged_players_key_again_and_is_linked_to_the_first_look_up() -> None:
    _, effects = _judge_again(played(_verdict(), Mistyped()), 12)
    judged = [effect.entry for effect in effects if isinstance(effect, Judge)]
    assert [(entry.kind, entry.first, entry.words) for entry in judged] == [(Kind.REPEAT, 11, ("CAR", "DOG"))]


def test_the_repeat_of_a_repeat_is_linked_to_the_first_look_up_too_and_after_two_only_the_director_helps() -> None:
    once, _ = _judge_again(played(_verdict(), Mistyped()), 12)
    again = played(once, Mistyped())
    assert again.link == EarlierRow(Kind.REPEAT, 11, 2)
    twice, _ = _judge_again(again, 13)
    assert (twice.step, twice.open) == (Step.VERDICT, ())
    refused = played(twice, Mistyped())
    assert (refused.step, _key(refused)) == (Step.VERDICT, "notice.no_more_repeats")


def test_no_repeat_where_the_director_allows_none() -> None:
    assert _key(played(_verdict(repeats=0), Mistyped())) == "notice.no_more_repeats"


def test_a_repeat_stays_open_for_its_table_ten_minutes_from_the_first_verdict() -> None:
    verdict = _verdict()
    (mistyped,) = verdict.open
    assert (mistyped.table, mistyped.until) == (7, verdict.since + 600 * S)
    repeated, _ = _judge_again(played(verdict, Mistyped()), 12)
    assert repeated.open[0].until == mistyped.until
    idle = played(repeated, Done())
    assert tick(idle, mistyped.until - 1)[0].open
    assert tick(idle, mistyped.until)[0].open == ()


def test_the_question_whether_to_repeat_goes_away_when_the_time_is_up() -> None:
    asked = played(_verdict(idle_ns=900 * S), Done(), *SAY_IT)
    assert asked.question is Question.REPEAT
    assert tick(asked, asked.verdicts[0].until)[0].question is Question.REPEAT
    flow, _ = tick(asked, asked.open[0].until)
    assert (flow.question, _key(flow)) == (Question.CHALLENGER, "notice.repeat_closed")


def test_a_repeat_asked_for_too_late_is_refused() -> None:
    verdict = _verdict(repeat_ns=S)
    assert _key(played(verdict, Mistyped())) == "notice.repeat_closed"


def test_what_may_be_repeated_holds_nothing_of_the_words_or_the_verdict() -> None:
    (mistyped,) = _verdict().open
    assert {field.name for field in fields(mistyped)} == {
        "table",
        "challenger",
        "count",
        "first",
        "repeats",
        "until",
        "last_play",
        "by",
        "sent",
    }
    assert {field.name for field in fields(SentVerdict)} == {"id", "to", "at", "answer", "reason"}


def test_another_tables_challenge_leaves_a_repeat_open_and_the_next_one_of_the_same_table_closes_it() -> None:
    other = at_verdict(played(_verdict(), Done()), "EMU", table=8, row=12)
    assert [each.table for each in other.open] == [7, 8]
    same = at_verdict(played(other, Done()), "GNU", table=7, row=13)
    assert [(each.table, each.first) for each in same.open] == [(8, 12), (7, 13)]


def test_a_challenge_conceded_closes_its_tables_repeat_and_one_withdrawn_came_to_nothing_and_leaves_it_open() -> None:
    idle = played(_verdict(), Done())
    assert played(at_words(idle), Concede(Side.RIGHT)).open == ()
    assert played(at_words(idle), Withdraw()).open == idle.open


def test_a_new_challenge_that_came_to_nothing_leaves_the_repeat_open() -> None:
    words = at_words(played(_verdict(), Done()))
    flow, _ = tick(words, words.touched + 180 * S)
    assert (flow.step, len(flow.open)) == (Step.IDLE, 1)


def test_back_out_of_a_repeat_asks_again_which_it_is_and_keeps_what_was_typed_in_the_log_alone() -> None:
    flow, effects = run(played(_verdict(), Mistyped()), Type("car"), Back())
    assert (flow.step, flow.question, flow.words, flow.link, flow.challenger) == (Step.TABLE, Question.REPEAT, (), None, None)
    assert [(each.entry.kind, each.entry.words, each.entry.first) for each in effects if isinstance(each, WriteEntry)] == [
        (Kind.ABORTED, ("CAR",), 11)
    ]
    assert played(flow, RepeatIt()).link == EarlierRow(Kind.REPEAT, 11, 1)
    assert played(flow, NewChallenge()).question is Question.CHALLENGER


def test_words_typed_before_it_turned_out_to_be_a_repeat_are_kept_as_aborted() -> None:
    words = played(at_words(played(_verdict(), Done())), Type("emu"))
    flow, effects = run(words, Back(), Back(), Back(), Back(), RepeatIt())
    assert (flow.words, [each.entry.words for each in effects if isinstance(each, WriteEntry)]) == (((), ()), [("EMU",)])


def test_a_first_look_up_that_could_not_be_logged_may_be_repeated_without_a_row_to_link_to() -> None:
    judging = played(at_checking(begin(context(judge_unlogged=True)), "CAT"), Adjudicate(Way.TAB))
    assert played(judging, VerdictNotLogged(True, "full"), Mistyped()).link == EarlierRow(Kind.REPEAT, None, 1)


def test_a_second_opinion_here_is_the_same_words_locked_with_the_key_again_linked_and_without_the_first_verdict() -> None:
    flow = played(_verdict(), SecondOpinion(True))
    assert (flow.step, flow.words, flow.outcome) == (Step.CHECKING, (tuple("CAT"), tuple("DOG")), None)
    flow, effects = run(flow, Adjudicate(Way.TOUCH), Judged(True, 12))
    judged = [effect.entry for effect in effects if isinstance(effect, Judge)]
    assert [(entry.kind, entry.first, entry.words, entry.way) for entry in judged] == [(Kind.SECOND_OPINION, 11, ("CAT", "DOG"), Way.TOUCH)]
    assert (flow.step, flow.open) == (Step.VERDICT, _verdict().open)


def test_back_cancels_a_second_opinion_the_words_cannot_be_changed_for_it() -> None:
    flow, effects = run(played(_verdict(), SecondOpinion(True)), Back())
    assert (flow.step, flow.words) == (Step.IDLE, ())
    assert [(each.entry.kind, each.entry.first) for each in effects if isinstance(each, WriteEntry)] == [(Kind.ABORTED, 11)]


def test_after_a_second_opinion_a_mistyped_word_may_still_be_repeated_as_often_as_before() -> None:
    repeated, _ = _judge_again(played(_verdict(), Mistyped()), 12)
    flow = played(repeated, SecondOpinion(True), Adjudicate(Way.TAB), Judged(True, 13), Mistyped())
    assert flow.link == EarlierRow(Kind.REPEAT, 11, 2)


def test_a_second_opinion_of_a_word_judge_is_kept_with_the_words_and_leaves_the_call_on_the_screen() -> None:
    flow, effects = run(_verdict(), SecondOpinion(False))
    assert (flow.step, flow.table, flow.words, flow.outcome) == (Step.DIRECTOR, 7, (), None)
    # What is left of the play is which row it is: the screen says whom the players wait for.
    assert flow.link == EarlierRow(Kind.OPINION_ASKED, 11, 0)
    assert played(flow, Done()).link is None
    assert [(each.entry.kind, each.entry.words, each.entry.first) for each in effects if isinstance(each, WriteEntry)] == [
        (Kind.OPINION_ASKED, ("CAT", "DOG"), 11)
    ]


@pytest.mark.parametrize(
    "flow",
    [
        played(begin(context()), Begin()),
        played(begin(context()), Begin(), ClockStopped(), Type("7")),
        played(at_words(begin(context())), Type("cat")),
        at_checking(begin(context()), "CAT"),
        _verdict(),
        played(at_words(begin(context())), Withdraw()),
    ],
    ids=lambda flow: str(flow.step),
)
def test_the_director_is_called_from_any_step_and_the_challenge_stays_as_it_stands(flow: Flow) -> None:
    called, effects = run(flow, CallDirector())
    assert called == flow.replace(calling=True, touched=called.touched, notice=None)
    assert [each.entry.kind for each in effects if isinstance(each, WriteEntry)] == [Kind.DIRECTOR_CALLED]
    assert run(called, CallDirector(), Adjudicate(Way.TAB), Type("dog"), Mistyped(), Withdraw()) == (called, ())
    back, logged = run(called, Back())
    assert back == flow.replace(since=back.since, touched=back.touched)
    assert logged == ()


def test_the_finger_that_goes_back_from_the_call_is_no_adjudication_key_and_a_verdict_is_read_anew() -> None:
    checking = played(at_checking(begin(context()), "CAT"), CallDirector(), Back())
    assert run(checking, Adjudicate(Way.TOUCH), gap=1)[0].step is Step.CHECKING
    read = played(_verdict(), CallDirector(), Back())
    assert read.since == read.touched


def test_the_help_hides_the_page_and_nothing_acts_behind_it() -> None:
    checking = at_checking(begin(context()), "CAT")
    helped = played(checking, ShowHelp())
    assert helped == checking.replace(helping=True, touched=helped.touched)
    assert run(helped, Adjudicate(Way.TAB), Concede(Side.LEFT), Type("dog")) == (helped, ())
    back = played(helped, Back())
    assert (back.helping, back.step, back.since) == (False, Step.CHECKING, back.touched)
    assert played(helped, CallDirector()).calling


@pytest.mark.parametrize(("rulebook", "here", "judge"), [("naspa-2017", True, True), ("club", True, True), ("nzasp-2022", False, False)])
def test_a_second_opinion_is_given_only_where_the_rulebook_has_one(rulebook: str, *, here: bool, judge: bool) -> None:
    verdict = at_verdict(begin(context(rulebook)), "CAT", "DOG")
    assert (played(verdict, SecondOpinion(here=True)).step is Step.CHECKING) is here
    assert (played(verdict, SecondOpinion(here=False)).step is Step.DIRECTOR) is judge


def test_nobody_calls_the_director_from_an_idle_station() -> None:
    assert run(begin(context()), CallDirector()) == (begin(context()), ())


def _shown_again(flow: Flow) -> tuple[Flow, list[tuple[Kind, int | None, tuple[str, ...], bool | None, int | None]]]:
    """Return the flow in which table 7 asks for its verdict once more, and the rows of that."""
    now, effects = run(flow, *SAY_IT, ShowVerdict())
    rows = [each.entry for each in effects if isinstance(each, WriteEntry)]
    return now, [(row.kind, row.table, row.words, row.acceptable, row.first) for row in rows]


@pytest.mark.parametrize("acceptable", [True, False])
def test_a_verdict_is_shown_once_more_for_its_table_with_what_follows_and_without_words_and_that_is_logged(*, acceptable: bool) -> None:
    verdict = at_verdict(begin(context()), "CAT", "DOG", row=11, acceptable=acceptable)
    assert verdict.outcome is not None
    again, rows = _shown_again(played(verdict, Done()))
    assert again.again is not None
    assert (again.step, again.table, again.again.consequence) == (Step.SHOWN_AGAIN, 7, verdict.outcome.consequence)
    assert (again.words, again.outcome, again.challenger, again.link) == ((), None, None, None)
    assert rows == [(Kind.SHOWN_AGAIN, 7, (), acceptable, 11)]


def test_once_means_once_and_the_challenge_may_still_be_repeated_as_before() -> None:
    idle = played(_verdict(), Done())
    again, _ = _shown_again(idle)
    left = played(again, Done())
    assert (left.step, left.verdicts, left.again, left.open) == (Step.IDLE, (), None, idle.open)
    asked = played(left, *SAY_IT)
    assert asked.question is Question.REPEAT
    assert played(asked, ShowVerdict()).step is Step.TABLE


def test_a_verdict_that_is_shown_once_more_stands_as_long_as_the_first_time_and_gives_no_repeat_and_no_opinion() -> None:
    again, _ = _shown_again(played(_verdict(), Done()))
    assert clears_at(again) == again.since + 30 * S
    events = (Mistyped(), SecondOpinion(here=True), SecondOpinion(here=False), RepeatIt(), NewChallenge(), ShowVerdict(), Back(), Finish())
    assert run(again, *events) == (again, ())
    cleared, effects = tick(again, again.since + 30 * S)
    assert (cleared.step, cleared.verdicts, effects) == (Step.IDLE, (), ())


def test_a_verdict_may_be_shown_once_more_for_five_minutes_and_no_longer() -> None:
    idle = played(_verdict(), Done())
    (last,) = idle.verdicts
    assert last.until == _verdict().since + 300 * S
    asked = played(idle, *SAY_IT)
    late, effects = apply(asked, ShowVerdict(), last.until)
    assert (late.step, _key(late), effects) == (Step.TABLE, "notice.verdict_gone", ())
    assert apply(asked, ShowVerdict(), last.until - 1)[0].step is Step.SHOWN_AGAIN
    assert tick(idle, last.until)[0].verdicts == ()


def test_another_table_is_not_asked_and_is_shown_nothing() -> None:
    other = played(_verdict(), Done(), Begin(), ClockStopped(), Type("8"), Next())
    assert other.question is Question.CHALLENGER
    assert run(other, ShowVerdict()) == (other, ())
    back = played(other, Back(), Erase(), Type("7"), Next())
    assert back.question is Question.REPEAT
    elsewhere = played(back, Back(), Erase(), Type("8"), Next())
    assert run(elsewhere, ShowVerdict()) == (elsewhere, ())


def test_where_a_challenge_may_not_be_repeated_any_more_its_verdict_alone_is_offered_until_its_time_is_up() -> None:
    asked = played(_verdict(repeats=0, idle_ns=900 * S), Done(), *SAY_IT)
    assert (asked.question, asked.open) == (Question.REPEAT, ())
    flow, _ = tick(asked, asked.verdicts[0].until)
    assert (flow.question, _key(flow)) == (Question.CHALLENGER, "notice.verdict_gone")


def test_the_last_verdict_of_the_chain_is_the_one_that_is_shown() -> None:
    repeated, _ = _judge_again(played(_verdict(), Mistyped()), 12)
    opinion = played(repeated, SecondOpinion(here=True), Adjudicate(Way.TAB), Judged(True, 13))
    for flow, acceptable in ((repeated, False), (opinion, True)):
        assert [(each.table, each.consequence.acceptable, each.first) for each in flow.verdicts] == [(7, acceptable, 11)]


def test_a_concession_and_a_word_judge_who_is_asked_leave_no_verdict_to_show_and_a_withdrawal_does() -> None:
    idle = played(_verdict(), Done())
    assert played(at_words(idle), Concede(Side.RIGHT)).verdicts == ()
    assert played(_verdict(), SecondOpinion(here=False)).verdicts == ()
    assert played(at_words(idle), Withdraw()).verdicts == idle.verdicts


def test_words_typed_before_the_verdict_was_asked_for_are_kept_as_aborted_and_gone() -> None:
    words = played(at_words(played(_verdict(), Done())), Type("emu"))
    now, effects = run(words, Back(), Back(), Back(), Back(), ShowVerdict())
    assert now.words == ()
    assert [each.entry.kind for each in effects if isinstance(each, WriteEntry)] == [Kind.ABORTED, Kind.SHOWN_AGAIN]


def test_a_verdict_is_shown_once_more_under_the_rulebook_it_was_given_by() -> None:
    idle = played(_verdict(), Done(), SetContext(context("nzasp-2022")))
    again, _ = _shown_again(idle)
    assert (again.context.rulebook.id, again.station.rulebook.id) == ("naspa-2017", "nzasp-2022")
    assert played(again, Done()).context.rulebook.id == "nzasp-2022"


def test_what_may_be_shown_once_more_holds_nothing_of_the_words() -> None:
    (last,) = _verdict().verdicts
    assert {field.name for field in fields(last)} == {"table", "consequence", "first", "until", "by", "to"}
    assert {type(getattr(last.consequence, field.name)) for field in fields(last.consequence)} <= {bool, int, Role, RestartRule, type(None)}
