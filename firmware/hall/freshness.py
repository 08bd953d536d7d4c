"""Whether a genuine proposal is for this clock, this game and now. No wall clock: the clock knows its own nonces and the ids it has handled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from wire.messages.proposals import Order, VerdictBody
from wire.reasons import RefusalReason

NONCES: Final = 3
"""How many beats an order may be old."""
IDS: Final = 1_000
"""How many ids are remembered: more than a day of rounds has verdicts and orders."""


@dataclass(frozen=True, slots=True)
class Addressee:
    """The clock as proposals have to name it."""

    device: str
    epoch: str | None = None
    """None: no journal can be read, so no proposal fits."""
    game: int = 0
    nonces: tuple[str, ...] = ()
    """Of the last beats, oldest first."""
    handled: tuple[str, ...] = ()
    """The ids of the last proposals, oldest first."""

    def with_nonce(self, nonce: str) -> Addressee:
        """Return the addressee after a beat with ``nonce``."""
        return replace(self, nonces=(*self.nonces, nonce)[-NONCES:])

    def with_handled(self, handled: str) -> Addressee:
        """Return the addressee after a proposal with that id."""
        return replace(self, handled=(*self.handled, handled)[-IDS:])


def misdirected(proposal: Order | VerdictBody, to: Addressee, *, retained: bool) -> RefusalReason | None:
    """Return why ``proposal`` is not for this clock, this game or now; None: it is."""
    if retained:
        return RefusalReason.RETAINED
    if proposal.device != to.device:
        return RefusalReason.OTHER_DEVICE
    if proposal.epoch != to.epoch:
        return RefusalReason.OTHER_EPOCH
    if proposal.id in to.handled:
        return RefusalReason.REPEATED
    if proposal.game != to.game:
        return RefusalReason.OTHER_GAME
    # A verdict has no nonce: the number of its challenge makes it good once.
    if proposal.nonce is not None and proposal.nonce not in to.nonces:
        return RefusalReason.STALE
    return None
