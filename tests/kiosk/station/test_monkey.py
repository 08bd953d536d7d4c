"""A monkey at stations of several rulebooks and alphabets: events of every kind, by the page's targets and past them, in time, with the shell's answers."""

import random
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from appliance.errors import Diagnosis
from faults.errors import Phrase
from kiosk import events
from kiosk.challenge.flow import Flow, Step
from kiosk.challenge.timeouts import has_words
from kiosk.challenge.writing import lookup_text, tiles_in
from kiosk.context import Facts, LexiconFile, LogLine, LogPage, RulebookChoice, SelfTestResult, Trouble, TroubleKind
from kiosk.director.door import Doorway, Lock
from kiosk.director.judge_desk import JudgeDesk
from kiosk.events import Effect, Event, Judge, TestYourself, WriteEntry, WriteVerdict
from kiosk.face.page import Page, Tone
from kiosk.face.view import page
from kiosk.keyboards import keyboard
from kiosk.station import Station, apply, begin, next_due, tick
from kiosk.texts import load_texts
from lexicon.spelling import Spelling
from records.entry import Entry, Kind, Way
from rules.duration import NS
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.examples import THOROUGH
from tests.kiosk.challenge.making import AMBIGUOUS, context, lexicon_name
from tests.kiosk.face.flows import targets
from tests.kiosk.kept_pin import KEPT_PIN

EVENTS = 40_000 if THOROUGH else 2_500
"""At each station."""
TROUBLE = Trouble(TroubleKind.LEXICON_DAMAGED, Diagnosis("list.dawg: expected a whole file, found a damaged one", "Copy it again"))
STATIONS = {
    "english": context(),
    "new zealand": context("nzasp-2022"),
    "no lexicon": replace(context("naspa-2017-collins-5"), lexicon=None, spelling=None, trouble=TROUBLE),
    "spanish": context("naspa-2014", "spanish", judge_unlogged=True),
    "catalan": context("naspa-2017-collins-5", "catalan"),
    "ambiguous": context("club", AMBIGUOUS, repeats=1, repeat_minutes=1),
    "hasty": context(least_ms=0, idle_s=2, words_s=3, still_there_s=1, verdict_s=1, director_s=1),
}
TEXTS = ("cat", "dog ", "l·l", "é", "1", "12\n", "   ", "\x00\x1b", "ñ", "ABAB", "A\u0301", "\ud800", "[CH]", "x" * 40, "ab cd ef gh " * 9)
FACTS = (
    Facts(
        lexicons=tuple(LexiconFile(f"/{number}", lexicon_name() if number % 2 else None, Phrase("damaged")) for number in range(12)),
        in_use="/1",
    ),
    Facts(rulebooks=tuple(RulebookChoice(name, load_rulebook(name).title) for name in ("club", "naspa-2017"))),
    Facts(
        log=LogPage(
            tuple(LogLine(row, "now", Entry(kind, 3, words=("AA",), acceptable=True)) for row, kind in enumerate(Kind)), None, older=True
        )
    ),
    Facts(findings=(SelfTestResult(Phrase("disk"), fine=True), SelfTestResult(Phrase("log"), fine=False)), result="so"),
)

PIN = "2468"
ANSWERS = (events.Judged, events.CannotJudge)


PLAIN = [each for each in vars(events).values() if isinstance(each, type) and issubclass(each, Event) and not each.__struct_fields__]
"""What needs no values."""
KINDS: tuple[Callable[[random.Random], Event], ...] = (
    *(lambda _, plain=plain: plain() for plain in PLAIN if plain not in (Event, events.ChallengeEvent)),
    lambda draw: events.Type(draw.choice(TEXTS)),
    lambda draw: events.TypeTile(draw.choice(("A", "CH", "QU", "0", "5", "??"))),
    lambda draw: events.ChooseChallenger(draw.choice(tuple(Side))),
    lambda draw: events.LastPlay(any_flag(draw)),
    lambda draw: events.ChooseWord(any_index(draw)),
    lambda draw: events.RemoveWord(any_index(draw)),
    lambda draw: events.Adjudicate(draw.choice(tuple(Way))),
    lambda draw: events.Concede(draw.choice(tuple(Side))),
    lambda draw: events.SecondOpinion(any_flag(draw)),
    lambda draw: events.ChooseLanguage(draw.choice(("fr", "xx"))),
    lambda draw: events.Judged(any_flag(draw), 5),
    lambda _: events.Judged(acceptable=True, row=None),
    lambda _: events.CannotJudge(TROUBLE),
    lambda draw: events.SetContext(draw.choice(tuple(STATIONS.values()))),
    lambda draw: events.KeyTurned(any_flag(draw)),
    lambda draw: events.JudgeDeskAnswer(draw.choice(FACTS)),
    lambda draw: events.VerdictWritten(any_index(draw)),
    lambda _: events.VerdictWritten(None, Phrase("full")),
    lambda draw: events.GoTo(draw.choice(tuple(events.JudgeDeskPlace))),
    lambda draw: events.TurnPage(draw.choice((1, -1))),
    lambda draw: events.Choose(f"/{any_index(draw)}"),
    lambda _: events.Choose("club"),
    lambda draw: events.PointDone(draw.choice((True, False))),
    lambda draw: events.Choose(str(any_index(draw))),
    lambda _: events.ChooseChallenger(None),
    lambda draw: events.GiveVerdict(any_flag(draw)),
)
"""Every kind of event; only the one that is drawn is made."""


