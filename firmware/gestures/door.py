"""The director's door of a two-button board: closed, or asking for the code. Instants in ns of the hands' clock.

The waiting after wrong tries is that of ``appliance.lock``; the shell checks a code that is handed in, because that takes time on purpose.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from faults.errors import TileclockError
from rules.duration import NS
from rules.side import Side

ASKING_NS: Final = 20 * NS
"""The door closes this long after the last press."""
LEAST_PRESSES: Final = 4
MOST_PRESSES: Final = 12


class BadCode(TileclockError, ValueError):
    """The text is not a valid code."""


def parse_code(text: str) -> tuple[Side, ...]:
    """Return the presses of a code written as L and R.

    Raises:
        BadCode: it does not have 4 to 12 of them, or has other letters.
    """
    sides = {"L": Side.LEFT, "R": Side.RIGHT}
    presses = tuple(sides.get(letter) for letter in text.strip().upper())
    if None in presses or not LEAST_PRESSES <= len(presses) <= MOST_PRESSES:
        raise BadCode(expected="a code of 4 to 12 letters, L for left and R for right", found="something else", remedy="Choose another")
    return tuple(press for press in presses if press is not None)


@dataclass(frozen=True, slots=True)
class CodeDoor:
    """The code's page, open."""

    closes_at: int
    """It closes by itself at this instant."""
    entered: tuple[Side, ...] = field(default=(), repr=False)
    """The presses so far; the face shows as many dots."""
    checking: bool = False
    """The code is handed in; the shell answers before any other press."""
    wrong: bool = False
    """The last code was wrong."""
    shut_until: int | None = None
    """No code is taken before this instant; None: no wait."""
