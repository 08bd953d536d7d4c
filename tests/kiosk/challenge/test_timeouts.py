from typing import Any

import pytest
from msgspec.structs import replace

from appliance.errors import Diagnosis
from game.challenge_log.entry import Kind, Way
from kiosk import events as ev
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import Flow, Notice, Open, Step
from kiosk.challenge.timeouts import asks_at, clears_at, next_due, tick
from kiosk.context import Trouble, TroubleKind
from kiosk.effects import WriteEntry
from rules.side import Side
from tests.kiosk.challenge.making import S, at_checking, at_verdict, at_words, context, everything_in, played, run

WORDS = ("QUARTZ", "ZEPHYR")
TROUBLE = Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("damaged"))
KNOWN = frozenset({"context", "open", "own", "verdicts"})
"""What the station stands like, and what a table may do about its last challenge."""


def _flow(**limits: Any) -> Flow:
    return begin(context(**limits))


def _typing(**limits: Any) -> Flow:
    return played(at_words(_flow(**limits), table=345), ev.ChooseLanguage("fr"), ev.Type("quartz"))


def _checking() -> Flow:
    return played(at_checking(_flow(), *WORDS, table=345), ev.ChooseLanguage("fr"))


def _verdict(**limits: Any) -> Flow:
    return played(at_verdict(_flow(**limits), *WORDS, table=345, row=6789), ev.ChooseLanguage("fr"))


CLEARED: list[tuple[Flow, tuple[ev.ChallengeEvent, ...]]] = [
    (played(_flow(), ev.ChooseLanguage("fr"), ev.Begin(), ev.Type("345")), (ev.Back(), ev.Back())),
    (_typing(), (ev.Back(),) * 6),
    (_checking(), (ev.Back(),) * 7),
    (played(_verdict(), ev.SecondOpinion(True)), (ev.Back(),)),
    (_verdict(), (ev.Done(),)),
    (played(_typing(), ev.Withdraw()), (ev.Done(),)),
    (played(_verdict(), ev.CallDirector()), (ev.Back(), ev.Done())),
    (played(_checking(), ev.Adjudicate(Way.TAB)), (ev.CannotJudge(TROUBLE),)),
    (played(_verdict(), ev.Mistyped(), ev.Type("quartz")), (ev.Back(), ev.Back(), ev.Back(), ev.Back())),
]
IDS = ["table", "words", "checking", "second opinion", "verdict", "closed", "director", "judging", "repeat"]


@pytest.mark.parametrize(("flow", "events"), CLEARED, ids=IDS)
def test_of_a_challenge_that_is_over_nothing_is_left_in_the_state(flow: Flow, events: tuple[ev.ChallengeEvent, ...]) -> None:
    clears = clears_at(flow)
    ends = [played(flow, *events)] if clears is None else [played(flow, *events), tick(flow, clears)[0]]
    for idle in ends:
        assert (idle.step, idle.language, idle.notice) == (Step.IDLE, "en", None)
        assert (idle.open, idle.verdicts) == (flow.open, flow.verdicts)
        left = [value for value in everything_in(idle, KNOWN) if value not in {None, "", 0, idle.since, idle.touched}]
        assert left == [idle.step, idle.question, "en"]
        assert idle == Flow(idle.context, since=idle.since, touched=idle.touched, open=idle.open, verdicts=idle.verdicts)


@pytest.mark.parametrize("flow", [CLEARED[0][0], at_words(_flow()), CLEARED[5][0]], ids=["table", "no words yet", "closed"])
def test_a_page_without_words_that_nobody_touches_clears_after_45_s_and_not_a_nanosecond_before(flow: Flow) -> None:
    assert asks_at(flow) is None
    assert clears_at(flow) == flow.touched + 45 * S
    assert tick(flow, flow.touched + 45 * S - 1) == (flow, ())
    assert tick(flow, flow.touched + 45 * S)[0].step is Step.IDLE


