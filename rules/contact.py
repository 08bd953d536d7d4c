"""One button's contact: from raw edges to presses. Used by the clock's gestures and the station's adjudication key.

First edge wins, then the contact must settle: a down edge after 35 ms up begins a press, earlier it is bounce. A press counts from its first edge and is confirmed
after 3 ms down without a break; otherwise it was a spike (docs/spec/events.md, "Gestures": below 2 ms a spike, from 5 ms a press, between them either).
"""

from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rules.duration import NS

MS: Final = NS // 1000
PRESS_NS: Final = 3 * MS
"""Down without a break for so long confirms a press."""
REST_NS: Final = 35 * MS
"""Up for so long ends it."""
BOUNCE_NS: Final = 30 * MS
"""The longest bounce, at pressing and at releasing."""


class Began(Struct, frozen=True):
    at: int


class Ended(Struct, frozen=True):
    """A press ended; ``released_at`` is the first edge of the release."""

    at: int
    released_at: int


class Spike(Struct, frozen=True):
    at: int


Signal: TypeAlias = Began | Ended | Spike


class Contact(Struct, frozen=True):
    """Instants in ns."""

    down: bool = False
    changed_at: int = 0
    began_at: int | None = None
    """The first edge of the press in progress; None at rest, and for a contact that was down at the start."""
    pressed: bool = False
    released_at: int = 0
    """The first up edge of a possible release."""

    @property
    def due(self) -> int | None:
        """The instant (ns) at which the contact ripens into a signal if no edge comes, or None."""
        if self.began_at is None or (self.down and self.pressed):
            return None
        return self.changed_at + (PRESS_NS if self.down else REST_NS)

    def held_for_sure(self, deadline: int) -> int | None:
        """Return the instant at which it is certain that the contact is held at ``deadline`` (ns), or None while it is up.

        A down edge long after the first may be release bounce: then 30 ms must pass.
        """
        if not self.down or self.began_at is None:
            return None
        settled = self.changed_at <= self.began_at + BOUNCE_NS
        return deadline if settled else max(deadline, self.changed_at + BOUNCE_NS)


def edge(contact: Contact, at: int, *, down: bool) -> Contact:
    """Return the contact after an edge at ``at`` (ns). An unchanged level has no effect."""
    if down is contact.down:
        return contact
    if down:
        begins = contact.began_at is None
        return replace(contact, down=True, changed_at=at, began_at=at if begins else contact.began_at)
    releasing = contact.released_at > (contact.began_at or 0) and at - contact.released_at <= BOUNCE_NS
    return replace(contact, down=False, changed_at=at, released_at=contact.released_at if releasing else at)


def ripen(contact: Contact) -> tuple[Contact, Signal]:
    """Return the contact at its ``due`` instant, and the signal."""
    at = contact.began_at
    if at is None or contact.due is None:
        raise ValueError("expected a contact that is due, found one at rest")
    if contact.down:
        return replace(contact, pressed=True), Began(at)
    signal = Ended(at, contact.released_at) if contact.pressed else Spike(at)
    return Contact(changed_at=contact.changed_at), signal
