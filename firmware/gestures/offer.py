"""The bar's offers during an adjudication, in turn (docs/spec/events.md, "Bar")."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from game import events
from rules.duration import NS
from rules.limits import WORDS_IN_CHALLENGE
from rules.rulebooks.model import Rulebook

LAPSES_NS: Final = 15 * NS
"""An offer lapses this long after the last press."""


class OfferKind(Enum):
    """What is offered."""

    NONE = "none"
    ACCEPTABLE = "acceptable"
    UNACCEPTABLE = "unacceptable"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Offer:
    """One offer."""

    kind: OfferKind = OfferKind.NONE
    words: int | None = None
    """The number of acceptable words, where the rulebook pays by the word."""

    @property
    def event(self) -> events.GameEvent | None:
        """The event made by taking the offer."""
        if self.kind is OfferKind.NONE:
            return None
        if self.kind is OfferKind.BACK:
            return events.Withdraw()
        return events.Verdict(self.kind is OfferKind.ACCEPTABLE, self.words or 1)


NO_OFFER: Final = Offer()


def following(offer: Offer, rulebook: Rulebook) -> Offer:
    """Return the offer after ``offer``; after the last one nothing is offered, then the first again."""
    order = (NO_OFFER, *_offers(rulebook))
    # Another rulebook may have come in the meantime.
    return order[(order.index(offer) + 1) % len(order)] if offer in order else order[1]


def _offers(rulebook: Rulebook) -> tuple[Offer, ...]:
    back = (Offer(OfferKind.BACK),) if rulebook.challenge.may_withdraw else ()
    if not rulebook.challenge.points_a_word:
        return (Offer(OfferKind.ACCEPTABLE), Offer(OfferKind.UNACCEPTABLE), *back)
    first, *more = (Offer(OfferKind.ACCEPTABLE, words) for words in range(1, WORDS_IN_CHALLENGE + 1))
    return (first, Offer(OfferKind.UNACCEPTABLE), *more, *back)