TYPED: dict[str, Flow] = {
    "words": _typing(),
    "checking": _checking(),
    "back at the number": played(_typing(), ev.Back()),
    "ways out": played(_typing(), ev.ShowWaysOut()),
    "help": played(_checking(), ev.ShowHelp()),
    "call": played(_typing(), ev.CallDirector()),
    "second opinion": played(_verdict(), ev.SecondOpinion(True)),
    "repeat": played(_verdict(), ev.Mistyped(), ev.Type("quartz")),
}


@pytest.mark.parametrize("name", TYPED)
def test_words_that_nobody_touches_are_kept_two_minutes_then_asked_after_and_one_touch_goes_on_exactly_there(name: str) -> None:
    flow = TYPED[name]
    assert asks_at(flow) == flow.touched + 120 * S
    assert tick(flow, flow.touched + 120 * S - 1) == (flow, ())
    asking, effects = tick(flow, flow.touched + 120 * S)
    assert (asking, effects) == (flow.replace(still_there=True), ())
    back, logged = run(asking, ev.Back(), gap=170 * S)
    assert (back, logged) == (flow.replace(since=back.since, touched=flow.touched + 170 * S), ())
    assert asks_at(back) == back.touched + 120 * S


@pytest.mark.parametrize("name", TYPED)
def test_nobody_answers_within_a_minute_and_the_challenge_is_aborted_and_logged_and_not_a_nanosecond_before(name: str) -> None:
    flow = TYPED[name]
    ends = flow.touched + 180 * S
    asking, _ = tick(flow, ends - 1)
    assert asking == flow.replace(still_there=True)
    for before in (asking, flow):
        idle, effects = tick(before, ends)
        assert (idle.step, idle.words, idle.still_there) == (Step.IDLE, (), False)
        assert [effect.entry.kind for effect in effects if isinstance(effect, WriteEntry)] == [Kind.ABORTED]


def test_while_it_asks_whether_anybody_is_there_nothing_is_typed_answered_or_adjudicated() -> None:
    for flow in (_typing(), _checking()):
        asking, _ = tick(flow, flow.touched + 120 * S)
        events = (
            ev.Type("x"),
            ev.Finish(),
            ev.Withdraw(),
            ev.Concede(Side.LEFT),
            ev.CallDirector(),
            ev.ShowHelp(),
            ev.ChooseLanguage("es"),
            ev.Done(),
        )
        assert run(asking, *events) == (asking, ())


