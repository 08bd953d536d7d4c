"""The players' pages before the words: the idle one, and one for each question."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from appliance.texts import Texts
from kiosk import events as ev
from kiosk.challenge.flow import Flow, Question
from kiosk.challenge.repeats import of_table
from kiosk.context import Trouble
from kiosk.face.page import TOWARDS, Banner, Icon, ListRow, Page, Target, Tone, footer
from kiosk.face.targets import SEPARATOR, back, director, keys, on, pad
from rules.duration import reading
from rules.side import BySide, Side

_ONCE_MORE: Final[Mapping[str, ev.Event]] = {"again": ev.RepeatIt(), "verdict": ev.ShowVerdict()}
_SIDE_KEYS: Final[Mapping[str, ev.Event]] = {"left": ev.ChooseChallenger(Side.LEFT), "right": ev.ChooseChallenger(Side.RIGHT)}


def asking_page(flow: Flow, texts: Texts, now: int) -> Page:
    match flow.question:
        case Question.TABLE:
            return _table(flow, texts)
        case Question.CHALLENGER:
            return _challenger(flow, texts)
        case Question.REPEAT:
            return _repeat(flow, texts, now)
        case Question.LOOKING:
            return _looking(flow, texts)
        case Question.RUNS:
            return _runs(flow, texts)


def _table(flow: Flow, texts: Texts) -> Page:
    actions = (back(texts), director(texts))
    return _number_page("table.table", flow, texts, actions, keys(actions, {"escape": ev.Back()}))


def _number_page(name: str, flow: Flow, texts: Texts, actions: tuple[Target, ...], named: Mapping[str, ev.Event]) -> Page:
    """Return a page with the pad for the table's number, and with the players' sides unless the table's clock is asked."""
    sides = {} if flow.asks_clock else _SIDE_KEYS
    return Page(
        name=name,
        footer=footer(flow.context, texts),
        actions=actions,
        title=texts.say("table.title" if flow.asks_clock else "table.challenger"),
        lines=(texts.say("table.how" if flow.asks_clock else "table.challenger_how"),),
        aside=texts.say("idle.how"),
        entry=flow.digits,
        keyboard=pad(texts, on(texts.say("action.next")) if flow.asks_clock else None),
        by_side=None if flow.asks_clock else _challengers(texts),
        typed=True,
        keys=MappingProxyType({**sides, **named, "return": ev.Next(), "backspace": ev.Erase()}),
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
        keys=keys(actions, {"escape": ev.Back()}),
    )


