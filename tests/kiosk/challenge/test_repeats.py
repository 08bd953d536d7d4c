from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kiosk import events as ev
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import EarlierRow, Flow, Question, Step
from kiosk.challenge.timeouts import Aged, clears_at, next_due, reopened, still_open, tick, verdicts_in
from kiosk.events import Effect, Judge, WriteEntry
from records.entry import Entry, Kind, Way
from rules.side import Side
from tests.kiosk.challenge.making import S, at_checking, at_verdict, at_words, context, key, played, run
from tests.some import some

REPEATED = EarlierRow(Kind.REPEAT, 11, 1, ("CAT", "DOG"))
SAY_IT: tuple[ev.ChallengeEvent, ...] = (ev.Begin(), ev.Type("7"), ev.Next())
"""To the question after the number of table 7."""


def _verdict(**limits: Any) -> Flow:
    return at_verdict(begin(context(**limits)), "CAT", "DOG", row=11)


def _judge_again(flow: Flow, row: int) -> tuple[Flow, tuple[object, ...]]:
    return run(flow, ev.Type("car dog"), ev.Finish(), ev.Adjudicate(Way.TAB), ev.Judged(False, row))


def test_a_mistyped_challenge_is_repeated_with_the_same_table_challenger_and_number_and_shows_nothing_of_the_first() -> None:
    flow = played(_verdict(), ev.RepeatIt())
    assert (flow.step, flow.table, flow.challenger, flow.count) == (Step.WORDS, 7, Side.LEFT, 2)
    assert (flow.words, flow.outcome, flow.link) == (((), ()), None, REPEATED)


@pytest.mark.parametrize(
    ("alphabet", "typed", "allowed"),
    [
        *(
            ("english", slip, True)
            for slip in ("cat dog", "dog cat", "cut dog", "ct dog", "cart dog", "cta dog", "act dog", "cats dog", "dg cat")
        ),
        ("spanish", "llat dog", True),
        *(
            ("english", other, False)
            for other in ("cow dog", "tac dog", "cut dig", "carts dog", "cat cat", "cat emu", "at dogs", "llat dog")
        ),
    ],
)
def test_a_repeat_corrects_one_tile_of_one_word_and_anything_else_is_left_to_the_director(alphabet: str, typed: str, allowed: bool) -> None:
    flow = played(_verdict(alphabet=alphabet), ev.RepeatIt(), ev.Type(typed), ev.Finish())
    assert (flow.step, key(flow)) == ((Step.CHECKING, None) if allowed else (Step.WORDS, "notice.no_slip"))


def test_the_repeat_of_a_repeat_is_linked_to_the_first_look_up_too_and_after_two_only_the_director_helps() -> None:
    once, _ = _judge_again(played(_verdict(repeats=2), ev.RepeatIt()), 12)
    again = played(once, ev.RepeatIt())
    after_opinion = played(once, ev.SecondOpinion(True), ev.Adjudicate(Way.TAB), ev.Judged(True, 13), ev.RepeatIt())
    assert again.link == after_opinion.link == replace(REPEATED, repeats=2)
    twice, _ = _judge_again(again, 13)
    assert (twice.step, twice.open) == (Step.VERDICT, ())
    refused = played(twice, ev.RepeatIt())
    assert (refused.step, key(refused)) == (Step.VERDICT, "notice.no_more_repeats")


def test_a_repeat_stays_open_for_its_table_ten_minutes_from_the_first_verdict() -> None:
    verdict = _verdict(repeats=2)
    (mistyped,) = verdict.open
    assert (mistyped.table, mistyped.until) == (7, verdict.since + 600 * S)
    repeated, _ = _judge_again(played(verdict, ev.RepeatIt()), 12)
    assert repeated.open[0].until == mistyped.until
    idle = played(repeated, ev.Done())
    assert tick(idle, mistyped.until - 1)[0].open
    assert tick(idle, mistyped.until)[0].open == ()


def test_the_question_whether_to_repeat_stays_when_the_time_is_up_and_a_repeat_asked_for_later_is_refused() -> None:
    asked = played(_verdict(idle_s=900), ev.Done(), *SAY_IT)
    flow, _ = tick(asked, asked.open[0].until)
    assert (flow.question, flow.open, flow.verdicts) == (Question.REPEAT, (), ())
    for event, why in ((ev.RepeatIt(), "notice.repeat_closed"), (ev.ShowVerdict(), "notice.verdict_gone")):
        refused, effects = run(flow, event)
        assert (refused.question, key(refused), effects) == (Question.REPEAT, why, ())
    assert key(played(_verdict(repeat_minutes=0), ev.RepeatIt())) == "notice.repeat_closed"


