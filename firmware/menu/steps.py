"""The menu's questions, one step for each page: each lists its options for the game's present state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from firmware.core.director_events import AFTER_THE_END
from firmware.core.events import When
from firmware.core.game import Game, Phase
from firmware.core.record import Record, can_strike
from firmware.menu.describe import describe, signed
from firmware.menu.setup import Setup
from firmware.texts import Texts
from rules.duration import NS, reading
from rules.limits import WORDS_IN_CHALLENGE
from rules.side import Side

UNDO_ROWS: Final = 24
"""The number of events listed, latest first; older ones can be struck from a keyboard only."""
AMOUNTS: Final = tuple(seconds * NS for seconds in (60, 10, 1, -1, -10, -60, 600, -600))


@dataclass(frozen=True, slots=True)
class Option:
    """A row that can be selected, and its value."""

    text: str
    value: Any
    side: Side | None = None
    """The player's button that selects it directly on a full board."""


@dataclass(frozen=True, slots=True)
class Change:
    """An option that changes the amount and stays on the page."""

    ns: int


@dataclass(frozen=True, slots=True)
class Context:
    """What a step's options depend on."""

    record: Record
    game: Game
    """The game at this instant, including timed transitions since the last event."""
    setup: Setup
    amount: int
    """The amount being entered, in ns."""

    @property
    def texts(self) -> Texts:
        """The clock's texts."""
        return self.setup.texts


Options: TypeAlias = Callable[[Context], tuple[Option, ...]]


@dataclass(frozen=True, slots=True)
class MenuQuestion:
    """One question: the key of its text, and its options in the game's present state."""

    title: str
    options: Options
    applies: Callable[[Game], bool] = lambda _: True
    """Whether the question applies in the game's present state."""
    default: Any = None
    """The answer if it does not apply."""


def _sides(context: Context) -> tuple[Option, ...]:
    return tuple(Option(context.texts.say(f"side.{side}"), side, side) for side in Side)


def _absent(context: Context) -> tuple[Option, ...]:
    return (*_sides(context), Option(context.texts.say("menu.both"), None))


def _challengers(context: Context) -> tuple[Option, ...]:
    return (Option(context.texts.say("menu.clock_decides"), None), *_sides(context))


def _amounts(context: Context) -> tuple[Option, ...]:
    # An amount of zero cannot be selected, but its row stays, so that the rows do not move under the cursor.
    nothing = Option(context.texts.say("menu.no_amount"), Change(0))
    return (_accept_amount(context) if context.amount else nothing, *(Option(signed(ns), Change(ns)) for ns in AMOUNTS))


def _extra(context: Context) -> tuple[Option, ...]:
    none = Option(context.texts.say("menu.no_extra"), 0)
    return (_accept_amount(context) if context.amount else none, *(Option(signed(ns), Change(ns)) for ns in AMOUNTS if ns > 0))


def _accept_amount(context: Context) -> Option:
    return Option(context.texts.say("menu.take", amount=signed(context.amount)), context.amount)


def _whens(context: Context) -> tuple[Option, ...]:
    return tuple(Option(context.texts.say(f"menu.when.{when.value}"), when) for when in When)


def _verdicts(context: Context) -> tuple[Option, ...]:
    return (Option(context.texts.say("menu.acceptable"), value=True), Option(context.texts.say("menu.unacceptable"), value=False))


def _words(context: Context) -> tuple[Option, ...]:
    more = (Option(context.texts.say("menu.words", count=count), count) for count in range(2, WORDS_IN_CHALLENGE + 1))
    return (Option(context.texts.say("menu.word"), 1), *more)


def _windows(context: Context) -> tuple[Option, ...]:
    over = context.game.phase is Phase.OVER
    names = (
        name for name in context.game.rulebook.windows if name not in ("out_play", "disconnected") and (not over or name in AFTER_THE_END)
    )
    lengths = context.game.rulebook.windows
    return tuple(Option(f"{context.texts.say(f'window.{name}.title')} {reading(lengths[name])}", name) for name in names)


def _rulebooks(context: Context) -> tuple[Option, ...]:
    titles = [rulebook.title for _, rulebook in context.setup.rulebooks]
    return tuple(
        # If a copy has the same title as the shipped rulebook, show its name as well.
        Option(rulebook.title if titles.count(rulebook.title) == 1 else f"{rulebook.title}: {named}", (named, rulebook))
        for named, rulebook in context.setup.rulebooks
    )


def _words_score(game: Game) -> bool:
    return game.rulebook.challenge.points_a_word > 0


def _events(context: Context) -> tuple[Option, ...]:
    latest = [link for link in context.record if can_strike(link)][:UNDO_ROWS]
    return tuple(Option(describe(link, context.texts), link.number) for link in latest)


def reasons(kind: str, *, may_be_none: bool = False) -> MenuQuestion:
    """Return the step for a reason of that kind."""

    def options(context: Context) -> tuple[Option, ...]:
        none = (Option(context.texts.say("menu.no_reason"), None),) if may_be_none else ()
        return (*none, *(Option(reason, reason) for reason in context.setup.reasons[kind]))

    return MenuQuestion("menu.step.reason", options)


SIDE: Final = MenuQuestion("menu.step.side", _sides)
ABSENT: Final = MenuQuestion("menu.step.absent", _absent)
CHALLENGER: Final = MenuQuestion("menu.step.challenger", _challengers)
AMOUNT: Final = MenuQuestion("menu.step.amount", _amounts)
EXTRA_LEFT: Final = MenuQuestion("menu.step.extra_left", _extra)
EXTRA_RIGHT: Final = MenuQuestion("menu.step.extra_right", _extra)
WHEN: Final = MenuQuestion("menu.step.when", _whens)
VERDICT: Final = MenuQuestion("menu.step.verdict", _verdicts)
WORDS: Final = MenuQuestion("menu.step.words", _words, _words_score, default=1)
WINDOW: Final = MenuQuestion("menu.step.window", _windows)
RULEBOOK: Final = MenuQuestion("menu.step.rulebook", _rulebooks)
EVENT: Final = MenuQuestion("menu.step.event", _events)
