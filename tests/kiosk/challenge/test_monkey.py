"""100,000 random events: never an exception, never a dead end, never a verdict without the challenged player's key, never a letter of no tile."""

from functools import cache, lru_cache
from random import Random

import pytest
from msgspec.structs import replace

from appliance.errors import Diagnosis
from kiosk import events as ev
from kiosk.challenge.apply import apply, begin
from kiosk.challenge.flow import Flow, Question, Step, TypedWord
from kiosk.challenge.timeouts import clears_at, has_words, next_due, tick
from kiosk.challenge.writing import lookup_text, tiles_in
from kiosk.context import StationContext, Trouble, TroubleKind
from kiosk.effects import Effect, Judge
from lexicon.spelling import Spelling
from records.entry import Way
from rules.side import Side
from tests.examples import examples
from tests.kiosk.challenge.making import AMBIGUOUS, S, context, field_names
from tests.kiosk.challenge.test_apply import verdicts_in

TROUBLE = Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("list.dawg: expected a whole file, found a damaged one", "Copy it again"))
_TEXTS = ("cat", "dog ", "l·l", "é", "1", "12\n", "   ", "\x00\x1b", "ñ", "ABAB", "A\u0301", "\ud800", "[CH]", "x" * 40, "ab cd ef gh " * 9)

_PLAIN = (
    ev.Begin(),
    ev.Erase(),
    ev.Next(),
    ev.RepeatIt(),
    ev.NewChallenge(),
    ev.ShowVerdict(),
    ev.AddWord(),
    ev.Finish(),
    ev.Back(),
    ev.ShowWaysOut(),
    ev.Withdraw(),
    ev.RepeatIt(),
    ev.CallDirector(),
    ev.ShowHelp(),
    ev.Done(),
    ev.SecondOpinion(here=True),
    ev.SecondOpinion(here=False),
    ev.ChooseLanguage("fr"),
    ev.ChooseLanguage("xx"),
)


def any_event(random: Random, of: StationContext) -> ev.ChallengeEvent:
    tiles = of.spelling.tiles if of.spelling is not None else ()
    kinds = (
        lambda: random.choice(_PLAIN),
        lambda: ev.Type(random.choice(_TEXTS)),
        lambda: ev.TypeTile(random.choice((*tiles, "0", "5", "??"))),
        lambda: ev.ChooseChallenger(random.choice(list(Side))),
        lambda: ev.LastPlay(random.random() < 0.3),
        lambda: ev.ChooseWord(random.randint(-1, 8)),
        lambda: ev.RemoveWord(random.randint(-1, 8)),
        lambda: ev.Adjudicate(random.choice(list(Way))),
        lambda: ev.Concede(random.choice(list(Side))),
        lambda: _answer(random),
        lambda: ev.SetContext(random.choice((of, of, replace(of, trouble=TROUBLE), context("nzasp-2022")))),
    )
    event: ev.ChallengeEvent = random.choices(kinds, weights=(8, 5, 4, 2, 2, 1, 1, 3, 1, 1, 1))[0]()
    return event


def _answer(random: Random) -> ev.ChallengeEvent:
    return random.choice(
        (ev.Judged(random.random() < 0.5, random.randint(1, 99)), ev.VerdictNotLogged(True, "full"), ev.CannotJudge(TROUBLE))
    )


def way_on(random: Random, asks: ev.ChallengeEvent | None) -> ev.ChallengeEvent | None:
    """Return ``asks`` most of the time, so that a monkey gets somewhere."""
    return asks if random.random() < 0.7 else None


EVENTS = 17_000
"""A monkey's; there are six of them."""

STATIONS = {
    "english": context(),
    "spanish": context("nzasp-2022", "spanish", judge_unlogged=True),
    "catalan": context("naspa-2017-collins-5", "catalan"),
    "ambiguous": context("club", AMBIGUOUS, repeats=1, repeat_ns=30 * S),
    "ambiguous, no repeats": context("naspa-2012", AMBIGUOUS, repeats=0),
    "hasty": context(least_ns=0, idle_ns=2 * S, words_ns=3 * S, still_there_ns=S, verdict_ns=S, director_ns=S),
}

_WAY_ON: dict[Step | Question, tuple[ev.ChallengeEvent, ...]] = {
    Step.IDLE: (ev.Begin(),),
    Question.TABLE: (ev.Type("7"), ev.Next(), ev.ChooseChallenger(Side.RIGHT)),
    Question.REPEAT: (ev.RepeatIt(), ev.NewChallenge(), ev.ShowVerdict()),
    Question.CHALLENGER: (ev.ChooseChallenger(Side.LEFT),),
    Step.WORDS: (ev.Type("ta"), ev.Type("tat"), ev.Next(), ev.Finish(), ev.TypeTile("A"), ev.TypeTile("CH")),
    Step.CHECKING: (ev.Adjudicate(Way.TAB),),
    Step.JUDGING: (ev.Judged(acceptable=True, row=5), ev.Judged(acceptable=False, row=6), ev.VerdictNotLogged(acceptable=True, why="full")),
    Step.VERDICT: (ev.LastPlay(was_last=True), ev.RepeatIt(), ev.SecondOpinion(here=True), ev.SecondOpinion(here=False), ev.Done()),
    Step.SHOWN_AGAIN: (ev.Done(), ev.RepeatIt(), ev.SecondOpinion(here=True), ev.Back()),
    Step.CLOSED: (ev.Done(),),
    Step.DIRECTOR: (ev.Done(),),
}


