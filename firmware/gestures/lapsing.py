"""What stands at a table for a while and lapses by itself: an offer of a verdict, the director's door, an answer.

Instants are in ns of CLOCK_MONOTONIC. During an adjudication an own button offers that the play is unacceptable; the bar's offers come in turn
(docs/spec/events.md, "Bar"). The door of a two-button board is closed, or asks for the code:
the waiting after wrong tries is that of ``appliance.lock``, and the shell checks a code that is handed in, because that takes time on purpose.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from msgspec import Struct

from faults.errors import TileclockError
from firmware.texts import KeyedMessage
from game import events
from rules.duration import NS
from rules.rulebooks.model import Rulebook
from rules.side import Side
from rules.tables import WORDS_IN_CHALLENGE

LAPSES_NS: Final = 15 * NS
"""An offer lapses this long after the last press."""


class OfferKind(Enum):
    """What is offered."""

    NONE = "none"
    ACCEPTABLE = "acceptable"
    UNACCEPTABLE = "unacceptable"
    BACK = "back"


class Offer(Struct, frozen=True):
    """One offer."""

    kind: OfferKind = OfferKind.NONE
    words: int | None = None
    """The number of acceptable words, where the rulebook pays by the word."""

    @property
    def event(self) -> events.GameEvent | None:
        if self.kind is OfferKind.NONE:
            return None
        if self.kind is OfferKind.BACK:
            return events.Withdraw()
        return events.Verdict(self.kind is OfferKind.ACCEPTABLE, self.words or 1)


NO_OFFER: Final = Offer()


def following(offer: Offer, rulebook: Rulebook) -> Offer:
    """Return the bar's offer after ``offer``; after the last one nothing is offered, then the first again."""
    order = (NO_OFFER, *_offers(rulebook))
    # An own button has offered the other verdict, or another rulebook may have come in the meantime.
    return order[(order.index(offer) + 1) % len(order)] if offer in order else order[1]


def _offers(rulebook: Rulebook) -> tuple[Offer, ...]:
    back = (Offer(OfferKind.BACK),) if rulebook.challenge.may_withdraw else ()
    if not rulebook.challenge.points_a_word:
        return (Offer(OfferKind.ACCEPTABLE), *back)
    return (*(Offer(OfferKind.ACCEPTABLE, words) for words in range(1, WORDS_IN_CHALLENGE + 1)), *back)


ASKING_NS: Final = 20 * NS
"""The door closes this long after the last press."""
MIN_PRESSES: Final = 4
MAX_PRESSES: Final = 12


class BadCode(TileclockError, ValueError):
    """The text is not a valid code."""


def parse_code(text: str) -> tuple[Side, ...]:
    """Return the presses of a code written as L and R. Raises BadCode: it does not have 4 to 12 of them, or has other letters."""
    sides = {"L": Side.LEFT, "R": Side.RIGHT}
    presses = tuple(sides.get(letter) for letter in text.strip().upper())
    if None in presses or not MIN_PRESSES <= len(presses) <= MAX_PRESSES:
        raise BadCode(expected="a code of 4 to 12 letters, L for left and R for right", found="something else", remedy="Choose another")
    return tuple(press for press in presses if press is not None)


class CodeDoor(Struct, frozen=True):
    """The code's page, open."""

    closes_at: int
    """It closes by itself at this instant."""
    entered: tuple[Side, ...] = ()
    """The presses so far; the face shows as many dots."""
    checking: bool = False
    """The code is handed in; the shell answers before any other press."""
    wrong: bool = False
    """The last code was wrong."""
    shut_until: int | None = None
    """No code is taken before this instant; None: no wait."""

    def __repr__(self) -> str:
        # Without the presses: a crash's report has this.
        return f"CodeDoor(closes_at={self.closes_at}, checking={self.checking}, wrong={self.wrong}, shut_until={self.shut_until})"


class Answer(Struct, frozen=True):
    """A sentence that answers a press for a short time: why it did nothing, or what a row of the table menu did."""

    where: Side | None
    """The half of the player who pressed; None: both halves."""
    message: KeyedMessage
    until: int
    """It is shown before this instant."""
