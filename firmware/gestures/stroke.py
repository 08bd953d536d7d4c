"""A press in progress or just ended, with its immediate effect, so that a long press or a chord can take it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from firmware.core.game import Game
from firmware.gestures.meaning import Offer
from rules.contact import MS, Contact, Signal
from rules.side import BySide

CHORD_NS: Final = 400 * MS
"""The longest distance between the first edges of both player buttons in a chord."""
LONG_NS: Final = 1000 * MS
MENU_NS: Final = 5000 * MS
"""Both buttons held this long open the director's menu on a two-button board."""
STUCK_NS: Final = 10_000 * MS
"""A button down longer than this is stuck: the longest gesture is ``MENU_NS``."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """One press of a button, or of both player buttons as one. Instants in ns."""

    buttons: tuple[str, ...]
    at: int
    held_from: int
    """The start of the hold time: the first edge, in a chord the second button's."""
    game: Game
    """The game just before the first edge."""
    offer: Offer
    """The offer at that instant."""
    number: int | None
    """The number of the resulting event, or None if it did nothing."""
    holdable: bool = True
    """False: the buttons of a chord were not down together, so it can only be short."""
    stage: int = 0
    """0: short so far; 1: held for 1 s; 2: held for 5 s."""
    over: bool = False

    @property
    def is_chord(self) -> bool:
        """Whether both player buttons are pressed at once."""
        return len(self.buttons) > 1

    @property
    def is_bar(self) -> bool:
        """Whether it acts as the centre bar."""
        return self.is_chord or self.buttons == ("centre",)

    def deadline(self, *, two_button: bool) -> int | None:
        """Return the instant at which the hold gains its next meaning, or None."""
        if self.over or self.stage == 2 or not self.holdable:
            return None
        if self.stage == 0:
            return self.held_from + LONG_NS
        return self.held_from + MENU_NS if self.is_chord and two_button else None


@dataclass(frozen=True, slots=True)
class Hands:
    """All buttons of a board: their contacts and latest strokes."""

    contacts: Mapping[str, Contact] = field(default_factory=dict)
    strokes: Mapping[str, Stroke] = field(default_factory=dict)
    """By button; after a chord both player buttons share one stroke."""
    last: BySide[int | None] = BySide(None, None)  # noqa: RUF009 - a frozen pair
    """The first edge of each player button's last press."""
    spikes: int = 0
    signals: tuple[tuple[str, Signal], ...] = ()
    """Detected presses with their buttons that wait because a contact with an earlier first edge is still bouncing."""

    def contact(self, button: str) -> Contact:
        """Return the state of that button's contact."""
        return self.contacts.get(button, _AT_REST)

    def stuck(self, button: str, at: int) -> bool:
        """Return whether that button has been down longer than any gesture at ``at`` (ns)."""
        contact = self.contact(button)
        return contact.down and contact.began_at is not None and at >= contact.began_at + STUCK_NS


_AT_REST: Final = Contact()
