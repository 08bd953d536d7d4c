"""The players' pages before the words: the idle one, and one for each question."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from appliance.texts import Texts
from kiosk.challenge.flow import Flow, Question
from kiosk.challenge.repeats import open_of, verdict_of
from kiosk.context import Trouble
from kiosk.events import (
    Back,
    Begin,
    ChooseChallenger,
    ChooseCount,
    ChooseLanguage,
    ClockNotRunning,
    ClockRuns,
    ClockStopped,
    Erase,
    Event,
    LastPlay,
    NewChallenge,
    Next,
    RepeatIt,
    ShowVerdict,
)
from kiosk.face.page import Banner, Icon, Page, Target, Tone, footer
from kiosk.face.targets import back, director, keys, on, pad
from kiosk.face.words import TOWARDS, ways, ways_keys
from rules.side import BySide, Side
from rules.tables import WORDS_IN_CHALLENGE

_COUNTS: Final = (range(1, 5), range(5, WORDS_IN_CHALLENGE + 1))


def asking_page(flow: Flow, texts: Texts) -> Page:
    match flow.question:
        case Question.CLOCK:
            return _clock(flow, texts)
        case Question.TABLE:
            return _table(flow, texts)
        case Question.CHALLENGER:
            return _challenger(flow, texts)
        case Question.LAST_PLAY:
            return _last_play(flow, texts)
        case Question.REPEAT:
            return _repeat(flow, texts)
        case Question.COUNT:
            return _count(flow, texts)
        case Question.LOOKING:
            return _looking(flow, texts)
        case Question.RUNS:
            return _runs(flow, texts)


def _clock(flow: Flow, texts: Texts) -> Page:
    """Ask whether the clock is stopped, as anyone who sees it run must (2017 IV.J.1.a)."""
    actions = (
        Target("clock.stopped", texts.say("clock.yes"), ClockStopped(), Icon.TICK, Tone.MAIN),
        Target("clock.runs", texts.say("clock.no"), ClockRuns(), Icon.CLOCK),
        director(texts),
    )
    return Page(
        name="table.clock",
        title=texts.say("clock.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("clock.why"),),
        actions=actions,
        keys=keys(actions, {"return": ClockStopped(), "escape": ClockRuns()}),
    )


def _table(flow: Flow, texts: Texts) -> Page:
    actions = (back(texts), director(texts))
    return Page(
        name="table.table",
        title=texts.say("table.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("table.how"),),
        entry=flow.digits,
        keyboard=pad(on(texts.say("action.next")), texts),
        actions=actions,
        typed=True,
        keys=keys(actions, {"return": Next(), "backspace": Erase(), "escape": Back()}),
    )


def _looking(flow: Flow, texts: Texts) -> Page:
    """Say that the table's clock is asked; it answers, or the players are asked, within a moment."""
    actions = (back(texts), director(texts))
    return Page(
        name="table.looking",
        title=texts.say("looking.title", table=flow.table),
        footer=footer(flow.context, texts),
        lines=(texts.say("judging.wait"),),
        actions=actions,
        keys=keys(actions, {"escape": Back()}),
    )


def _runs(flow: Flow, texts: Texts) -> Page:
    """Say that the table's clock runs (2017 IV.J.1.a). Once it stands, the next question comes by itself."""
    actions = (
        back(texts),
        Target("runs.ask", texts.say("runs.ask"), ClockNotRunning(), Icon.CLOCK),
        director(texts),
    )
    return Page(
        name="table.runs",
        title=texts.say("runs.title", table=flow.table),
        footer=footer(flow.context, texts),
        lines=(texts.say("runs.how"),),
        actions=actions,
        keys=keys(actions, {"escape": Back()}),
    )


