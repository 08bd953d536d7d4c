"""Events and amounts in the texts' words, for the rows of the menu."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from firmware.core.duration import reading
from firmware.core.events import Adjust, Event, LateStart, StartWindow, Verdict
from firmware.core.record import Record
from firmware.core.wording import word_event
from firmware.texts import Texts


def describe(link: Record, texts: Texts) -> str:
    """Return one event in words, with its number and when it came since the game was set up."""
    began = next(first.at for first in link if first.before is None)
    what = listed(texts.say(f"menu.action.{word_event(link.event)['do']}"), _details(link.event, texts), texts)
    return texts.say("menu.event", number=link.number, minutes=reading(link.at - began), what=what)


def listed(what: str, details: Iterator[str], texts: Texts) -> str:
    """Return ``what`` with its details after it."""
    return reduce(lambda said, detail: texts.say("menu.detail", what=said, detail=detail), details, what)


def signed(ns: int) -> str:
    """Return an amount with its sign: ``+1:00``, ``-0:10``."""
    return reading(ns) if ns < 0 else f"+{reading(ns)}"


def _details(event: Event, texts: Texts) -> Iterator[str]:
    """Yield side, what is particular to the event, and reason, where it has them."""
    side, reason = getattr(event, "side", None), getattr(event, "reason", None)
    if side is not None:
        yield texts.say(f"side.{side}")
    match event:
        case LateStart(side=None):
            yield texts.say("menu.both")
        case Adjust():
            yield signed(event.ns)
            yield texts.say(f"menu.when.{event.when.value}")
        case StartWindow():
            yield texts.say(f"window.{event.name}.title")
        case Verdict():
            yield texts.say("menu.acceptable" if event.acceptable else "menu.unacceptable")
            yield texts.say("menu.word") if event.words == 1 else texts.say("menu.words", count=event.words)
    if reason is not None:
        yield reason
