"""The wired board, pure: its adjudication button and key switch, from raw edges to presses and turns; and which of its lamps are lit.

A press counts once from its first edge, despite bounce and however long it is held; a spike does not count. A button that is down at startup is
stuck or held: it does not count until released. A key switch that is on at startup counts as on at once. The lamps follow from the state like the page.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kiosk.challenge.flow import Flow, Step
from kiosk.effects import Consequence
from kiosk.station.station import Station
from rules import contact as contacts
from rules.contact import Began, Contact, Ended
from rules.duration import NS

BUTTON: Final = "adjudicate"
KEY: Final = "key"
STUCK_NS: Final = 60 * NS


class ContactChange(Struct, frozen=True):
    """A button was pressed or released, or the key switch turned, at ``at`` (ns), the instant of the first edge."""

    button: str
    on: bool
    at: int


class Contacts(Struct, frozen=True):
    """The state of both contacts."""

    button: Contact = Contact()
    key: Contact = Contact()

    def of(self, name: str) -> Contact:
        """Return one contact; KeyError for a name that a station's board lacks."""
        return {BUTTON: self.button, KEY: self.key}[name]

    def replace(self, name: str, contact: Contact) -> Contacts:
        return replace(self, button=contact) if name == BUTTON else replace(self, key=contact)


def begin(down: Collection[str], at: int) -> tuple[Contacts, tuple[ContactChange, ...]]:
    """Return the contacts at startup, at ``at`` (ns), with those in ``down`` closed; and a turn of the key if it is on."""
    button = Contact(down=BUTTON in down, changed_at=at)
    if KEY not in down:
        return Contacts(button), ()
    return Contacts(button, Contact(down=True, changed_at=at, began_at=at, pressed=True)), (ContactChange(KEY, on=True, at=at),)


def apply_edge(known: Contacts, name: str, at: int, *, down: bool) -> tuple[Contacts, tuple[ContactChange, ...]]:
    """Return the contacts after an edge at ``at`` (ns), and the turns until then. KeyError for a name that a station's board lacks."""
    known, turned = tick(known, at)
    return known.replace(name, contacts.edge(known.of(name), at, down=down)), turned


def tick(known: Contacts, now: int) -> tuple[Contacts, tuple[ContactChange, ...]]:
    """Return the contacts at ``now`` (ns), and the turns up to and at that instant."""
    turned: list[ContactChange] = []
    while (ripe := min(_due(known), default=None)) is not None and ripe[0] <= now:
        _, name = ripe
        contact, signal = contacts.ripen(known.of(name))
        known = known.replace(name, contact)
        if isinstance(signal, Began):
            turned.append(ContactChange(name, on=True, at=signal.at))
        elif isinstance(signal, Ended):
            turned.append(ContactChange(name, on=False, at=signal.released_at))
    return known, tuple(turned)


def contacts_next_due(known: Contacts) -> int | None:
    """Return the next instant (ns) with work for ``tick``, or None."""
    ripe = min(_due(known), default=None)
    return None if ripe is None else ripe[0]


def stuck_at(known: Contacts) -> int | None:
    """Return when (ns) the button counts as stuck, or None while it is up."""
    return known.button.changed_at + STUCK_NS if known.button.down else None


def _due(known: Contacts) -> list[tuple[int, str]]:
    return [(contact.due, name) for name in (BUTTON, KEY) if (contact := known.of(name)).due is not None]


ADJUDICATE: Final = "adjudicate"
ACCEPTABLE: Final = "acceptable"
UNACCEPTABLE: Final = "unacceptable"


def lit(station: Station, now: int) -> frozenset[str]:
    """Return the names of the lamps lit at ``now`` (ns); none while the director's door is not closed."""
    if station.suspended_at is not None:
        return frozenset()
    flow = station.flow
    counts = _counts_from(flow)
    if counts is not None:
        return frozenset({ADJUDICATE} if now >= counts else ())
    follows = _shown(flow)
    if follows is None or flow.calling:
        return frozenset()
    return frozenset({ACCEPTABLE if follows.acceptable else UNACCEPTABLE})


def lamps_next_due(station: Station, now: int) -> int | None:
    """Return the next instant after ``now`` (ns) at which a lamp changes by itself, or None."""
    counts = None if station.suspended_at is not None else _counts_from(station.flow)
    return counts if counts is not None and counts > now else None


def _shown(flow: Flow) -> Consequence | None:
    """Return what follows from the verdict that is shown, the first time or once more; None: none is shown."""
    if flow.step is Step.SHOWN_AGAIN:
        return None if flow.again is None else flow.again.consequence
    return flow.outcome.consequence if flow.step is Step.VERDICT and flow.outcome is not None else None


def _counts_from(flow: Flow) -> int | None:
    """Return from when (ns) the adjudication key counts; None: no words are shown, their number is wrong, or the station cannot judge."""
    if (
        flow.step is not Step.CHECKING
        or flow.leaving
        or flow.calling
        or flow.helping
        or flow.still_there
        or len(flow.words) != flow.count
        or flow.context.trouble is not None
    ):
        return None
    return flow.since + flow.context.limits.least_ns
