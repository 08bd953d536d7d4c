"""Orders as they are kept: what was asked, when, and what has become of it; and the book as a file of its own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from appliance.clocks import wall_time
from appliance.log import get_logger
from appliance.records.sqlite import Schema, begin, connect, describe_io_error, quarantine
from faults.errors import TileclockError
from wire.proposals import RefusalReason


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


class KeptOrder(Struct, frozen=True):
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
    """Of a refusal: the device's (``wire.proposals``) or ``not_let``; of silence: ``unheard`` or ``unsent`` where nothing was sent."""
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

    def of(self, request: str) -> tuple[KeptOrder, ...]: ...

    def waiting(self) -> tuple[KeptOrder, ...]: ...


ORDERS: Final = Schema(
    "a desk's orders",
    application_id=0x5443484F,
    version=1,
    tables=(
        """CREATE TABLE orders (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL, request TEXT NOT NULL, device TEXT NOT NULL, do TEXT NOT NULL, keys TEXT NOT NULL, kept TEXT NOT NULL,
    state TEXT NOT NULL, reason TEXT, number INTEGER
) STRICT""",
        "CREATE UNIQUE INDEX orders_by_id ON orders (id)",
        "CREATE INDEX orders_by_request ON orders (request)",
        "CREATE INDEX orders_by_state ON orders (state) WHERE state = 'waiting'",
    ),
)
"""Its application id is ``TCHO``."""
_COLUMNS: Final = "id, request, device, do, keys, state, reason, number"
# An answer stays: another program that has the book open may have seen none.
_ANSWERED: Final = "UPDATE orders SET state = ?, reason = ?, number = ? WHERE id = ? AND state IN ('waiting', 'silent')"


class BookError(TileclockError, OSError):
    """Orders cannot be kept, so none is sent."""


class OrderFile:
    """An open book (``hall.orders.book.OrderBook``). Several programs may have it open; each instance is used by one thread.

    Every method may raise ``sqlite3.Error``.
    """

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)

    def close(self) -> None:
        self._connection.close()

    def keep(self, orders: Sequence[KeptOrder]) -> bool:
        with self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            if orders and self.of(orders[0].request):
                return False
            at = wall_time()
            connection.executemany(
                "INSERT INTO orders VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [(o.id, o.request, o.device, o.do, o.keys, at, o.state, o.reason, o.number) for o in orders],
            )
        return True

    def note(self, orders: Iterable[KeptOrder]) -> None:
        with self._connection as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_ANSWERED, [(o.state, o.reason, o.number, o.id) for o in orders])

    def of(self, request: str) -> tuple[KeptOrder, ...]:
        """See ``OrderBook``; ``request`` may be the id of one of its orders, too."""
        return self._where("request = coalesce((SELECT request FROM orders WHERE id = ?1), ?1) ORDER BY n", request)

    def waiting(self) -> tuple[KeptOrder, ...]:
        return self._where("state = ?", OrderState.WAITING)

    def _where(self, condition: str, value: str) -> tuple[KeptOrder, ...]:
        found = self._connection.execute(f"SELECT {_COLUMNS} FROM orders WHERE {condition}", (value,))  # noqa: S608 - our own words
        return tuple(replace(KeptOrder(*row), state=OrderState(row[5])) for row in found)


@contextmanager
def opened_book(path: Path) -> Iterator[OrderFile]:
    """Open or create the book at ``path`` for the time of the block; raises ``BookError``. A damaged one gets another name."""
    try:
        damaged = quarantine(path, ORDERS, lambda _: None)
        if damaged is not None:
            get_logger().warning("the book of orders was damaged; a new one begins", kept=damaged.path)
        if not path.exists():
            begin(path, ORDERS, lambda _: None, datetime.now(UTC))
        book = OrderFile(path)
    except (OSError, sqlite3.Error) as error:
        found = describe_io_error(error)
        raise BookError(
            where=path, expected="to keep orders before they are sent", found=found.problem, remedy=found.remedy or "Nothing was sent"
        ) from error
    try:
        yield book
    finally:
        book.close()
