from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from game.challenge_log.entry import Entry, Kind, Way
from kiosk import events as players
from kiosk.challenge.flow import Step
from kiosk.effects import Judge
from kiosk.facts import Facts, LogLine, LogPage
from kiosk.station.station import apply, next_due, tick
from rules.duration import NS
from tests.kiosk.challenge.making import everything_in
from tests.kiosk.station.playing import Playing, station

WORDS = "QUARTZ ZEPHYR"
LINE = LogLine(6789, "then", Entry(Kind.LOOKUP, 345, words=("QUARTZ", "ZEPHYR"), acceptable=False))


def left_of(played: Playing) -> set[str]:
    """Return what a fresh station does not have: instants left out."""
    fresh = {str(value) for value in everything_in(station().now)}
    instants = {str(played.now.flow.since), str(played.now.flow.touched), str(played.now.door.touched)}
    return {str(value) for value in everything_in(played.now)} - fresh - instants


def judged() -> Playing:
    return station().checking(WORDS, table="345").judged(row=6789, acceptable=False)


def opinion_asked() -> Playing:
    return judged().do(players.SecondOpinion(here=False)).after(1)


def at_the_desk() -> Playing:
    played = (
        opinion_asked()
        .opened()
        .do(players.GoTo(players.JudgeDeskPlace.JUDGE), players.TakeOpinion(345), players.Finish(), players.Type("ZK"), players.Next())
    )
    played.do(
        players.GiveVerdict(acceptable=False),
        players.VerdictWritten(6790),
        players.Settle(),
        players.GoTo(players.JudgeDeskPlace.MENU),
        players.GoTo(players.JudgeDeskPlace.LOG),
    )
    return played.do(players.JudgeDeskAnswer(Facts(log=LogPage((LINE,), None, older=False))))


ENDS: dict[str, Callable[[], Playing]] = {
    "done": lambda: judged().do(players.Done()),
    "cleared": lambda: judged().after(29),
    "knocked": lambda: judged().do(players.KnockAtDoor()).after(29).do(players.Back()),
    "opened": lambda: judged().opened().after(29).do(players.LeaveJudgeDesk()),
    "called": lambda: judged().do(players.CallDirector()).after(120),
    "ruled": lambda: at_the_desk().do(players.LeaveJudgeDesk()).after(120),
    "locked": lambda: at_the_desk().after(300),
}


@pytest.mark.parametrize("end", ENDS)
def test_of_a_challenge_that_is_over_what_may_be_repeated_is_all_that_is_left_and_in_the_end_nothing(end: str) -> None:
    played = ENDS[end]()
    assert (played.now.flow.step, played.now.door.is_closed) == (Step.IDLE, True)
    (may_repeat,) = played.now.flow.open
    repeatable = {"345", "left", "6789", str(may_repeat.until)}
    shown = {"challenger", "challenged", *(str(each.until) for each in played.now.flow.verdicts)}
    assert left_of(played) == repeatable | (shown if played.now.flow.verdicts else set())
    assert left_of(played.after(300)) <= repeatable
    assert left_of(played.after(300)) == set()


def test_a_play_that_waits_for_a_judge_holds_its_words_no_verdict_and_in_the_end_nothing() -> None:
    played = opinion_asked().do(players.Done())
    (waiting,) = played.now.opinions
    letters = set("QUARTZEPHYR")
    assert left_of(played) - letters == {"345", "left", "6789", str(waiting.until), str(played.now.flow.open[0].until)}
    assert left_of(played.after(600)) == set()


def test_a_wrong_pin_leaves_its_digits_nowhere() -> None:
    played = station().do(players.KnockAtDoor(), players.Type("86420"), players.Next())
    assert "86420" not in left_of(played)
    assert "86420" not in left_of(played.do(players.PinChecked(right=False)))
    assert "86420" not in left_of(played.do(players.Type("86420")).after(20))


AT_THE_DOOR: list[players.Event] = [
    players.KnockAtDoor(),
    players.LeaveJudgeDesk(),
    players.KeyTurned(on=True),
    players.KeyTurned(on=False),
    players.PinChecked(right=True),
    players.PinChecked(right=False),
    players.Type("2468"),
    players.Next(),
    players.Back(),
    players.ChooseLanguage("fr"),
    players.Judged(acceptable=True, row=1),
    players.Adjudicate(Way.TAB),
]


@given(st.lists(st.tuples(st.sampled_from(AT_THE_DOOR), st.sampled_from([0, 0.1, 0.4, 3, 9])), max_size=30))
@example([(players.KnockAtDoor(), 0), (players.Back(), 9), (players.KnockAtDoor(), 3)])
def test_visits_at_the_door_do_not_lengthen_a_verdicts_life(done: list[tuple[players.Event, float]]) -> None:
    played = station(verdict_ns=10 * NS).checking(WORDS).do(players.Adjudicate(Way.TAB), players.Judged(acceptable=True, row=4))
    shown = played.at
    for event, seconds in done:
        played.after(seconds).do(event)
        assert played.now.flow.step is (Step.VERDICT if played.at < shown + 10 * NS else Step.IDLE)
    assert len([effect for effect in played.asked if isinstance(effect, Judge)]) == 1


AT_WORK: list[players.Event] = [
    players.Begin(),
    players.Type("7"),
    players.Type("TA"),
    players.Next(),
    players.Finish(),
    players.RepeatIt(),
    players.Mistyped(),
    players.SecondOpinion(here=True),
    players.SecondOpinion(here=False),
    players.Withdraw(),
    players.CallDirector(),
    players.Done(),
    *AT_THE_DOOR,
]


@given(st.lists(st.tuples(st.sampled_from(AT_WORK), st.integers(-3 * NS, 20 * NS)), max_size=60))
def test_time_that_goes_back_or_stands_breaks_nothing_and_the_next_waking_is_always_to_come(done: list[tuple[players.Event, int]]) -> None:
    now, at = judged().now, 2_000 * NS
    for event, by in done:
        at += by
        now, effects = apply(now, event, at)
        assert not [effect for effect in effects if isinstance(effect, Judge)] or isinstance(event, players.Adjudicate)
        now, _ = tick(now, at)
        wakes = next_due(now, at)
        assert wakes is None or wakes > at


@given(st.integers(0, 10**19))
def test_one_tick_is_enough_however_late_it_comes(jump: int) -> None:
    played = at_the_desk()
    now, _ = tick(played.now, played.at + 2000 * NS + jump)
    assert (now.flow.step, now.door.is_closed, now.opinions, now.flow.open) == (Step.IDLE, True, (), ())


def test_a_key_at_the_very_instant_of_clearing_finds_nothing_to_adjudicate() -> None:
    played = station().checking(WORDS)
    played.seconds = (played.now.flow.touched + 180 * NS - 1000 * NS) / NS
    assert played.do(players.Adjudicate(Way.BUTTON)).now.flow.step is Step.IDLE
    assert not [effect for effect in played.asked if isinstance(effect, Judge)]