def _challenger(flow: Flow, texts: Texts) -> Page:
    """Ask which player challenges: the verdict says who loses what."""
    actions = (back(texts), director(texts))
    return Page(
        name="table.challenger",
        title=texts.say("challenger.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("challenger.how"),),
        by_side=BySide(Side.LEFT, Side.RIGHT).map(
            lambda side: Target(f"challenger.{side}", texts.say("challenger.me"), ChooseChallenger(side), TOWARDS.of(side), contested=True)
        ),
        actions=actions,
        keys=keys(actions, {"left": ChooseChallenger(Side.LEFT), "right": ChooseChallenger(Side.RIGHT), "escape": Back()}),
    )


def _last_play(flow: Flow, texts: Texts) -> Page:
    """Ask whether the game is over if the play stands (2014 V.A, 2017 V.A, V.E, NZ 8.1.1)."""
    actions = (
        Target("last_play.no", texts.say("last_play.no"), LastPlay(was_last=False), Icon.RIGHT, Tone.MAIN),
        Target("last_play.yes", texts.say("last_play.yes"), LastPlay(was_last=True), Icon.TICK),
        back(texts),
        director(texts),
    )
    return Page(
        name="table.last_play",
        title=texts.say("last_play.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("last_play.how"),),
        actions=actions,
        keys=keys(actions, {"return": LastPlay(was_last=False), "escape": Back()}),
    )


def _repeat(flow: Flow, texts: Texts) -> Page:
    """Ask whether this is about the table's last challenge: it is repeated (2017 IV.J.1.j), or its verdict is shown once more."""
    again = Target("repeat.again", texts.say("repeat.again"), RepeatIt(), Icon.REPEAT)
    verdict = Target("repeat.verdict", texts.say("repeat.verdict"), ShowVerdict())
    open_, shown = open_of(flow) is not None, verdict_of(flow) is not None
    actions = (
        *((again,) if open_ else ()),
        *((verdict,) if shown else ()),
        Target("repeat.another", texts.say("repeat.another"), NewChallenge(), Icon.RIGHT),
        back(texts),
        director(texts),
    )
    return Page(
        name="table.repeat",
        title=texts.say("repeat.title"),
        footer=footer(flow.context, texts),
        lines=(*((texts.say("repeat.how"),) if open_ else ()), *((texts.say("repeat.shows"),) if shown else ())),
        actions=actions,
        keys=keys(actions, {"escape": Back()}),
    )


def _count(flow: Flow, texts: Texts) -> Page:
    actions = (back(texts), director(texts), *ways(flow, texts))
    return Page(
        name="table.count",
        title=texts.say("count.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("count.how"),),
        keyboard=tuple(tuple(Target(f"count.{count}", str(count), ChooseCount(count)) for count in row) for row in _COUNTS),
        actions=actions,
        typed=True,
        keys=keys(actions, {**ways_keys(flow), "escape": Back()}),
    )


_FIRST: Final = 2
"""The first function key for languages."""


def idle_page(flow: Flow, texts: Texts) -> Page:
    if flow.context.trouble is not None:
        return _shut(flow, flow.context.trouble, texts)
    advice = flow.context.advice
    begin = Target("begin", texts.say("idle.begin"), Begin(), Icon.RIGHT, Tone.MAIN)
    return Page(
        name="idle",
        title=texts.say("idle.title"),
        footer=footer(flow.context, texts),
        banner=_joins(flow, texts),
        code=flow.joins.code,
        lines=(texts.say("idle.how"),),
        actions=(begin, *_languages(flow, texts)),
        # The judge desk names the file.
        notice=None if advice is None or advice.seen else texts.say(f"idle.advice.{advice.matter}"),
        keys=MappingProxyType({"return": Begin(), **_language_keys(flow)}),
    )


def _shut(flow: Flow, trouble: Trouble, texts: Texts) -> Page:
    """Return the page of a station that cannot judge, with the remedy; the error's own sentence names the file, for the director."""
    return Page(
        name="idle.trouble",
        title=texts.say("idle.shut"),
        footer=footer(flow.context, texts),
        banner=_joins(flow, texts) or Banner(texts.say("idle.call"), Icon.WARNING, Tone.WARNING),
        code=flow.joins.code,
        lines=(texts.say(f"trouble.{trouble.trouble_kind}"),),
        aside=texts.render(trouble.what.sentences),
        actions=_languages(flow, texts),
        keys=_language_keys(flow),
    )


def _joins(flow: Flow, texts: Texts) -> Banner | None:
    """Return what the director compares while the station asks the hall to take it in."""
    asked = flow.joins
    return Banner(texts.say("idle.joins", hall=asked.hall, digits=asked.digits), Icon.PERSON, Tone.WARNING) if asked.digits else None


def _languages(flow: Flow, texts: Texts) -> tuple[Target, ...]:
    return tuple(
        Target(f"language.{language}", texts.say(f"language.{language}"), event, key=key.upper())
        for (key, event), language in zip(_language_keys(flow).items(), _others(flow), strict=True)
    )


def _language_keys(flow: Flow) -> Mapping[str, Event]:
    return MappingProxyType({f"f{number}": ChooseLanguage(language) for number, language in enumerate(_others(flow), _FIRST)})


def _others(flow: Flow) -> tuple[str, ...]:
    return tuple(language for language in flow.context.languages if language != flow.language)