def _runs(flow: Flow, texts: Texts) -> Page:
    """Say that the table's clock runs (2017 IV.J.1.a). Once it stands, the next question comes by itself."""
    actions = (back(texts), Target("runs.ask", texts.say("runs.ask"), ev.ClockNotRunning(), Icon.CLOCK), director(texts))
    return Page(
        name="table.runs",
        title=texts.say("runs.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("runs.how", table=flow.table),),
        actions=actions,
        keys=keys(actions, {"escape": ev.Back()}),
    )


def _challenger(flow: Flow, texts: Texts) -> Page:
    actions = (back(texts), director(texts))
    return Page(
        name="table.challenger",
        title=texts.say("challenger.title"),
        footer=footer(flow.context, texts),
        lines=(texts.say("challenger.how"),),
        by_side=_challengers(texts),
        actions=actions,
        keys=keys(actions, {**_SIDE_KEYS, "escape": ev.Back()}),
    )


def _challengers(texts: Texts) -> BySide[Target]:
    return BySide(Side.LEFT, Side.RIGHT).map(
        lambda side: Target(f"challenger.{side}", texts.say("challenger.me"), ev.ChooseChallenger(side), TOWARDS.of(side), contested=True)
    )


def _repeat(flow: Flow, texts: Texts, now: int) -> Page:
    """Ask whether this is about the table's last challenge: it is repeated (2017 IV.J.1.j), or its verdict is shown once more."""
    open_, verdict = of_table(flow.open, flow.table), of_table(flow.verdicts, flow.table)
    again = _once_more("again", None if open_ is None else open_.until - now, texts)
    shown = _once_more("verdict", None if verdict is None else verdict.until - now, texts)
    another = Target("repeat.another", texts.say("repeat.another"), ev.NewChallenge(), tone=Tone.MAIN)
    actions = (back(texts), director(texts))
    rows = (again, shown, ListRow(another.text, texts.say("repeat.another_how"), another))
    return Page(
        name="table.repeat",
        title=texts.say("repeat.title"),
        footer=footer(flow.context, texts),
        rows=rows,
        actions=actions,
        keys=keys((*(row.target for row in rows if row.target), *actions), {"return": another.event, "escape": ev.Back()}),
    )


def _once_more(kind: str, left: int | None, texts: Texts) -> ListRow:
    target = Target(f"repeat.{kind}", texts.say(f"repeat.{kind}"), _ONCE_MORE[kind], tone=Tone.OFF if left is None else Tone.PLAIN)
    if left is None:
        return ListRow(target.text, texts.say(f"repeat.{kind}_over"), target)
    how = (texts.say(f"repeat.{kind}_how"), texts.say("repeat.left", left=reading(max(0, left))))
    return ListRow(target.text, SEPARATOR.join(how), target)


_LANGUAGE_KEY: Final = "f11"
"""The key for the next language: a key of its own, as F2 calls the director from a table's first digit on."""


def idle_page(flow: Flow, texts: Texts) -> Page:
    """Return the page of a station at rest: the first digit of a table's number begins a challenge, on a pad that keeps its place."""
    if flow.context.trouble is not None:
        return _shut(flow, flow.context.trouble, texts)
    if flow.joins.digits:
        return _joining(flow, texts)
    advice, asks = flow.context.advice, flow.replace(asks_clock=flow.linked)
    page = _number_page("idle", asks, texts, _languages(flow), _language_keys(flow))
    # The judge desk names the file.
    return page if advice is None or advice.seen else page.replace(notice=texts.say(f"idle.advice.{advice.matter}"))


def _joining(flow: Flow, texts: Texts) -> Page:
    """Return the page of a station at rest that asks the hall to take it in: its code has the room of the pad."""
    begin = Target("begin", texts.say("idle.begin"), ev.Begin(), Icon.RIGHT, Tone.MAIN)
    return Page(
        name="idle.joining",
        title=texts.say("idle.title"),
        footer=footer(flow.context, texts),
        banner=_joins(flow, texts),
        code=flow.joins.code,
        lines=(texts.say("idle.how"),),
        actions=(begin, *_languages(flow)),
        keys=MappingProxyType({"return": ev.Begin(), **_language_keys(flow)}),
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
        actions=_languages(flow),
        keys=_language_keys(flow),
    )


def _joins(flow: Flow, texts: Texts) -> Banner | None:
    asked = flow.joins
    return Banner(texts.say("idle.joins", hall=asked.hall, digits=asked.digits), Icon.PERSON, Tone.WARNING) if asked.digits else None


def _languages(flow: Flow) -> tuple[Target, ...]:
    """Return all languages at fixed places, the next one with the key; the present one is grey, also if there is no other: the pad keeps its place."""
    following = _language_keys(flow).get(_LANGUAGE_KEY)

    def target(language: str, name: str) -> Target:
        icon, tone = (Icon.TICK, Tone.OFF) if language == flow.language else (None, Tone.PLAIN)
        event = ev.ChooseLanguage(language)
        return Target(f"language.{language}", name, event, icon, tone, _LANGUAGE_KEY.upper() if event == following else "")

    return tuple(target(language, name) for language, name in flow.context.languages.items())


def _language_keys(flow: Flow) -> Mapping[str, ev.Event]:
    """Return the key that chooses the language after the present one, round all of them; none if there is no other."""
    codes = tuple(flow.context.languages)
    following = dict(zip(codes, (*codes[1:], *codes[:1]), strict=True)).get(flow.language, flow.language)
    return MappingProxyType({} if following == flow.language else {_LANGUAGE_KEY: ev.ChooseLanguage(following)})
