"""The desk's way to the tables: a connection of its own that sends the director's orders and follows their answers, in a thread of its own."""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from pathlib import Path

from appliance.log import get_logger
from appliance.program import Wakeup
from faults.errors import Phrase
from hall.link.connection import BrokerConnection, Down, LinkPlan, Up
from hall.orders.instruction import Instruction
from hall.orders.sender import EXPIRY_S, LOOK_NS, KeptOrder, OrderBook, OrderSender, OrderTarget, follow, opened_book
from wire.keys import SigningKey


class Ordering:
    """Sends orders until ``stop``, with the desk's certificate. ``run`` is the thread; the other methods are for any thread."""

    def __init__(self, plan: LinkPlan, book: Path) -> None:
        self._plan, self._book = plan, book
        self._asked: deque[tuple[Callable[[OrderSender], tuple[KeptOrder, ...]], Future[tuple[KeptOrder, ...]]]] = deque()
        self._wakeup = Wakeup()
        self._stop = False
        self.broker_why: str = Phrase("The desk is not connected to the broker yet.")
        """Why no order goes out; empty: they do."""
        self.on_change: Callable[[], None] = lambda: None
        """Called in the thread of ``run`` when the state of an order has changed."""

    @property
    def desk(self) -> str:
        """The desk's name, as its certificate has it."""
        return self._plan.device

    def send(
        self, request: str, key: SigningKey, acts: Mapping[str, Instruction], to: Iterable[OrderTarget]
    ) -> Future[tuple[KeptOrder, ...]]:
        """Send each clock of ``to`` its act, by its id; the result is there once the orders are in the book and on their way.

        ``request``: from ``new_id``, made with the form: a form that is sent again changes nothing. The future raises ``RequestError`` where an instruction is
        out of range, ``sqlite3.Error`` or ``OSError`` where the book cannot be written: nothing was sent then.
        """
        future: Future[tuple[KeptOrder, ...]] = Future()
        known = {each.id: each.address for each in to if each.address is not None}
        self._asked.append((lambda sender: sender.send(request, key, acts, known, time.monotonic_ns()), future))
        self._wakeup.wake()
        return future

    def orders_of(self, request: str) -> tuple[KeptOrder, ...]:
        """Return what has become of a request so far; empty: there is no such request. Raises ``sqlite3.Error`` or ``OSError``."""
        with closing(OrderBook(self._book)) as book:
            return book.of(request)

    def stop(self) -> None:
        self._stop = True
        self._wakeup.wake()

    def run(self) -> None:
        connection = BrokerConnection(self._plan)
        with opened_book(self._book) as book:
            sender = OrderSender(self._plan.hall, self.desk, book, partial(connection.publish, expiry_s=EXPIRY_S), time.monotonic_ns())
            connection.open()
            while not self._stop:
                self._step(connection, sender)
        connection.close()
        for _, future in self._asked:
            future.cancel()

    def _step(self, connection: BrokerConnection, sender: OrderSender) -> None:
        for news in follow(connection, sender, time.monotonic_ns() + LOOK_NS, self._wakeup.fileno()):
            if isinstance(news, Up):
                self.broker_why = ""
            elif isinstance(news, Down):
                self.broker_why = news.why
        self._wakeup.clear()
        while self._asked:
            act, future = self._asked.popleft()
            _settle(future, partial(act, sender))
        try:
            if sender.turn(time.monotonic_ns()):
                self.on_change()
        except (sqlite3.Error, OSError) as error:
            # The next turn tries again.
            get_logger().warning("the book of orders cannot be written", why=str(error))


def _settle(future: Future[tuple[KeptOrder, ...]], act: Callable[[], tuple[KeptOrder, ...]]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(act())
    except Exception as error:  # noqa: BLE001 - whoever waits for the future gets it
        future.set_exception(error)
