"""A monkey at the station: 100,000 events of every kind, by the page's own targets and keys and past them, with time going by and the shell answering."""

import random
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from appliance.errors import Diagnosis
from faults.errors import Phrase
from kiosk import events
from kiosk.challenge.flow import Step
from kiosk.context import Facts, LexiconFile, LogLine, LogPage, RulebookChoice, SelfTestResult, Trouble, TroubleKind
from kiosk.director.door import Doorway, Lock
from kiosk.director.word_judge import Stage
from kiosk.effects import CheckPin, Effect, Judge, WriteVerdict
from kiosk.events import Event
from kiosk.face.page import Page, Tone
from kiosk.face.view import page
from kiosk.keyboards import keyboard
from kiosk.station import Station, apply, begin, next_due, tick
from kiosk.texts import load_texts
from records.entry import Entry, Kind
from rules.duration import NS
from rules.rulebooks import load_rulebook
from tests.examples import examples
from tests.kiosk.challenge.making import context, lexicon_name
from tests.kiosk.challenge.test_monkey import any_event as players_event

EVENTS = 10_000
STANDINGS = (
    context(),
    context("nzasp-2022"),
    replace(context("naspa-2017-collins-5"), lexicon=None, spelling=None, trouble=Trouble(TroubleKind.LEXICON_MISSING, Diagnosis("none"))),
    context("naspa-2014", "spanish", judge_unlogged=True),
)
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
ANSWERS = (events.Judged, events.VerdictNotLogged, events.CannotJudge)


KINDS: tuple[Callable[[random.Random], Event], ...] = (
    lambda _: events.KnockAtDoor(),
    lambda _: events.LeaveJudgeDesk(),
    lambda draw: events.KeyTurned(any_flag(draw)),
    lambda draw: events.PinChecked(draw.random() < 0.3),
    lambda draw: events.JudgeDeskAnswer(draw.choice(FACTS)),
    lambda draw: events.VerdictWritten(any_index(draw)),
    lambda _: events.VerdictNotWritten(Phrase("full")),
    lambda draw: events.GoTo(draw.choice(tuple(events.JudgeDeskPlace))),
    lambda draw: events.TurnPage(draw.choice((1, -1))),
    lambda draw: events.Choose(f"/{any_index(draw)}"),
    lambda _: events.Choose("club"),
    lambda _: events.TakeWanted(),
    lambda _: events.ExportNow(),
    lambda _: events.SelfTestAgain(),
    lambda _: events.TestTouch(),
    lambda draw: events.PointDone(draw.choice((True, False))),
    lambda _: events.QuitNow(),
    lambda _: events.SwitchOffNow(),
    lambda _: events.NewSlip(),
    lambda draw: events.TakeOpinion(any_index(draw)),
    lambda _: events.NoSide(),
    lambda draw: events.GiveVerdict(any_flag(draw)),
    lambda _: events.AskReview(),
    lambda _: events.Settle(),
)
"""Every kind of event at the door and at the desk; only the one that is drawn is made."""


def any_index(draw: random.Random) -> int:
    return draw.randrange(-1, 10)


def any_flag(draw: random.Random) -> bool:
    return draw.random() < 0.5


def any_event(draw: random.Random) -> Event:
    return players_event(draw, draw.choice(STANDINGS)) if draw.random() < 0.6 else draw.choice(KINDS)(draw)


def targets(shown: Page) -> Iterator[Event]:
    rows = (*shown.keyboard, shown.actions, shown.words and [each.choose for each in shown.words], [row.target for row in shown.rows])
    yield from (target.event for row in rows for target in row or () if target is not None)
    yield from shown.keys.values()
    if shown.by_side is not None:
        yield from (target.event for _, target in shown.by_side.items())
    yield from (target.event for target in (shown.door, shown.help, shown.adjudicate and shown.adjudicate[1]) if target)


def see(station: Station, at: int) -> Page:
    spelling = station.flow.context.spelling
    board = () if spelling is None else keyboard("qwerty", spelling.tiles)
    return page(station, at, load_texts, board)


def awaited(station: Station) -> Event | None:
    if station.flow.step is Step.JUDGING:
        return events.Judged(acceptable=True, row=9)
    if station.door.way is Doorway.CHECKING:
        return events.PinChecked(right=False)
    judging = station.judge_desk.judging
    return events.VerdictWritten(9) if judging is not None and judging.stage is Stage.KEEPING else None


def answers(effects: tuple[Effect, ...], draw: random.Random) -> Iterator[Event]:
    for effect in effects:
        match effect:
            case CheckPin(pin):
                yield events.PinChecked(pin == PIN or draw.random() < 0.2)
            case Judge():
                yield events.Judged(draw.random() < 0.5, draw.randrange(1000))
            case WriteVerdict():
                yield events.VerdictWritten(draw.randrange(1000)) if draw.random() < 0.8 else events.VerdictNotWritten(Phrase("full"))


def check_step(before: Station, event: Event, after: Station, effects: tuple[Effect, ...]) -> None:
    """A verdict is asked for by the challenged player's key alone, and the door opens by a right PIN or the key switch alone."""
    if any(isinstance(effect, Judge) for effect in effects):
        assert isinstance(event, events.Adjudicate)
        assert before.flow.step is Step.CHECKING
        assert before.door.is_closed
    if after.door.is_open and not before.door.is_open:
        by_pin = event == events.PinChecked(right=True) and before.door.way is Doorway.CHECKING
        assert by_pin or (after.door.lock.key and after.door.key_on)
    pins = [effect for effect in effects if isinstance(effect, CheckPin)]
    assert all(4 <= len(pin.pin) <= 12 for pin in pins)
    assert not pins or after.door.way is Doorway.CHECKING
    if not (before.door.is_closed or after.door.is_closed or isinstance(event, ANSWERS)):
        # What players have read goes in its time whoever is at the door; what they type stands still.
        read = before.flow.step in {Step.VERDICT, Step.CLOSED, Step.DIRECTOR} and after.flow.step is Step.IDLE
        assert after.flow.words == (() if read else before.flow.words)


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


def test_ten_thousand_events_never_crash_never_judge_without_the_key_and_never_end_dead() -> None:
    seen = set[str]()
    for seed in range(examples(10)):
        seen |= pages_seen(seed)
    everywhere = {"idle", "words", "checking", "verdict", "door.pin", "desk.menu", "desk.log", "desk.name"}
    assert everywhere | {"judge.played", "judge.book", "judge.ruled"} <= seen


def pages_seen(seed: int) -> set[str]:
    draw = random.Random(seed)  # noqa: S311 - a monkey needs no secret
    station, at = begin(draw.choice(STANDINGS), Lock(pin=seed % 3 != 0, key=seed % 2 == 0)), 0
    waiting, seen = list[Event](), set[str]()
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
            event = any_event(draw) if draw.random() < 0.3 else chosen(shown, draw)
        station, effects = apply(before, event, at)
        check_step(before, event, station, effects)
        waiting = [*waiting[-3:], *answers(effects, draw)]
        if number % 500 == 0:
            check_no_dead_end(station, at)
    return seen


def chosen(shown: Page, draw: random.Random) -> Event:
    # The way on counts once more, as it does for players: on most pages there are more ways back.
    way_on = [target.event for target in shown.actions if target.tone is Tone.MAIN]
    return draw.choice([*targets(shown), *way_on, events.Type(draw.choice((PIN, "7", "HEM", "A"))), any_event(draw)])
