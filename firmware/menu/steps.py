"""What the menu asks, one step a page: each step lists its options where the game stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from firmware.core.direction import AFTER_THE_END
from firmware.core.duration import NS, reading
from firmware.core.events import When
from firmware.core.game import Phase
from firmware.core.record import Record, strikable
from firmware.core.side import Side
from firmware.core.wording import word_event
from firmware.menu.setup import Setup

MOST_WORDS: Final = 8
UNDO_ROWS: Final = 24
"""So many of the latest events are listed; older ones can be struck from a keyboard only."""
AMOUNTS: Final = tuple(seconds * NS for seconds in (60, 10, 1, -1, -10, -60, 600, -600))


@dataclass(frozen=True, slots=True)
class Option:
    """One row that can be taken, and the value it stands for."""

    text: str
    value: Any
    side: Side | None = None
    """The player's button that takes it at once, on a full board."""


@dataclass(frozen=True, slots=True)
class Change:
    """A value of an amount page that changes the amount and stays on the page."""

    ns: int


Options: TypeAlias = Callable[[Record, Setup, int], tuple[Option, ...]]


@dataclass(frozen=True, slots=True)
class Step:
    """One question: the key of its text, and its options for (record, setup, amount in the making)."""

    title: str
    options: Options


def _sides(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
    return tuple(Option(setup.texts.say(f"side.{side}"), side, side) for side in Side)


def _absent(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
    return (*_sides(record, setup, amount), Option(setup.texts.say("menu.both"), None))


def _challengers(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
    return (Option(setup.texts.say("menu.clock_decides"), None), *_sides(record, setup, amount))


def _amounts(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
    take = Option(setup.texts.say("menu.take", amount=signed(amount)), amount)
    return (take, *(Option(signed(ns), Change(ns)) for ns in AMOUNTS))


def _whens(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
    return tuple(Option(setup.texts.say(f"menu.when.{when.value}"), when) for when in When)


def _verdicts(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
    return (Option(setup.texts.say("menu.acceptable"), value=True), Option(setup.texts.say("menu.unacceptable"), value=False))


def _words(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
    more = (Option(setup.texts.say("menu.words", count=count), count) for count in range(2, MOST_WORDS + 1))
    return (Option(setup.texts.say("menu.word"), 1), *more)


def _windows(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
    over = record.game.phase is Phase.OVER
    names = (name for name in record.game.rulebook.windows if name != "out_play" and (not over or name in AFTER_THE_END))
    lengths = record.game.rulebook.windows
    return tuple(Option(f"{setup.texts.say(f'window.{name}.title')} {reading(lengths[name])}", name) for name in names)


def _rulebooks(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
    return tuple(Option(named, (named, rulebook)) for named, rulebook in setup.rulebooks)


def _events(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
    latest = [link for link in record if strikable(link)][:UNDO_ROWS]
    return tuple(Option(describe(link, setup), link.number) for link in latest)


def describe(link: Record, setup: Setup) -> str:
    """Return one event in words, with its number and when it came since the game was set up."""
    began = next(first.at for first in link if first.before is None)
    said = word_event(link.event)
    what = " ".join(str(value) for value in said.values())
    return setup.texts.say("menu.event", number=link.number, minutes=reading(link.at - began), what=what)


def signed(ns: int) -> str:
    """Return an amount with its sign: ``+1:00``, ``-0:10``."""
    return reading(ns) if ns < 0 else f"+{reading(ns)}"


def reasons(kind: str, *, may_be_none: bool = False) -> Step:
    """Return the step that asks for a reason of that kind."""

    def options(record: Record, setup: Setup, amount: int) -> tuple[Option, ...]:
        none = (Option(setup.texts.say("menu.no_reason"), None),) if may_be_none else ()
        return (*none, *(Option(reason, reason) for reason in setup.reasons[kind]))

    return Step("menu.step.reason", options)


SIDE: Final = Step("menu.step.side", _sides)
ABSENT: Final = Step("menu.step.absent", _absent)
CHALLENGER: Final = Step("menu.step.challenger", _challengers)
AMOUNT: Final = Step("menu.step.amount", _amounts)
EXTRA_LEFT: Final = Step("menu.step.extra_left", _amounts)
EXTRA_RIGHT: Final = Step("menu.step.extra_right", _amounts)
WHEN: Final = Step("menu.step.when", _whens)
VERDICT: Final = Step("menu.step.verdict", _verdicts)
WORDS: Final = Step("menu.step.words", _words)
WINDOW: Final = Step("menu.step.window", _windows)
RULEBOOK: Final = Step("menu.step.rulebook", _rulebooks)
EVENT: Final = Step("menu.step.event", _events)
