"""A whole tournament game as a script of edges for the headless demo, with its pictures.

Instants are seconds from the start; a press lasts 80 ms. The rules are NASPA 2017 with short clocks, so that regulation, overtime, holds, a
challenge, a director's change and the out play take only minutes of game time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from rules.duration import NS, parse_seconds
from rules.side import BySide

PRESS_NS: Final = 80_000_000
CHORD_NS: Final = 200_000_000
"""Both buttons together are the bar after 100 ms."""
CALL_NS: Final = 1_200_000_000
"""A press that calls something: a second, and the time to see it."""
CHALLENGE_NS: Final = 2_200_000_000


@dataclass(frozen=True, slots=True)
class Move:
    """An action at the table, at an instant in ns."""

    at: int
    buttons: tuple[str, ...]
    held: int
    description: str
    """A bystander's description; empty for a part of another action."""


@dataclass(frozen=True, slots=True)
class Look:
    """A picture, at an instant in ns."""

    at: int
    name: str


def _press(t: str, button: str, description: str = "", held: int = PRESS_NS) -> Move:
    return Move(parse_seconds(Decimal(t)), (button,), held, description)


def _both(t: str, description: str) -> Move:
    return Move(parse_seconds(Decimal(t)), ("left", "right"), CHORD_NS, description)


def _look(t: str, name: str) -> Look:
    return Look(parse_seconds(Decimal(t)), name)


_MOVES: Final = (
    _press("5", "right", "Left has seen a tile: right starts left's clock"),
    _press("38.25", "left", "Left ends the turn"),
    _press("61.5", "left", "Right calls hold; left, on hold, holds the own button for a second", CALL_NS),
    _press("79.75", "left", "Right releases the hold; left holds the own button again", CALL_NS),
    _press("95.125", "right", "Right ends the turn"),
    _both("118", "Both buttons: a score discrepancy, the clock stops"),
    _press("140", "right", "Resolved: right starts left's clock"),
    _press("190.5", "left", "Left ends the turn, in overtime"),
    _press("215", "centre", "Right challenges: the bar held for two seconds", CHALLENGE_NS),
    _press("245", "centre", "The station says"),
    _press("247", "centre", "unacceptable:"),
    _press("249", "centre", "the bar held takes the verdict", CALL_NS),
    _press("262", "left", "The play is off: left starts right's clock"),
    _press("290", "centre", "Right has played out and stops the clock"),
    _press("293", "right", "Right holds the own button for a second: who played out?", CALL_NS),
    _press("296", "right", "Right: the out play, from the stop"),
    _press("330", "centre", "Scores agreed: the bar held opens the menu", CALL_NS),
    _press("333", "right", "Down to the recount minute"),
    _press("335", "centre", "and the bar takes it"),
)

_LOOKS: Final = (
    _look("2", "ready"),
    _look("20", "turn"),
    _look("70", "hold"),
    _look("125", "stopped"),
    _look("188", "overtime"),
    _look("230", "challenge"),
    _look("252", "verdict"),
    _look("300", "out-play"),
    _look("320", "over"),
    _look("340", "recount"),
)
ALLOWED: Final[BySide[int | None]] = BySide(80 * NS, 130 * NS)
"""Each side's allowance in ns."""


def steps() -> list[Move | Look]:
    """Return moves and pictures in the order of their instants."""
    return sorted([*_MOVES, *_LOOKS], key=lambda step: step.at)


def edges(move: Move) -> Iterator[tuple[str, int, bool]]:
    """Yield the contact edges (button, instant in ns, down) of a move; two buttons go down 60 ms apart, as by hand."""
    for index, button in enumerate(move.buttons):
        yield button, move.at + index * 60_000_000, True
    for button in move.buttons:
        yield button, move.at + move.held + 60_000_000 * (len(move.buttons) - 1), False