@pytest.mark.parametrize("way", list(Way))
def test_a_key_to_adjudicate_only_says_that_somebody_is_there_and_counts_again_after_half_a_second(way: Way) -> None:
    flow = _checking()
    asking, _ = tick(flow, flow.touched + 120 * S)
    back, effects = run(asking, ev.Adjudicate(way))
    assert (back.step, back.still_there, effects) == (Step.CHECKING, False, ())
    assert run(back, ev.Adjudicate(way), gap=S // 2 - 1)[0].step is Step.CHECKING
    assert run(back, ev.Adjudicate(way), gap=S // 2)[0].step is Step.JUDGING


@pytest.mark.parametrize(
    ("limits", "flow", "asks"),
    [
        ({"words_ns": 300 * S}, _typing, 300),
        ({"idle_ns": 600 * S}, _typing, 600),
        ({"director_ns": 10 * S}, lambda **limits: played(_typing(**limits), ev.CallDirector()), 120),
        # The repeat that players asked for is theirs before its first letter too.
        ({}, lambda **_: played(at_verdict(begin(context()), "CAT"), ev.Mistyped()), 120),
        ({"director_ns": 900 * S}, lambda **limits: played(_typing(**limits), ev.CallDirector()), 900),
    ],
)
def test_typed_words_are_kept_as_long_as_the_longest_time_that_applies(limits: Any, flow: Any, asks: int) -> None:
    waiting = flow(**limits)
    assert asks_at(waiting) == waiting.touched + asks * S


def test_a_touch_starts_the_two_minutes_anew_and_what_makes_no_sense_does_not() -> None:
    typing = _typing()
    later, _ = apply(typing, ev.Type("a"), typing.touched + 44 * S)
    assert asks_at(later) == typing.touched + 164 * S
    assert asks_at(apply(typing, ev.Done(), typing.touched + 44 * S)[0]) == asks_at(typing)


@pytest.mark.parametrize(("flow", "first"), [(_typing(), None), (_checking(), None), (played(_verdict(), ev.SecondOpinion(True)), 6789)])
def test_words_that_were_typed_and_cleared_are_kept_in_the_log_as_aborted(flow: Flow, first: int | None) -> None:
    _, effects = tick(flow, flow.touched + 180 * S)
    (kept,) = [effect.entry for effect in effects if isinstance(effect, WriteEntry)]
    assert (kept.kind, kept.table, kept.words[0], kept.acceptable, kept.first) == (Kind.ABORTED, 345, "QUARTZ", None, first)


def test_a_table_number_alone_is_kept_nowhere() -> None:
    flow = CLEARED[0][0]
    assert tick(flow, flow.touched + 45 * S)[1] == ()
    assert run(flow, ev.Back(), ev.Back())[1] == ()


def test_a_verdict_clears_30_s_after_it_came_up_whatever_is_touched_and_is_in_the_log_already() -> None:
    verdict = _verdict()
    assert clears_at(verdict) == verdict.since + 30 * S
    assert tick(verdict, verdict.since + 30 * S - 1) == (verdict, ())
    assert tick(verdict, verdict.since + 30 * S)[1] == ()


def test_nothing_clears_a_verdict_in_its_first_half_second_whatever_the_settings() -> None:
    flow = at_verdict(_flow(verdict_ns=1), "CAT")
    assert clears_at(flow) == flow.since + S // 2


def test_the_call_for_the_director_that_hides_no_words_stands_two_minutes() -> None:
    called = played(at_words(_flow()), ev.CallDirector())
    assert clears_at(called) == called.touched + 120 * S
    assert tick(called, called.touched + 120 * S)[0].step is Step.IDLE


def test_a_language_chosen_on_the_idle_screen_goes_away_too() -> None:
    flow = played(_flow(), ev.ChooseLanguage("fr"))
    cleared, _ = tick(flow, flow.touched + 45 * S)
    assert (cleared.notice, cleared.language, clears_at(cleared)) == (None, "en", None)


def test_the_station_wakes_for_each_of_the_last_ten_seconds_and_when_it_clears_and_for_nothing_before() -> None:
    verdict = _verdict(verdict_ns=15 * S)
    now, woken = verdict.since, list[int]()
    while (wake := next_due(verdict.replace(open=(), verdicts=()), now)) is not None and wake > now:
        woken.append(wake - verdict.since)
        now = wake
    assert woken == [second * S for second in range(5, 16)]


def test_the_station_wakes_to_ask_whether_anybody_is_there_and_then_for_each_second_that_it_counts_down() -> None:
    flow = _typing()
    assert next_due(flow, flow.touched) == flow.touched + 120 * S
    now, woken = flow.touched + 120 * S, list[int]()
    asking, _ = tick(flow, now)
    while (wake := next_due(asking, now)) is not None and wake > now:
        woken.append(wake - flow.touched)
        now = wake
    assert woken == [second * S for second in range(121, 181)]


def test_the_station_wakes_when_a_challenge_can_no_longer_be_repeated_or_its_verdict_shown_again() -> None:
    idle = played(_verdict(), ev.Done())
    assert next_due(idle.replace(verdicts=()), idle.touched) == idle.open[0].until
    assert next_due(idle, idle.touched) == idle.verdicts[0].until
    assert tick(idle, idle.verdicts[0].until - 1) == (idle, ())
    assert tick(idle, idle.verdicts[0].until)[0].verdicts == ()


def test_what_is_due_already_wakes_the_station_at_once() -> None:
    verdict = _verdict()
    assert next_due(verdict, verdict.since + 40 * S) == verdict.since + 30 * S


def test_a_station_that_stands_differently_while_it_shows_a_notice_still_clears_it() -> None:
    flow = replace(_flow(), notice=Notice("notice.clock_first"), open=(Open(1, Side.LEFT, 1, 1, 0, 5 * S, None, None),))
    assert tick(flow, 45 * S)[0] == begin(context()).replace(context=flow.context, since=45 * S, touched=45 * S)
