"""The presses of all buttons, from their contact edges, as far as they are known now; and which two of them are a chord."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from rules.contact import BOUNCE_NS, MS, PRESS_NS, Began, Contact, Ended, edge, ripen
from rules.side import Side

CHORD_NS: Final = 100 * MS
"""Both player buttons of a two-button board closed together for so long are the bar."""
CHORD_WITHIN_NS: Final = 1000 * MS
"""The longest distance between the first edges of both player buttons in a chord."""
PLAYER_BUTTONS: Final = {side.value: side for side in Side}


SETTLED_NS: Final = BOUNCE_NS + PRESS_NS
"""A press is detected at most this long after its first edge."""
KEY: Final = "key"


class Edge(Struct, frozen=True):
    """A contact edge: its button, its instant (ns) and whether the contact closed."""

    button: str
    at: int
    down: bool | None
    """None: it only lets time pass."""


class Hold(Struct, frozen=True, eq=False):
    """A contact that closed at ``at`` (ns): a press, or what may become one."""

    button: str
    at: int
    contact: Contact
    released: int | None = None
    new: bool = True

    @property
    def is_press(self) -> bool:
        return self.contact.pressed or self.released is not None

    def held(self, deadline: int, now: int) -> bool:
        until = self.contact.released_at if self.released is None else self.released
        sure = self.sure(deadline)
        return deadline <= until or (sure is not None and sure <= now)

    def sure(self, deadline: int) -> int | None:
        """Return the instant (ns) from which that is certain if no edge comes, or None."""
        return None if self.released is not None else self.contact.held_for_sure(deadline)


def unsettled(contact: Contact, now: int) -> Iterator[int]:
    """Yield the first edge (ns) of a press or release that ``contact`` may have begun, and that is not known at ``now`` (ns)."""
    if contact.began_at is None:
        return
    sure = contact.held_for_sure(now)
    if not contact.pressed and now <= contact.began_at + SETTLED_NS:
        yield contact.began_at
    if contact.pressed and (sure is None or sure > now):
        yield contact.released_at


class Heard(Struct):
    contacts: dict[str, Contact]
    holds: list[Hold] = field(default_factory=list)
    spikes: list[int] = field(default_factory=list)
    """When each was known (ns)."""
    turned: list[tuple[int, bool]] = field(default_factory=list)
    """When the director's key was turned on or off (ns)."""


def hear(before: Mapping[str, Contact], edges: Iterable[Edge], now: int) -> Heard:
    moved: dict[str, list[Edge]] = {}
    for each in edges:
        moved.setdefault(each.button, []).append(each)
    heard = Heard({})
    for button in sorted({*before, *moved}):
        _hear(heard, button, before.get(button, Contact()), [*moved.get(button, ()), Edge(button, now, down=None)])
    return heard


def _hear(heard: Heard, button: str, contact: Contact, edges: Iterable[Edge]) -> None:
    """Add to ``heard`` what one button's contact comes to; the last of ``edges`` is only an instant."""
    hold = Hold(button, contact.began_at, contact, new=False) if contact.pressed and contact.began_at is not None else None
    for each in edges:
        while (due := contact.due) is not None and due <= each.at:
            contact, signal = ripen(contact)
            match signal:
                case Began(at):
                    hold = Hold(button, at, contact)
                    heard.turned += [(at, True)] if button == KEY else []
                case Ended(_, released) if hold is not None:
                    heard.holds.append(replace(hold, released=released))
                    hold = None
                case _:
                    heard.spikes.append(due)
        before = contact
        contact = contact if each.down is None else edge(contact, each.at, down=each.down)
        if button == KEY and contact is not before and contact.pressed:
            _turn(heard.turned, contact)
    heard.contacts[button] = contact
    if contact.began_at is not None:
        heard.holds.append(Hold(button, contact.began_at, contact) if hold is None else replace(hold, contact=contact))


def _turn(turned: list[tuple[int, bool]], contact: Contact) -> None:
    """Add the latest edge of the key after it was detected as on: off counts from its first edge, and on soon after that is bounce."""
    if not contact.down:
        turned.append((contact.released_at, False))
    elif turned and contact.changed_at - contact.released_at <= BOUNCE_NS:
        turned.pop()
    else:
        turned.append((contact.changed_at, True))


def chords(holds: list[Hold], now: int) -> tuple[Mapping[Hold, Hold], Mapping[Hold, int]]:
    """Return which presses of the two player buttons are one press of the bar: of each first one the second.

    And the presses that may still be one, with when that is certain if no edge comes (ns).
    """
    found: dict[Hold, Hold] = {}
    unsure: dict[Hold, int] = {}
    latest: dict[str, Hold] = {}
    for second in sorted((hold for hold in holds if hold.new and hold.button in PLAYER_BUTTONS), key=lambda hold: (hold.at, hold.button)):
        first = latest.get(PLAYER_BUTTONS[second.button].other.value)
        latest[second.button] = second
        if first is None or second.at - first.at > CHORD_WITHIN_NS:
            continue
        due, both = second.at + CHORD_NS, (first, second)
        if all(hold.held(due, now) for hold in both):
            found[first] = second
            # Each button must go up and down again before it presses anew.
            latest.clear()
        elif not any(hold.released is not None and hold.released < due for hold in both):
            sure = [hold.sure(due) or due for hold in both]
            unsure |= dict.fromkeys(both, max(sure))
        else:
            # What a press has done since the first edge was seen, and stands.
            del latest[first.button]
    return found, unsure
