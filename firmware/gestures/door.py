"""The director's door of a two-button board: closed, or asking for the code. Instants in ns of the hands' clock.

The waiting after wrong tries is that of ``appliance.lock``; the shell checks a code that is handed in, because that takes time on purpose.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from rules.duration import NS
from rules.side import Side

ASKING_NS: Final = 20 * NS
"""The door closes this long after the last press."""
LEAST_PRESSES: Final = 4
MOST_PRESSES: Final = 12


@dataclass(frozen=True, slots=True)
class Door:
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
