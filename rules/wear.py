"""How a button's contact wears, as its raw edges show it: what its presses were like in its first games, and in the latest. Pure.

A worn contact still makes presses for a long time, since the debouncer (``contact.py``) hides longer bounce, brief openings and touches. The counts are of one button.
One hand may press in an odd way for a whole game: so games are counted in which a button was odd, and not its presses. A change needs no date.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from faults.errors import Phrase
from rules.contact import MS, Contact, Ended, Spike, edge, ripen

QUIET_NS: Final = 15 * MS
"""Edges that are closer are one bounce: no finger closes a button again so soon, and the data sheets of small switches promise at most 5 to 10 ms."""
BOUNCE_UNIT_NS: Final = MS // 4
HELD_UNIT_NS: Final = 16 * MS
_BOUNCES: Final = 9
_HELD: Final = 11
"""Each class is twice as long as the one before; the last one has all from 32 ms of bounce, from 8.2 s of a press: the longest gesture takes 5 s."""
FEW: Final = 10
"""Fewer presses say little: they wait for those of the next game."""
FIRST_GAMES: Final = 24
"""Some weeks of club evenings: what is usual for this button, and for those who play on it."""
LAST_GAMES: Final = 8
ODD_GAMES: Final = 4
"""Of the last games: as many different hands."""
_CHANGED: Final = 5
"""The class of bounce from 4 ms on, which sound switches seldom reach: it is a change if it was at most a quarter as long at first."""
_FOUR_TIMES: Final = 3
"""Classes, so that the longest of one and the shortest of the other are still so far apart: warmth and hands change a bounce by half."""
_TOO_LONG: Final = 7
"""From 16 ms on, half of what the debouncer takes, it is too long in any case."""

_Count: TypeAlias = Annotated[int, Meta(ge=0)]
Sign: TypeAlias = Literal["sticks", "opens", "touches", "bounces"]


class Tally(Struct, frozen=True):
    bounces: Annotated[tuple[_Count, ...], Meta(min_length=_BOUNCES, max_length=_BOUNCES)] = (0,) * _BOUNCES
    """How many had a longest bounce, at closing or opening, of each class."""
    held: Annotated[tuple[_Count, ...], Meta(min_length=_HELD, max_length=_HELD)] = (0,) * _HELD
    opened: _Count = 0
    """The presses that opened in between, for so short that each is still one press."""
    touches: _Count = 0
    """Closings too short to be a press."""

    @property
    def presses(self) -> int:
        return sum(self.bounces)

    @property
    def stuck(self) -> int:
        """How many were released later than any hand does, or the release was missed."""
        return self.held[-1]

    @property
    def bounce(self) -> int:
        """The class that a tenth of the presses reach; of no press the last one, which promises nothing."""
        place, above = _BOUNCES - 1, self.bounces[-1]
        while above * 10 < self.presses:
            place -= 1
            above += self.bounces[place]
        return place

    def and_press(self, bounce_ns: int, held_ns: int, *, opened: bool) -> Tally:
        return replace(
            self,
            bounces=_one_more(self.bounces, bounce_ns // BOUNCE_UNIT_NS),
            held=_one_more(self.held, held_ns // HELD_UNIT_NS),
            opened=self.opened + opened,
        )

    def plus(self, other: Tally) -> Tally:
        return Tally(
            tuple(map(int.__add__, self.bounces, other.bounces)),
            tuple(map(int.__add__, self.held, other.held)),
            self.opened + other.opened,
            self.touches + other.touches,
        )


def _one_more(counts: tuple[int, ...], units: int) -> tuple[int, ...]:
    place = min(units.bit_length(), len(counts) - 1)
    return (*counts[:place], counts[place] + 1, *counts[place + 1 :])


class Heard(Struct, frozen=True):
    """One button while its edges come in. Instants in ns."""

    contact: Contact = Contact()
    tally: Tally = Tally()
    since: int = 0
    """The first edge of the latest bounce."""
    bounce: int = 0
    """The longest of this press (ns)."""
    moves: int = 0
    """How often the contact has moved in this press: closing and opening are two."""

    def edge(self, at: int, *, down: bool) -> Heard:
        heard = self.until(at)
        before = heard.contact
        if down is before.down:
            return heard
        contact = edge(before, at, down=down)
        if before.began_at is None:
            return replace(heard, contact=contact, since=at, bounce=0, moves=1)
        if at - before.changed_at >= QUIET_NS:
            return replace(heard, contact=contact, since=at, moves=heard.moves + 1)
        return replace(heard, contact=contact, bounce=max(heard.bounce, at - heard.since))

    def until(self, now: int) -> Heard:
        heard = self
        while (due := heard.contact.due) is not None and due <= now:
            contact, signal = ripen(heard.contact)
            tally = heard.tally
            # A contact that closes and opens within one bounce makes a press, but its bounce cannot be measured.
            if isinstance(signal, Ended) and heard.moves > 1:
                tally = tally.and_press(heard.bounce, signal.released_at - signal.at, opened=heard.moves > 2)
            elif isinstance(signal, Spike):
                tally = replace(tally, touches=tally.touches + 1)
            heard = replace(heard, contact=contact, tally=tally)
        return heard


class Wear(Struct, frozen=True):
    """One button over the weeks."""

    first: Tally = Tally()
    """Its first games together, none of the last ones."""
    games: _Count = 0
    """How many those are."""
    last: tuple[Tally, ...] = ()
    waiting: Tally = Tally()

    def and_game(self, tally: Tally) -> Wear:
        game = self.waiting.plus(tally)
        if game.presses + game.touches < FEW:
            return replace(self, waiting=game)
        known = replace(self, last=(*self.last, game)[-LAST_GAMES:], waiting=Tally())
        if len(self.last) < LAST_GAMES or self.games == FIRST_GAMES:
            return known
        return replace(known, first=self.first.plus(self.last[0]), games=self.games + 1)


class Worn(Struct, frozen=True):
    """A button that is to be replaced before it loses a press."""

    button: str
    sign: Sign
    before: int
    now: int
    """Bounce in ms: at most so long in nine of ten presses before, from so long on in others now. Else a share of the presses, in percent."""

    @property
    def words(self) -> Phrase:
        return Phrase(_WORDS[self.sign], button=Phrase(f"{self.button} button"), before=self.before, now=self.now)


_WORDS: Final[dict[Sign, str]] = {
    "sticks": "{button} is wearing: stays down, {before} % of presses before, {now} % now",
    "opens": "{button} is wearing: opens while held, {before} % of presses before, {now} % now",
    "touches": "{button} is wearing: touches too short, {before} % before, {now} % now",
    "bounces": "{button} is wearing: bounce {before} ms before, {now} ms now",
}


_COUNTS: Final[tuple[tuple[Sign, Callable[[Tally], int], int], ...]] = (
    ("sticks", lambda tally: tally.stuck, 1),
    ("opens", lambda tally: tally.opened, 1),
    # A finger that only brushes the button touches it too.
    ("touches", lambda tally: tally.touches, 2),
)
"""Each sign, its count, and from how many on a game is odd."""


def worn(button: str, wear: Wear) -> Worn | None:
    """Return the gravest sign of wear of ``button``; None: it is sound, or too little is known."""
    if len(wear.last) < ODD_GAMES:
        return None
    for sign, count, enough in _COUNTS:
        before, now = _share(count, wear.first), _share(count, *wear.last)
        if sorted(map(count, wear.last))[-ODD_GAMES] >= enough and now >= 4 * before:
            return Worn(button, sign, round(before), max(1, round(now)))
    usual, bounce = wear.first.bounce, sorted(tally.bounce for tally in wear.last)[-ODD_GAMES]
    if bounce >= min(max(usual + _FOUR_TIMES, _CHANGED), _TOO_LONG):
        return Worn(button, "bounces", _ms(min(usual + 1, bounce)), _ms(bounce))
    return None


def _share(count: Callable[[Tally], int], *tallies: Tally) -> float:
    """Return the share of the presses that are counted, in percent."""
    return 100 * sum(map(count, tallies)) / max(1, sum(tally.presses for tally in tallies))


def _ms(place: int) -> int:
    """Return from how many ms on a class of bounce is; at least 1."""
    return max(1, (BOUNCE_UNIT_NS << place >> 1) // MS)