def _event(random: Random, flow: Flow) -> ev.ChallengeEvent:
    forward = _WAY_ON[flow.question if flow.step is Step.TABLE else flow.step]
    return way_on(random, random.choice(forward)) or any_event(random, flow.context)


def _mended(flow: Flow, station: StationContext) -> Flow:
    """A station in trouble judges nothing any more, until the director repairs it."""
    return apply(flow, ev.SetContext(station), flow.touched)[0] if flow.context.trouble is not None and flow.step is Step.IDLE else flow


def _hold_what_must(before: Flow, event: ev.ChallengeEvent, now: Flow, effects: tuple[Effect, ...]) -> None:
    judged = any(isinstance(effect, Judge) for effect in effects)
    key = isinstance(event, ev.Adjudicate) and before.step is Step.CHECKING and len(before.words) == before.count
    assert not judged or (key and not before.still_there)
    assert not now.still_there or ((has_words(now) or now.link is not None) and now == before)
    assert (now.step is Step.JUDGING) is (judged or before.step is now.step is Step.JUDGING)
    if now.step is not Step.VERDICT:
        assert now.step in {Step.CLOSED, Step.SHOWN_AGAIN} or _verdicts(before, now) == []
        assert now.step is Step.SHOWN_AGAIN or now.again is None
        # Once: whatever is shown again is gone, and nothing but a verdict brings one.
        assert set(_of_tables(now)) <= set(_of_tables(before))
        if now.step is not before.step and now.step is Step.SHOWN_AGAIN:
            assert now.table in _of_tables(before)
            assert now.table not in _of_tables(now)
    elif before.step is not Step.VERDICT:
        assert before.step is Step.JUDGING
        assert isinstance(event, ev.Judged | ev.VerdictNotLogged)
    _hold_words(now)


def _of_tables(flow: Flow) -> list[int]:
    return [each.table for each in flow.verdicts]


def _verdicts(before: Flow, now: Flow) -> list[bool]:
    """Return the verdicts in the flow. What the station knows beside the challenge is large: it is looked through only where it is another."""
    # What may be shown once more is not in sight.
    known = {"verdicts", *({"context", "own"} if now.context is before.context else ())}
    return verdicts_in(tuple(getattr(now, name) for name in field_names(Flow) if name not in known))


def _hold_words(flow: Flow) -> None:
    spelling = flow.context.spelling
    assert spelling is not None
    characters = _characters(spelling)
    assert len(flow.words) <= 8
    assert flow.step is not Step.WORDS or 0 <= flow.chosen < len(flow.words)
    for word in flow.words:
        assert set(lookup_text(word)) <= characters | set("[]")
        assert _tiles(word, spelling) <= 15
    if flow.step in {Step.CHECKING, Step.JUDGING, Step.VERDICT}:
        assert len(flow.words) == flow.count
        assert all(2 <= _length(word, spelling) <= 15 for word in flow.words)


# A word stands for many events.
_tiles = lru_cache(tiles_in)


@lru_cache
def _length(word: TypedWord, spelling: Spelling) -> int:
    return len(spelling.codes(lookup_text(word)))


@cache
def _characters(spelling: Spelling) -> set[str]:
    return {character for text in (*spelling.tiles, *spelling.typed) for character in text}


def _leads_to_idle(flow: Flow, at: int) -> None:
    for _ in range(3):
        clears = clears_at(flow)
        if clears is None:
            break
        wakes = next_due(flow, at)
        assert wakes is not None
        assert wakes <= clears
        flow, _ = tick(flow, clears)
    assert flow.step in {Step.IDLE, Step.JUDGING}


@pytest.mark.parametrize("name", STATIONS)
def test_a_monkey_never_breaks_the_flow_nor_gets_stuck_nor_sees_a_verdict_without_the_challenged_players_key(name: str) -> None:
    random, station = Random(name), STATIONS[name]  # noqa: S311 - a monkey keeps no secrets
    flow, at, seen = begin(station), 0, set[Step]()
    for count in range(examples(4 * EVENTS)):
        at += random.choice((1, S // 10, S // 2, S, 3 * S, 50 * S) if count % 9 == 0 else (S // 10, S // 2, S))
        ticked, effects = tick(_mended(flow, station), at)
        assert not any(isinstance(effect, Judge) for effect in effects)
        event = _event(random, ticked)
        flow, effects = apply(ticked, event, at)
        _hold_what_must(ticked, event, flow, effects)
        seen.add(flow.step)
        if count % 7 == 0:
            _leads_to_idle(flow, at)
    rule = station.rulebook.challenge
    closed = {Step.CLOSED} if rule.may_withdraw or rule.may_concede else set()
    judge_asked = {Step.DIRECTOR} if rule.review == "judges" else set()
    assert seen == set(Step) - {Step.CLOSED, Step.DIRECTOR} | closed | judge_asked
