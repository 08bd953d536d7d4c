"""A press in progress or just gone: what it did at once, so that a long press or a chord can take it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from firmware.core.game import Game
from firmware.gestures.meaning import Offer
from rules.contact import MS, Contact, Signal
from rules.side import BySide

CHORD_NS: Final = 400 * MS
"""First edges of both player buttons at most so far apart are one chord."""
LONG_NS: Final = 1000 * MS
MENU_NS: Final = 5000 * MS
"""Both buttons held so long open the director's menu of a two-button board."""
STUCK_NS: Final = 10_000 * MS
"""Nobody holds a button longer: the longest that means anything is ``MENU_NS``."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One press of a button, or of both player buttons as one. Instants in ns."""

    buttons: tuple[str, ...]
    first: int
    held_from: int
    """Where holding counts from: the first edge, or the second's in a chord."""
    game: Game
    """The game just before the first edge."""
    offer: Offer
    """What was on offer then."""
    number: int | None
    """The number of the event it became, or None where it did nothing."""
    holdable: bool = True
    """Both buttons of a chord were down at once; else it can only be short."""
    stage: int = 0
    """0 short so far, 1 held for 1 s, 2 held for 5 s."""
    over: bool = False

    @property
    def is_chord(self) -> bool:
        """Both player buttons at once."""
        return len(self.buttons) > 1

    @property
    def is_bar(self) -> bool:
        """It plays as the centre bar does."""
        return self.is_chord or self.buttons == ("centre",)

    def deadline(self, *, two_button: bool) -> int | None:
        """Return the instant at which holding on means more, or None."""
        if self.over or self.stage == 2 or not self.holdable:
            return None
        if self.stage == 0:
            return self.held_from + LONG_NS
        return self.held_from + MENU_NS if self.is_chord and two_button else None


@dataclass(frozen=True, slots=True)
class Hands:
    """All buttons of a board: their contacts, and each one's latest stroke."""

    contacts: Mapping[str, Contact] = field(default_factory=dict)
    strokes: Mapping[str, Stroke] = field(default_factory=dict)
    """By button; both player buttons have the same one after a chord."""
    last: BySide[int | None] = BySide(None, None)  # noqa: RUF009 - a frozen pair
    """When each player's button was last pressed: its first edge."""
    spikes: int = 0
    signals: tuple[tuple[str, Signal], ...] = ()
    """Presses that wait, with their buttons: one with an earlier first edge is still bouncing."""

    def contact(self, button: str) -> Contact:
        """Return what is known of that button."""
        return self.contacts.get(button, _AT_REST)

    def stuck(self, button: str, at: int) -> bool:
        """Whether that button has been down for longer than anybody holds one, at ``at`` (ns)."""
        contact = self.contact(button)
        return contact.down and contact.first is not None and at >= contact.first + STUCK_NS


_AT_REST: Final = Contact()
