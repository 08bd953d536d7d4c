"""The director's door: closed, asking for the PIN, or open. Which PIN is right only the shell knows; here is when it may be asked for, and how often.

Wrong tries are throttled by the monotonic clock, and counted across restarts: a station that is switched off and on waits its whole time again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from rules.duration import NS

LEAST_DIGITS: Final = 4
MOST_DIGITS: Final = 12
FREE_TRIES: Final = 2
"""So many wrong tries in a row cost nothing: anybody mistypes."""
FIRST_WAIT_NS: Final = 30 * NS
"""How long the third one shuts the door; each further one doubles it."""
LONGEST_WAIT_NS: Final = 900 * NS
ASKING_NS: Final = 20 * NS
"""The question for the PIN goes away after so long without a touch."""
OPEN_NS: Final = 300 * NS
"""A desk that nobody touches locks itself."""


class Doorway(StrEnum):
    """How the door stands."""

    CLOSED = "closed"
    ASKING = "asking"
    CHECKING = "checking"
    """The shell checks the PIN; it answers before anything else happens."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Lock:
    """What opens the door, as the settings have it. Where nothing does, it stays shut and says how to set a PIN."""

    pin: bool
    key: bool = False
    """A key switch is wired, and may open the desk without a PIN."""


@dataclass(frozen=True, slots=True)
class Door:
    """How the door stands. Instants in ns."""

    lock: Lock
    way: Doorway = Doorway.CLOSED
    digits: str = field(default="", repr=False)
    """The PIN as far as it is typed; the face shows dots."""
    tries: int = 0
    """Wrong PINs since the door was last opened."""
    shut_until: int | None = None
    """No PIN is taken before; None: no wait."""
    wrong: bool = False
    """The last PIN was not right."""
    touched: int = 0
    key_on: bool = False

    @classmethod
    def after(cls, lock: Lock, tries: int, at: int) -> Door:
        """Return the door of a station that starts at ``at`` (ns) after so many wrong tries since it was last opened, as the log knows them."""
        wait = wait_ns(tries)
        return cls(lock, tries=tries, shut_until=at + wait if wait else None)

    @property
    def is_closed(self) -> bool:
        """Whether the players' screen is in sight."""
        return self.way is Doorway.CLOSED

    @property
    def is_open(self) -> bool:
        """Whether the director is at the desk."""
        return self.way is Doorway.OPEN

    def shut(self, at: int) -> bool:
        """Tell whether wrong tries keep the door shut at ``at`` (ns)."""
        return self.shut_until is not None and at < self.shut_until

    def replace(self, **changes: Any) -> Door:
        """Return the door with some of its fields replaced."""
        return replace(self, **changes)


def wait_ns(tries: int) -> int:
    """Return how long so many wrong tries in a row shut the door, in ns: nothing, then 30 s, doubled by each further one up to 15 min."""
    # The shift is bounded: a log of a thousand wrong tries makes no number of a thousand bits.
    return min(FIRST_WAIT_NS << min(tries - FREE_TRIES - 1, 10), LONGEST_WAIT_NS) if tries > FREE_TRIES else 0


def knock(door: Door, at: int) -> Door:
    """Ask for the PIN; with the key turned on, open at once."""
    if not door.is_closed:
        return door
    return opened(door, at) if door.key_on else door.replace(way=Doorway.ASKING, digits="", wrong=False, touched=at)


def turn_key(door: Door, at: int, *, on: bool) -> Door:
    """Open or close the door by the key switch, where the settings allow it; a PIN that is being checked is waited for."""
    if not door.lock.key or on is door.key_on:
        return door
    turned = door.replace(key_on=on)
    if door.way is Doorway.CHECKING:
        return turned
    return opened(turned, at) if on else closed(turned)


def type_digits(door: Door, text: str, at: int) -> Door:
    """Return the door with the digits of ``text`` added to the PIN, as far as there is room for them; all else in it is passed over."""
    if not _takes_pin(door, at):
        return door
    digits = "".join(character for character in text[: 4 * MOST_DIGITS] if character.isascii() and character.isdigit())
    return door.replace(digits=(door.digits + digits)[:MOST_DIGITS], wrong=False)


def erase_digit(door: Door) -> Door:
    """Return the door with the last digit gone."""
    return door.replace(digits=door.digits[:-1]) if door.way is Doorway.ASKING else door


def hand_in(door: Door, at: int) -> tuple[Door, str | None]:
    """Return the door, and the PIN to check where one is complete; the door keeps nothing of it."""
    if not _takes_pin(door, at) or len(door.digits) < LEAST_DIGITS:
        return door, None
    return door.replace(way=Doorway.CHECKING, digits=""), door.digits


def checked(door: Door, at: int, *, right: bool) -> Door:
    """Return the door after the shell's answer: open, or asking again, after a wait where there were too many wrong tries."""
    if door.way is not Doorway.CHECKING:
        return door
    if right or door.key_on:
        return opened(door, at)
    tries = door.tries + 1
    wait = wait_ns(tries)
    return door.replace(way=Doorway.ASKING, tries=tries, shut_until=at + wait if wait else None, wrong=True, touched=at)


def opened(door: Door, at: int) -> Door:
    """Return the door open: the wrong tries are forgotten."""
    return door.replace(way=Doorway.OPEN, digits="", tries=0, shut_until=None, wrong=False, touched=at)


def closed(door: Door) -> Door:
    """Return the door closed."""
    return door.replace(way=Doorway.CLOSED, digits="", wrong=False)


def shuts_at(door: Door) -> int | None:
    """Return the instant (ns) at which the door closes by itself if nobody touches it, or None."""
    match door.way:
        case Doorway.ASKING:
            return door.touched + ASKING_NS
        case Doorway.OPEN:
            return door.touched + OPEN_NS
        case _:
            return None


def _takes_pin(door: Door, at: int) -> bool:
    return door.way is Doorway.ASKING and door.lock.pin and not door.shut(at)
