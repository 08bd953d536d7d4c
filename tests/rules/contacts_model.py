"""Contacts as a seeded model: sound ones under the hands of many players, and such as wear out in five ways.

A press is a train of instants (ns) at which the contact moves, closing first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import exp, log, pi, sin
from random import Random
from typing import Final

from rules.contact import MS
from rules.duration import NS

_ODD_HANDS: Final = 0.02
_LEANING_HANDS: Final = 0.005
_BRUSHED: Final = 0.003
_WOBBLES: Final = 0.0001


@dataclass
class Hand:
    """A player in one game."""

    hold_ns: float
    slow: bool
    """Presses so slowly that the contact hesitates."""
    leans: bool
    """Leaves the hand on the button."""

    @classmethod
    def of(cls, chance: Random) -> "Hand":
        return cls(MS * exp(chance.uniform(log(60), log(800))), chance.random() < _ODD_HANDS, chance.random() < _LEANING_HANDS)

    def held(self, chance: Random) -> int:
        if self.leans and chance.random() < 0.3:
            return chance.randrange(5 * NS, 18 * NS)
        return max(40 * MS, round(self.hold_ns * chance.lognormvariate(0, 0.25)))


@dataclass
class Press:
    """What a press is made of, before its contact wears: instants from its first touch on."""

    closed: int
    """The finger is down from 0 to here."""
    closing: list[int]
    """The bounce at closing: pairs of opening and closing."""
    opening: list[int]
    before: list[int] = field(default_factory=list)
    """Touches before it: pairs of closing and opening, at negative instants."""
    within: list[int] = field(default_factory=list)
    """Openings while it is held: pairs of opening and closing."""
    lost: bool = False
    """The contact never closes for good."""

    @property
    def train(self) -> list[int]:
        if self.lost:
            return self.before
        body = [each for each in (*self.closing, *self.within) if each < self.closed - MS]
        body = body[: len(body) // 2 * 2]
        return [*self.before, 0, *body, self.closed, *(self.closed + each for each in self.opening)]


@dataclass
class Contact:
    chance: Random
    bounce_ns: float
    """The median of its longest bounces while it is sound."""
    presses: int = 0

    def press(self, hand: Hand) -> Press:
        self.presses += 1
        chance = self.chance
        # Warm and cold weeks.
        warmth = 1 + 0.3 * sin(self.presses * 2 * pi / 3000)
        usual = self.bounce_ns * warmth * (3 if hand.slow else 1)
        closing, opening = (self.bounces(usual * chance.lognormvariate(0, 0.3)) for _ in range(2))
        made = Press(hand.held(chance), closing, opening)
        if chance.random() < (0.05 if hand.slow else _BRUSHED):
            made.before = [-(at := chance.randrange(60 * MS, 200 * MS)), -at + chance.randrange(MS // 10, 2 * MS)]
        if chance.random() < _WOBBLES and made.closed > 60 * MS:
            made.within = self.gap(made.closed // 2, MS)
        return made

    def bounces(self, length: float) -> list[int]:
        """Return what lasts so long in all, if it bounces at all."""
        if self.chance.random() < 0.3:
            return []
        count = 2 * self.chance.randrange(1, 4)
        inner = sorted(self.chance.uniform(0.02, 0.98) * length for _ in range(count - 1))
        return _moving(*inner, length)

    def gap(self, at: int, length: float) -> list[int]:
        return _moving(at, at + length)


def _moving(*instants: float) -> list[int]:
    """Return the instants as integers, each later than the one before."""
    moves: list[int] = []
    for each in instants:
        moves.append(max(round(each), moves[-1] + 1 if moves else 1))
    return moves


WEARS: Final[dict[str, Callable[[Contact, Press, float], None]]] = {}
"""What a worn contact makes of a press; how worn it is: from 0, and from 1 on it loses many."""


def _wears(damage: Callable[[Contact, Press, float], None]) -> Callable[[Contact, Press, float], None]:
    WEARS[damage.__name__] = damage
    return damage


@_wears
def growing_bounce(contact: Contact, press: Press, worn: float) -> None:
    if contact.chance.random() < 0.2 + worn:
        press.closing = _chatter(contact.chance, contact.bounce_ns + 70 * MS * worn * contact.chance.lognormvariate(0, 0.4), 2.5)


@_wears
def opens_while_held(contact: Contact, press: Press, worn: float) -> None:
    if contact.chance.random() < 0.6 * worn and press.closed > 60 * MS:
        at = contact.chance.uniform(0.4, 0.6) * press.closed
        press.within = contact.gap(round(at), contact.chance.expovariate(1 / (MS * (0.5 + 20 * worn))))


@_wears
def sticks(contact: Contact, press: Press, worn: float) -> None:
    if contact.chance.random() < 0.3 + worn:
        press.closed += round(0.3 * NS * exp(6 * worn) * contact.chance.lognormvariate(0, 0.4))


@_wears
def weak_with_spikes(contact: Contact, press: Press, worn: float) -> None:
    chance = contact.chance
    if chance.random() < 0.7 * worn:
        # The finger has been down for some time before the contact carries.
        late, at = round(MS * (8 + 200 * worn * chance.uniform(0, 1))), 0
        while at < late - 4 * MS:
            press.before += [at - late, at - late + chance.randrange(MS // 10, 2 * MS)]
            at += chance.randrange(5 * MS, 60 * MS)
        press.lost = late > press.closed
        press.closed = max(5 * MS, press.closed - late)


@_wears
def dirt(contact: Contact, press: Press, worn: float) -> None:
    chance = contact.chance
    if chance.random() < 0.6 * worn:
        at, moves = 0.0, list[float]()
        while at < press.closed:
            at += MS * chance.lognormvariate(log(8), 1.0)
            moves += [at, at := at + MS * chance.expovariate(1 / (0.3 + 8 * worn))]
        press.closing, press.within = [], _moving(*moves)


def _chatter(chance: Random, length: float, most_ms: float) -> list[int]:
    at, moves = 0.0, list[float]()
    while at < length:
        moves += [at := at + MS * chance.uniform(0.2, most_ms), at := at + MS * chance.uniform(0.2, most_ms)]
    return _moving(*moves)


@dataclass
class WornContact(Contact):
    damage: Callable[[Contact, Press, float], None] = growing_bounce
    onset: int = 0
    """The presses that it lasts unharmed."""
    life: int = 0
    """The presses from then on until many are lost."""

    @property
    def worn(self) -> float:
        return max(0.0, (self.presses - self.onset) / self.life)

    def press(self, hand: Hand) -> Press:
        press = super().press(hand)
        if self.worn:
            self.damage(self, press, self.worn)
        return press


def games(contact: Contact) -> Iterator[list[tuple[int, list[int]]]]:
    """Yield games of a contact without end: of each press when it began, and its train; an empty one: the contact is still closed, or does not close."""
    at, chance, free = 0, contact.chance, 0
    while True:
        hand, game = Hand.of(chance), list[tuple[int, list[int]]]()
        for _ in range(chance.randrange(8, 26)):
            at += chance.randrange(20 * NS, 200 * NS)
            train = [at + each for each in contact.press(hand).train]
            game.append((at, train if at > free else []))
            free = max([free, *game[-1][1]])
        yield game


def sound_contact(seed: int) -> Contact:
    chance = Random(seed)  # noqa: S311 - no secret
    return Contact(chance, MS * exp(chance.uniform(log(0.2), log(3))))


def worn_contacts() -> Iterator[tuple[str, WornContact]]:
    """Yield twenty, four of each kind, of different age, speed and bounce."""
    for place, (name, damage) in enumerate(WEARS.items()):
        for each in range(4):
            chance = Random(100 * place + each)  # noqa: S311 - no secret
            bounce = MS * exp(chance.uniform(log(0.2), log(3)))
            yield name, WornContact(chance, bounce, damage=damage, onset=chance.randrange(100, 1500), life=chance.randrange(1000, 4000))