def test_back_out_of_a_repeat_asks_again_which_it_is_and_keeps_what_was_typed_in_the_log_alone() -> None:
    flow, effects = run(played(_verdict(), ev.RepeatIt()), ev.Type("car"), ev.Back())
    assert (flow.step, flow.question, flow.words, flow.link, flow.challenger) == (Step.TABLE, Question.REPEAT, (), None, None)
    assert [(each.entry.kind, each.entry.words, each.entry.first) for each in effects if isinstance(each, WriteEntry)] == [
        (Kind.ABORTED, ("CAR",), 11)
    ]
    assert played(flow, ev.RepeatIt()).link == REPEATED
    assert played(flow, ev.NewChallenge()).question is Question.CHALLENGER


def test_a_second_opinion_here_is_the_same_words_locked_with_the_key_again_linked_and_without_the_first_verdict() -> None:
    flow = played(_verdict(), ev.SecondOpinion(True))
    assert (flow.step, flow.words, flow.outcome) == (Step.CHECKING, (tuple("CAT"), tuple("DOG")), None)
    flow, effects = run(flow, ev.Adjudicate(Way.TOUCH), ev.Judged(True, 12))
    judged = [effect.entry for effect in effects if isinstance(effect, Judge)]
    assert [(entry.kind, entry.first, entry.words, entry.way) for entry in judged] == [(Kind.SECOND_OPINION, 11, ("CAT", "DOG"), Way.TOUCH)]
    assert (flow.step, flow.open) == (Step.VERDICT, _verdict().open)


def test_a_second_opinion_of_a_word_judge_is_kept_with_the_words_and_leaves_the_call_on_the_screen() -> None:
    flow, effects = run(_verdict(), ev.SecondOpinion(False))
    assert (flow.step, flow.table, flow.words, flow.outcome) == (Step.DIRECTOR, 7, (), None)
    # What is left of the play is which row it is: the screen says whom the players wait for.
    assert flow.link == EarlierRow(Kind.OPINION_ASKED, 11, 0)
    assert played(flow, ev.Done()).link is None
    assert [(each.entry.kind, each.entry.words, each.entry.first) for each in effects if isinstance(each, WriteEntry)] == [
        (Kind.OPINION_ASKED, ("CAT", "DOG"), 11)
    ]


@pytest.mark.parametrize(
    "flow",
    [
        played(begin(context()), ev.Begin()),
        played(begin(context()), ev.Begin(), ev.Type("7")),
        played(at_words(begin(context())), ev.Type("cat")),
        at_checking(begin(context()), "CAT"),
        _verdict(),
        played(at_words(begin(context())), ev.Withdraw()),
    ],
    ids=lambda flow: str(flow.step),
)
def test_the_director_is_called_from_any_step_and_the_challenge_stays_as_it_stands(flow: Flow) -> None:
    called, effects = run(flow, ev.CallDirector())
    assert called == flow.replace(calling=True, touched=called.touched, notice=None)
    assert [each.entry.kind for each in effects if isinstance(each, WriteEntry)] == [Kind.DIRECTOR_CALLED]
    assert run(called, ev.CallDirector(), ev.Adjudicate(Way.TAB), ev.Type("dog"), ev.RepeatIt(), ev.Withdraw()) == (called, ())
    back, logged = run(called, ev.Back())
    assert back == flow.replace(since=back.since, touched=back.touched)
    assert logged == ()
    # An idle station has no players who could call.
    assert run(begin(context()), ev.CallDirector()) == (begin(context()), ())


def test_the_help_hides_the_page_and_nothing_acts_behind_it() -> None:
    checking = at_checking(begin(context()), "CAT")
    helped = played(checking, ev.ShowHelp())
    assert helped == checking.replace(helping=True, touched=helped.touched)
    assert run(helped, ev.Adjudicate(Way.TAB), ev.Concede(Side.LEFT), ev.Type("dog")) == (helped, ())
    back = played(helped, ev.Back())
    assert (back.helping, back.step, back.since) == (False, Step.CHECKING, back.touched)
    assert played(helped, ev.CallDirector()).calling


