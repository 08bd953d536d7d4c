"""An order as the desk keeps it: what was asked of which device, and what has become of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from wire.reasons import RefusalReason


class OrderState(StrEnum):
    """What has become of an order."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    SILENT = "silent"


UNHEARD: Final = "unheard"
UNSENT: Final = "unsent"
NOT_LET: Final = "not_let"
_OWN_REASONS: Final = {
    UNHEARD: "The hall does not hear this device: nothing was sent to it.",
    UNSENT: "The broker was not reachable: nothing was sent.",
    NOT_LET: "The broker does not let this desk send orders.",
}


@dataclass(frozen=True, slots=True)
class KeptOrder:
    """One order for one device."""

    id: str
    request: str
    """The director's act that it is part of: one request makes one order for each device."""
    device: str
    do: str
    keys: str
    """The act's keys as JSON."""
    state: OrderState = OrderState.WAITING
    reason: str | None = None
    """Of a refusal: the device's (``wire.reasons``) or ``not_let``; of silence: ``unheard`` or ``unsent`` where nothing was sent."""
    number: int | None = None
    """The number of the event that it became, such as the stop of a clock that stops itself."""

    @property
    def sentence(self) -> str:
        """Why it was not accepted, in English; empty where there is nothing to say."""
        if self.reason is None:
            return "No answer." if self.state is OrderState.SILENT else ""
        if self.reason in _OWN_REASONS:
            return _OWN_REASONS[self.reason]
        try:
            return RefusalReason(self.reason).sentence
        except ValueError:
            # Of a later release.
            return self.reason


class OrderBook(Protocol):
    """Where orders are kept before they are sent, so that a desk that dies sends nothing twice."""

    def keep(self, orders: Sequence[KeptOrder]) -> bool:
        """Keep the orders of one request on the disk; False: that request is known, and nothing has changed."""
        ...

    def note(self, orders: Iterable[KeptOrder]) -> None:
        """Write what has become of these."""
        ...

    def of(self, request: str) -> tuple[KeptOrder, ...]:
        """Return the orders of a request."""
        ...

    def waiting(self) -> tuple[KeptOrder, ...]:
        """Return all orders that wait for an answer."""
        ...
