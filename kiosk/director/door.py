"""The director's door: closed, asking for the PIN, or open; when and how often the PIN may be entered.

Waits after wrong PINs use the monotonic clock, and the count survives restarts: a station that is switched off and on waits its whole time again.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from appliance.lock import matches, wait_ns
from kiosk.context import Value
from kiosk.events import NoFunction
from rules.duration import NS, seconds_shown

MIN_DIGITS: Final = 4
MAX_DIGITS: Final = 12
ASKING_NS: Final = 20 * NS
"""The PIN question closes after this long without a touch."""
OPEN_NS: Final = 300 * NS
"""An untouched desk locks itself after this long."""
LAPSED_NS: Final = 4 * NS
"""After a door that closed by itself, and after each digit of a PIN then, digits go nowhere for so long, and the page says so."""


class Doorway(StrEnum):
    CLOSED = "closed"
    ASKING = "asking"
    OPEN = "open"
    FIRST_TEST = "first_test"
    """The guided test of a new station is open, and nothing else: it needs no PIN and no key."""


class Lock(Value, frozen=True):
    """What the settings let open the door. If nothing does, it stays shut and explains how to set a PIN."""

    pin: str = ""
    """The PIN's hash; empty: there is none."""
    key: bool = False
    """A key switch is wired and may open the judge desk without a PIN."""


class Door(Value, frozen=True):
    """Instants in ns."""

    lock: Lock
    way: Doorway = Doorway.CLOSED
    digits: str = ""
    """The PIN as typed so far; the page shows dots."""
    tries: int = 0
    shut_until: int | None = None
    """The end of the wait for the next PIN; None: no wait."""
    wrong: bool = False
    """The last PIN handed in was wrong; only the page that asks for one says so."""
    helping: bool = False
    """The screen shows the help for the page of the door or the judge desk that it hides."""
    useless: NoFunction | None = None
    """The key without a function that was pressed last; None: another act followed."""
    touched: int = 0
    key_on: bool = False
    lapsed_until: int | None = None
    """Until when digits are still meant for a door that has closed by itself; None: it was closed, or is not closed."""

    def __repr__(self) -> str:
        # Without the PIN: a crash's report has this.
        return f"Door(way={self.way}, tries={self.tries}, shut_until={self.shut_until}, wrong={self.wrong}, key_on={self.key_on})"

    @classmethod
    def after(cls, lock: Lock, tries: int, at: int) -> Door:
        """Return the door of a station that starts at ``at`` (ns) after ``tries`` wrong tries since it was last opened, from the log."""
        wait = wait_ns(tries)
        return cls(lock, tries=tries, shut_until=at + wait if wait else None)

    @property
    def is_closed(self) -> bool:
        return self.way is Doorway.CLOSED

    @property
    def is_open(self) -> bool:
        return self.way is Doorway.OPEN

    def shut(self, at: int) -> bool:
        return self.shut_until is not None and at < self.shut_until


def knock(door: Door, at: int) -> Door:
    if not door.is_closed:
        return door
    return opened(door, at) if door.key_on else door.replace(way=Doorway.ASKING, digits="", wrong=False, touched=at)


def turn_key(door: Door, at: int, *, on: bool) -> Door:
    """Open or close the door by the key switch, if the settings allow it."""
    if not door.lock.key or on is door.key_on:
        return door
    turned = door.replace(key_on=on)
    return opened(turned, at) if on else closed(turned)


def type_digits(door: Door, text: str, at: int) -> Door:
    """Return the door with the digits of ``text`` appended to the PIN, as far as they fit; other characters are ignored."""
    if not _takes_pin(door, at):
        return door
    digits = "".join(character for character in text[: 4 * MAX_DIGITS] if character.isascii() and character.isdigit())
    return door.replace(digits=(door.digits + digits)[:MAX_DIGITS], wrong=False)


def hand_in(door: Door, at: int) -> Door:
    """Return the door after the PIN as typed so far: open, or asking again, perhaps after a wait."""
    if not _takes_pin(door, at) or len(door.digits) < MIN_DIGITS:
        return door
    if matches(door.digits, door.lock.pin):
        return opened(door, at)
    tries = door.tries + 1
    wait = wait_ns(tries)
    return door.replace(digits="", tries=tries, shut_until=at + wait if wait else None, wrong=True)


def opened(door: Door, at: int) -> Door:
    return door.replace(way=Doorway.OPEN, digits="", tries=0, shut_until=None, helping=False, useless=None, touched=at)


def closed(door: Door) -> Door:
    return door.replace(way=Doorway.CLOSED, digits="", helping=False, useless=None, lapsed_until=None)


def lapsed(door: Door, until: int) -> Door:
    """Return the door after it has closed by itself; ``until`` (ns): digits are meant for it."""
    return closed(door).replace(lapsed_until=until)


def seconds_lapsed(door: Door, now: int) -> int | None:
    """Return for how many seconds more digits go nowhere at ``now`` (ns); None: they are the players'."""
    until = door.lapsed_until
    return None if until is None or not door.is_closed or now >= until else seconds_shown(until - now)


def shuts_at(door: Door) -> int | None:
    """Return when (ns) the untouched door closes by itself, or None."""
    match door.way:
        case Doorway.ASKING:
            return door.touched + ASKING_NS
        case Doorway.OPEN | Doorway.FIRST_TEST:
            return door.touched + OPEN_NS
        case _:
            return None


def _takes_pin(door: Door, at: int) -> bool:
    return door.way is Doorway.ASKING and bool(door.lock.pin) and not door.shut(at)