def any_index(draw: random.Random) -> int:
    return draw.randrange(-1, 10)


def any_flag(draw: random.Random) -> bool:
    return draw.random() < 0.5


def see(station: Station, at: int) -> Page:
    spelling = station.flow.context.spelling
    board = () if spelling is None else keyboard("qwerty", spelling.tiles)
    return page(station, at, load_texts, board)


def awaited(station: Station) -> Event | None:
    if station.flow.step is Step.JUDGING:
        return events.Judged(acceptable=True, row=9)
    judging = station.judge_desk.judging
    return events.VerdictWritten(9) if judging is not None and judging.pending_verdict is not None else None


def answers(effects: tuple[Effect, ...], draw: random.Random) -> Iterator[Event]:
    for effect in effects:
        match effect:
            case Judge():
                yield events.Judged(draw.random() < 0.5, draw.randrange(1000))
            case WriteVerdict():
                yield events.VerdictWritten(draw.randrange(1000)) if draw.random() < 0.8 else events.VerdictWritten(None, Phrase("full"))


def check_step(before: Station, event: Event, after: Station, effects: tuple[Effect, ...]) -> None:
    """A verdict is asked for by the challenged player's key alone, and the door opens by a right PIN or the key switch alone."""
    judged = any(isinstance(effect, Judge) for effect in effects)
    check_flow(before.flow, event, after.flow, judged=judged)
    check_words(after.flow)
    if judged:
        assert isinstance(event, events.Adjudicate)
        assert before.flow.step is Step.CHECKING
        assert before.door.is_closed
    if after.door.is_open and not before.door.is_open:
        by_pin = (before.door.way, before.door.digits) == (Doorway.ASKING, PIN) and isinstance(event, events.Next | events.Finish)
        assert by_pin or (after.door.lock.key and after.door.key_on)
    if not (before.door.is_closed or after.door.is_closed or isinstance(event, ANSWERS)):
        # What players have read goes in its time whoever is at the door; what they type stands still.
        read = before.flow.step in {Step.VERDICT, Step.CLOSED, Step.DIRECTOR} and after.flow.step is Step.IDLE
        assert after.flow.words == (() if read else before.flow.words)


def check_flow(before: Flow, event: Event, now: Flow, *, judged: bool) -> None:
    """A verdict is there after the key alone, and shown again once; the question whether anybody is there hides a challenge as it stands."""
    assert not judged or (len(before.words) == before.count and not before.still_there)
    assert not now.still_there or ((has_words(now) or now.link is not None) and (now.step, now.words) == (before.step, before.words))
    assert (now.step is Step.JUDGING) is (judged or before.step is now.step is Step.JUDGING)
    if now.step is Step.VERDICT:
        assert before.step is Step.VERDICT or (before.step is Step.JUDGING and isinstance(event, ANSWERS))
        return
    assert now.step is Step.CLOSED or now.outcome is None or now.outcome.entry.acceptable is None
    assert now.step is Step.SHOWN_AGAIN or now.again is None
    assert {each.table for each in now.verdicts} <= {each.table for each in before.verdicts}
    if now.step is Step.SHOWN_AGAIN is not before.step:
        assert now.table in {each.table for each in before.verdicts} - {each.table for each in now.verdicts}