@pytest.mark.parametrize(("rulebook", "here", "judge"), [("naspa-2017", True, True), ("club", True, True), ("nzasp-2022", False, False)])
def test_a_second_opinion_is_given_only_where_the_rulebook_has_one(rulebook: str, *, here: bool, judge: bool) -> None:
    verdict = at_verdict(begin(context(rulebook)), "CAT", "DOG")
    assert (played(verdict, ev.SecondOpinion(here=True)).step is Step.CHECKING) is here
    assert (played(verdict, ev.SecondOpinion(here=False)).step is Step.DIRECTOR) is judge


def _shown_again(flow: Flow) -> tuple[Flow, list[tuple[Kind, int | None, tuple[str, ...], bool | None, int | None]]]:
    now, effects = run(flow, *SAY_IT, ev.ShowVerdict())
    rows = [each.entry for each in effects if isinstance(each, WriteEntry)]
    return now, [(row.kind, row.table, row.words, row.acceptable, row.first) for row in rows]


@pytest.mark.parametrize("acceptable", [True, False])
def test_a_verdict_is_shown_once_more_for_its_table_with_what_follows_and_without_words_and_that_is_logged(*, acceptable: bool) -> None:
    verdict = at_verdict(begin(context()), "CAT", "DOG", row=11, acceptable=acceptable)
    again, rows = _shown_again(played(verdict, ev.Done()))
    assert (again.step, again.table, some(again.again).consequence) == (Step.SHOWN_AGAIN, 7, some(verdict.outcome).consequence)
    assert (again.words, again.outcome, again.challenger, again.link) == ((), None, None, None)
    assert rows == [(Kind.SHOWN_AGAIN, 7, (), acceptable, 11)]


def test_a_verdict_that_is_shown_once_more_stands_as_long_as_the_first_time_and_gives_no_repeat_and_no_opinion() -> None:
    again, _ = _shown_again(played(_verdict(), ev.Done()))
    assert clears_at(again) == again.since + 30 * S
    events = (
        ev.RepeatIt(),
        ev.SecondOpinion(here=True),
        ev.SecondOpinion(here=False),
        ev.RepeatIt(),
        ev.NewChallenge(),
        ev.ShowVerdict(),
        ev.Back(),
        ev.Finish(),
    )
    assert run(again, *events) == (again, ())
    cleared, effects = tick(again, again.since + 30 * S)
    assert (cleared.step, cleared.verdicts, effects) == (Step.IDLE, (), ())


def test_the_question_about_the_last_challenge_wakes_the_screen_each_second_to_show_what_time_is_left() -> None:
    asked = played(_verdict(repeats=0), ev.Done(), *SAY_IT)
    assert (asked.question, asked.open) == (Question.REPEAT, ())
    left = asked.verdicts[0].until - asked.touched
    assert next_due(asked, asked.touched) == asked.touched + (left % S or S)


def test_a_concession_and_a_word_judge_who_is_asked_leave_no_verdict_to_show_and_a_withdrawal_does() -> None:
    idle = played(_verdict(), ev.Done())
    assert played(at_words(idle), ev.Concede(Side.RIGHT)).verdicts == ()
    assert played(_verdict(), ev.SecondOpinion(here=False)).verdicts == ()
    assert played(at_words(idle), ev.Withdraw()).verdicts == idle.verdicts


ENDS = ("verdict", "repeat", "repeats", "opinion", "judge", "again", "last_play", "withdraw", "concede")


