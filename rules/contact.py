"""One button's contact: from raw edges to presses. The clock's gestures and the station's adjudication key both begin here.

First edge wins, then the contact has to settle: a down edge after 35 ms up begins a press, sooner it is bounce. A press counts from its first edge, and is one
once it has been down for 3 ms on end; a press that never is was a spike (docs/spec/events.md, "Gestures": below 2 ms a spike, from 5 ms a press, between either).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from rules.duration import NS

MS: Final = NS // 1000
PRESS_NS: Final = 3 * MS
"""Down so long on end makes a press."""
REST_NS: Final = 35 * MS
"""Up so long ends it."""
BOUNCE_NS: Final = 30 * MS
"""Bounce lasts no longer than this on the way down, and on the way up."""


@dataclass(frozen=True, slots=True)
class Began:
    """A press has begun, at the instant of its first edge."""

    at: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A press has ended; ``released_at`` is the first edge of letting go."""

    at: int
    released_at: int


@dataclass(frozen=True, slots=True)
class Spike:
    """The contact moved, but nobody pressed."""

    at: int


Signal: TypeAlias = Began | Ended | Spike


@dataclass(frozen=True, slots=True)
class Contact:
    """What is known of one contact. Instants in ns."""

    down: bool = False
    changed_at: int = 0
    """The instant of the last edge."""
    began_at: int | None = None
    """The first edge of the press in progress; None at rest, and for a contact that was down when we came."""
    pressed: bool = False
    released_at: int = 0
    """The first up edge of what may be letting go."""

    @property
    def due(self) -> int | None:
        """The instant (ns) at which the contact ripens into a signal if no edge comes, or None."""
        if self.began_at is None or (self.down and self.pressed):
            return None
        return self.changed_at + (PRESS_NS if self.down else REST_NS)

    def held_for_sure(self, deadline: int) -> int | None:
        """Return the instant from which it is sure that the contact is held at ``deadline`` (ns), or None while it is up.

        A down edge long after the first may be the bounce of letting go: then 30 ms must pass.
        """
        if not self.down or self.began_at is None:
            return None
        settled = self.changed_at <= self.began_at + BOUNCE_NS
        return deadline if settled else max(deadline, self.changed_at + BOUNCE_NS)


def edge(contact: Contact, at: int, *, down: bool) -> Contact:
    """Return the contact after an edge at ``at`` (ns). A level it has already changes nothing."""
    if down is contact.down:
        return contact
    if down:
        begins = contact.began_at is None
        return replace(contact, down=True, changed_at=at, began_at=at if begins else contact.began_at)
    letting_go = contact.released_at > (contact.began_at or 0) and at - contact.released_at <= BOUNCE_NS
    return replace(contact, down=False, changed_at=at, released_at=contact.released_at if letting_go else at)


def ripen(contact: Contact) -> tuple[Contact, Signal]:
    """Return the contact at its ``due`` instant, and what it has become sure of."""
    at = contact.began_at
    if at is None or contact.due is None:
        raise ValueError("expected a contact that is due, found one at rest")
    if contact.down:
        return replace(contact, pressed=True), Began(at)
    signal = Ended(at, contact.released_at) if contact.pressed else Spike(at)
    return Contact(changed_at=contact.changed_at), signal