def check_words(flow: Flow) -> None:
    """The words are of the alphabet's tiles, and what both players check are words."""
    assert len(flow.words) <= 8
    assert flow.step is not Step.WORDS or 0 <= flow.chosen < len(flow.words)
    spelling = flow.context.spelling
    if spelling is None:
        return
    for word in flow.words:
        assert set(lookup_text(word)) <= characters(spelling) | set("[]")
        assert tiles_in(word, spelling) <= 15
        assert flow.step not in {Step.CHECKING, Step.JUDGING, Step.VERDICT} or 2 <= len(spelling.codes(lookup_text(word))) <= 15


@cache
def characters(spelling: Spelling) -> set[str]:
    return {character for text in (*spelling.tiles, *spelling.typed) for character in text}


def check_no_dead_end(station: Station, at: int) -> None:
    """Left alone, with the shell's answers, the station is idle again and its door closed; its page says what can be done."""
    answer = awaited(station)
    assert answer is not None or any(targets(see(station, at)))
    while answer is not None:
        station, _ = apply(station, answer, at)
        answer = awaited(station)
    for _ in range(3):
        at += 1000 * NS
        station, _ = tick(station, at)
    assert (station.flow.step, station.door.is_closed, station.opinions) == (Step.IDLE, True, ())
    while (instant := next_due(station, at)) is not None:
        assert instant > at
        at = instant
        station, _ = tick(station, at)


@pytest.mark.parametrize("name", STATIONS)
def test_a_monkey_never_breaks_the_station_nor_gets_stuck_nor_sees_a_verdict_without_the_challenged_players_key(name: str) -> None:
    draw = random.Random(name)  # noqa: S311 - a monkey needs no secret
    lock = Lock(KEPT_PIN if name != "catalan" else "", key=name in {"english", "catalan"})
    station, at, waiting, seen = begin(STATIONS[name], lock), 0, list[Event](), set[str]()
    for number in range(EVENTS):
        at += int(draw.choice((0, 0.01, 0.3, 0.6, 1, 3)) * NS) if draw.random() < 0.995 else 400 * NS
        before, ticked = station, tick(station, at)
        check_step(before, events.Done(), *ticked)
        before = ticked[0]
        if waiting and draw.random() < 0.9:
            event = waiting.pop()
        else:
            shown = see(before, at)
            seen.add(shown.name)
            event = draw.choice(KINDS)(draw) if draw.random() < 0.2 else chosen(shown, draw)
        station, effects = apply(before, event, at)
        check_step(before, event, station, effects)
        waiting = [*waiting[-3:], *answers(effects, draw)]
        if number % 500 == 0:
            check_no_dead_end(station, at)
    assert {"idle", "words", "checking", "verdict", "desk.menu"} <= seen


def test_no_event_leads_from_a_new_stations_test_to_another_place_of_the_desk() -> None:
    draw = random.Random("first test")  # noqa: S311 - a monkey needs no secret
    new, at = begin(context(), Lock(KEPT_PIN), first_test=True), 0
    station, seen, ends = new, set[tuple[str, bool]](), set[str]()
    for _ in range(EVENTS):
        shown = see(station, at)
        seen.add((shown.name, shown.point is None))
        at += int(draw.choice((0, 0.3, 3)) * NS) if draw.random() < 0.995 else 400 * NS
        event = chosen(shown, draw) if draw.random() < 0.7 else draw.choice(KINDS)(draw)
        station, effects = apply(station, event, at)
        assert {type(effect) for effect in effects} <= {TestYourself, WriteEntry}
        if station.door.is_closed:
            assert station.judge_desk == JudgeDesk()
            ends.add(type(event).__name__)
            station, at = new, 0
            continue
        assert station.door.way is Doorway.FIRST_TEST
        desk = station.judge_desk
        assert (desk.place, desk.judging, desk.wanted) == (events.JudgeDeskPlace.SELF_TEST, None, None)
    assert seen == {("desk.self_test", False), ("desk.self_test", True), ("help", True)}
    assert {"Back", "LeaveJudgeDesk"} < ends, "and what came 400 s later"


def chosen(shown: Page, draw: random.Random) -> Event:
    if shown.name == "door.pin" and draw.random() < 0.5:
        return events.Next() if shown.entry else events.Type(PIN)
    # Mostly the way on, as it is for players: on most pages there are more ways back.
    all_ = list(targets(shown))
    way_on = [target.event for target in all_ if target.tone is Tone.MAIN]
    typed = events.Type(draw.choice((PIN, "7 ", "HEM", "A")))
    return draw.choice([*way_on, typed] if draw.random() < 0.4 else [*(target.event for target in all_), *shown.keys.values(), typed])