class Logged:
    """A flow, and the rows that a shell would have written for it: number, entry, instant."""

    def __init__(self, repeats: int) -> None:
        self.flow: Flow = begin(context(repeats=repeats))
        self.rows: list[tuple[int, Entry, int]] = []
        self.acceptable = False

    def do(self, *events: ev.ChallengeEvent) -> None:
        for event in events:
            at = max(self.flow.touched, self.flow.since) + S
            self.flow, effects = apply(self.flow, event, at)
            for effect in effects:
                self._done(effect, at)

    def _done(self, effect: Effect, at: int) -> None:
        if isinstance(effect, WriteEntry):
            self.rows.append((len(self.rows) + 1, effect.entry, at))
        if isinstance(effect, Judge):
            row = len(self.rows) + 1
            self.rows.append((row, replace(effect.entry, acceptable=self.acceptable), at + S))
            self.do(ev.Judged(self.acceptable, row))

    def challenge(self, table: int, challenger: Side, words: int, end: str) -> None:
        self.flow = at_words(self.flow, table, challenger)
        text = ev.Type(" ".join(["CAT"] * words))
        # Only an acceptable play ends the game.
        self.acceptable = end == "last_play"
        match end:
            case "withdraw":
                self.do(ev.Withdraw())
            case "concede":
                self.do(ev.Concede(challenger))
            case _:
                self.do(text, ev.Finish(), ev.Adjudicate(Way.TAB))
                for _ in range({"repeat": 1, "repeats": 3}.get(end, 0)):
                    self.do(ev.RepeatIt(), text, ev.Finish(), ev.Adjudicate(Way.TAB))
                if end == "last_play":
                    self.do(ev.LastPlay(was_last=True), ev.RepeatIt(), text, ev.Finish(), ev.Adjudicate(Way.TAB))
                if end == "opinion":
                    self.do(ev.SecondOpinion(here=True), ev.Adjudicate(Way.TAB))
                if end == "judge":
                    self.do(ev.SecondOpinion(here=False))
                if end == "again":
                    self.do(ev.Done(), ev.Begin(), ev.Type(str(table)), ev.Next(), ev.ShowVerdict())
        self.do(ev.Done())

    def aged(self, now: int) -> list[Aged]:
        return [Aged(number, entry, now - at) for number, entry, at in self.rows]


@given(
    st.integers(0, 2),
    st.lists(st.tuples(st.integers(1, 3), st.sampled_from(list(Side)), st.integers(1, 3), st.sampled_from(ENDS)), max_size=6),
    st.integers(0, 700),
)
def test_what_is_open_is_found_again_as_it_was_known(repeats: int, challenges: list[tuple[int, Side, int, str]], later: int) -> None:
    logged = Logged(repeats)
    for challenge in challenges:
        logged.challenge(*challenge)
    now = logged.flow.touched + later * S
    found = reopened(logged.aged(now), logged.flow.context.limits, now, lambda _: logged.flow.context.by)
    assert {each.table: each for each in found} == {each.table: each for each in still_open(logged.flow.open, now)}
    shown = verdicts_in(logged.aged(now), now, lambda _: logged.flow.context.by)
    assert {each.table: each for each in shown} == {each.table: each for each in still_open(logged.flow.verdicts, now)}


def test_a_word_judges_verdict_leaves_none_of_the_stations_to_show_and_one_without_its_rulebook_or_list_is_not_shown() -> None:
    by = context().by
    verdict = Entry(Kind.LOOKUP, 7, "left", ("CAT",), acceptable=True)
    manual = Entry(Kind.MANUAL, 7, "left", ("CAT",), acceptable=False)
    assert [each.first for each in verdicts_in([Aged(4, verdict, S)], 9 * S, lambda _: by)] == [4]
    assert verdicts_in([Aged(4, verdict, S), Aged(5, manual, S)], 9 * S, lambda _: by) == ()
    assert verdicts_in([Aged(4, verdict, S)], 9 * S, lambda _: None) == ()
    assert verdicts_in([Aged(4, verdict, 300 * S)], 400 * S, lambda _: by) == ()


def test_rows_that_are_no_look_up_of_that_table_open_and_close_nothing() -> None:
    limits = context().limits
    verdict = Entry(Kind.LOOKUP, 7, "left", ("CAT",), acceptable=True)
    others = (
        Entry(Kind.STARTED),
        Entry(Kind.ABORTED, 7, "right", ("DOG",)),
        Entry(Kind.WITHDRAWN, 7, "right"),
        Entry(Kind.CONCEDED, 8, "left"),
    )
    rows = [Aged(number, entry, 5 * S) for number, entry in enumerate((verdict, *others), 1)]
    (open_,) = reopened(rows, limits, 100 * S, lambda _: None)
    assert (open_.table, open_.challenger, open_.words, open_.first, open_.repeats) == (7, Side.LEFT, ("CAT",), 1, 0)
    assert open_.until == 95 * S + limits.repeat_minutes * 60 * S
    assert reopened([Aged(1, verdict, limits.repeat_minutes * 60 * S)], limits, 100 * S, lambda _: None) == ()
    assert reopened([Aged(1, Entry(Kind.REPEAT, 7, "left", ("CAT",), acceptable=True), S)], limits, 100 * S, lambda _: None) == ()
