"""Orders as they are addressed, kept, sent once, and followed to their answers, in a thread: of the desk, or of a command for its one request."""

import json
import secrets
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from pydantic import ValidationError

from appliance.clocks import wall_time
from appliance.log import get_logger
from appliance.program import Wakeup
from appliance.records.sqlite import Schema, begin, connect, describe_io_error, fault_of_pages, quarantine
from faults.errors import Phrase, as_phrase
from hall.errors import HallError, explained
from hall.link.connection import Acknowledged, BrokerConnection, LinkPlan, Received, Up
from hall.picture import OrderAddress
from rules.duration import NS
from rules.side import BySide
from rules.tables import tables_of as parsed_tables
from wire.keys import SigningKey
from wire.proposals import ORDER, RefusalReason, SignedBody
from wire.reports import ProposalAnswer
from wire.topics import ANSWER, Topics, signed_bytes

Act: TypeAlias = Mapping[str, Any]
"""What the director orders: ``do`` and the keys that belong to it, as on the wire (``wire.proposals``)."""


def timer(shown: Act | None, offset: int) -> Act:
    """Return the hall's timer, as browsers have it (``begins`` in µs of the desk; None: it goes), for a clock; ``offset``: from its machine to the desk's, in ns."""
    if shown is None:
        return {"do": "timer", "begins": None}
    return {"do": "timer", **shown, "begins": shown["begins"] * 1000 - offset, "warnings": tuple(shown["warnings"])}


class OrderState(StrEnum):
    WAITING = "waiting"
    ACCEPTED = "accepted"
    REFUSED = "refused"
    SILENT = "silent"


UNHEARD: Final = "unheard"
UNSENT: Final = "unsent"
NOT_LET: Final = "not_let"
_OWN_REASONS: Final = {
    UNHEARD: Phrase("The hall does not hear this device: nothing was sent to it."),
    UNSENT: Phrase("The broker was not reachable: nothing was sent."),
    NOT_LET: Phrase("The broker does not let this desk send orders."),
}


class KeptOrder(Struct, frozen=True):
    id: str
    request: str
    """The director's act that it is part of: one request makes one order for each device."""
    device: str
    do: str
    keys: str
    state: OrderState = OrderState.WAITING
    reason: str | None = None
    """Of a refusal: the device's (``wire.proposals``) or ``not_let``; of silence: ``unheard`` or ``unsent`` where nothing was sent."""
    number: int | None = None
    """The number of the event that it became, such as the stop of a clock that stops itself."""

    @property
    def sentence(self) -> str:
        """Why it was not accepted; empty where there is nothing to say."""
        if self.reason is None:
            return Phrase("No answer.") if self.state is OrderState.SILENT else ""
        if self.reason in _OWN_REASONS:
            return _OWN_REASONS[self.reason]
        try:
            return as_phrase(RefusalReason(self.reason).sentence)
        except ValueError:
            # Of a later release.
            return self.reason


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
_COLUMNS: Final = "id, request, device, do, keys, state, reason, number"
# An answer stays: another program that has the book open may have seen none.
_ANSWERED: Final = "UPDATE orders SET state = ?, reason = ?, number = ? WHERE id = ? AND state IN ('waiting', 'silent')"


class OrderBook:
    """The open book: orders are kept before they are sent, so that a desk that dies sends nothing twice.

    Several programs may have it open; each instance is used by one thread. Every method may raise ``sqlite3.Error``.
    """

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)

    def close(self) -> None:
        self._connection.close()

    def keep(self, orders: Sequence[KeptOrder]) -> bool:
        """Keep the orders of one request on the disk; False: that request is known, and nothing has changed."""
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
        """Return the orders of a request, or of the request of the order with that id."""
        return self._where("request = coalesce((SELECT request FROM orders WHERE id = ?1), ?1) ORDER BY n", request)

    def waiting(self) -> tuple[KeptOrder, ...]:
        return self._where("state = ?", OrderState.WAITING)

    def _where(self, condition: str, value: str) -> tuple[KeptOrder, ...]:
        found = self._connection.execute(f"SELECT {_COLUMNS} FROM orders WHERE {condition}", (value,))  # noqa: S608 - our own words
        return tuple(replace(KeptOrder(*row), state=OrderState(row[5])) for row in found)


@contextmanager
def opened_book(path: Path) -> Iterator[OrderBook]:
    """Open or create the book at ``path`` for the time of the block; raises ``HallError``. A damaged one gets another name."""
    try:
        damaged = quarantine(path, ORDERS, fault_of_pages)
        if damaged is not None:
            get_logger().warning("the book of orders was damaged; a new one begins", kept=damaged.path)
        if not path.exists():
            begin(path, ORDERS, lambda _: None, datetime.now(UTC))
        book = OrderBook(path)
    except (OSError, sqlite3.Error) as error:
        found = describe_io_error(error)
        raise HallError(
            where=path, expected="to keep orders before they are sent", found=found.problem, remedy=found.remedy or "Nothing was sent"
        ) from error
    try:
        yield book
    finally:
        book.close()


def body_of(act: Act, order: str, issuer: str, device: str, to: OrderAddress) -> str:
    """Return the text that the director signs; raises ``HallError`` if a key is missing or out of its range.

    ``order``: 32 random hex digits. ``issuer``: the desk's name. ``to``: what stood there when the clock was last heard.
    """
    named = {"id": order, "issuer": issuer, "device": device, "epoch": to.epoch, "game": to.game, "number": to.number, "nonce": to.nonce}
    try:
        return ORDER.validate_python({**named, **act}).model_dump_json()
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        what = str(fault["loc"][-1]) if fault["loc"] else act["do"]
        raise HallError(
            where=what, expected=fault["msg"][:1].lower() + fault["msg"][1:], found=repr(fault["input"])[:60], remedy="Nothing was sent"
        ) from error


EXPIRY_S: Final = 10
"""The broker drops an order that it cannot deliver for so long."""
SILENT_NS: Final = 2 * NS
"""A device that has not answered for so long is silent; a later answer still counts. The rest of 3 s is for sending, and for the page."""
Publish: TypeAlias = Callable[[str, bytes], int | None]
"""Publishes with QoS 1, **not retained**, with ``EXPIRY_S``; returns the message's number, or None without a connection. Never blocks."""


class OrderSender:
    """Orders of one desk. Used by one thread; instants in ns of CLOCK_MONOTONIC.

    Call ``take`` with what arrives on ``answers_topic``, ``acknowledged`` with the broker's acknowledgements, and ``turn`` some times a second.
    Orders that still wait in the book at the start are followed; none is sent again.
    """

    def __init__(self, hall: str, desk: str, book: OrderBook, publish: Publish, now: int) -> None:
        self._topics, self._desk = Topics(hall), desk
        self._book, self._publish = book, publish
        self._sent: dict[str, tuple[KeptOrder, int]] = {each.id: (each, now) for each in book.waiting()}
        self._by_message: dict[int, str] = {}
        self._changed: dict[str, KeptOrder] = {}

    @property
    def answers_topic(self) -> str:
        return self._topics.of_device("+", f"{ANSWER}+")

    def send(
        self, request: str, key: SigningKey, acts: Mapping[str, Act], known: Mapping[str, OrderAddress], now: int
    ) -> tuple[KeptOrder, ...]:
        """Send each device its act, and return the orders; their state follows from ``turn``.

        ``request``: the id of the director's act, from ``new_id``, made before it is confirmed: sent again, it changes nothing. ``known``: where each device
        stands (``address_of``); one that is missing is not heard, and gets nothing.

        Raises, with nothing sent:
            HallError: an act is out of range.
            sqlite3.Error, OSError: the book cannot be written.
        """
        keys = {device: json.dumps({key: value for key, value in act.items() if key != "do"}) for device, act in acts.items()}
        orders = [KeptOrder(new_id(), request, device, act["do"], keys[device]) for device, act in acts.items()]
        bodies = {
            each.id: body_of(acts[each.device], each.id, self._desk, each.device, known[each.device])
            for each in orders
            if each.device in known
        }
        orders = [each if each.id in bodies else replace(each, state=OrderState.SILENT, reason=UNHEARD) for each in orders]
        # On the disk before anything is sent: whoever comes back sends none of them.
        if not self._book.keep(orders):
            return self._book.of(request)
        for order in orders:
            if order.id in bodies:
                self._send(order, bodies[order.id], key, now)
        return tuple(orders)

    def receive(self, topic: str, payload: bytes) -> None:
        """Take a message of ``answers_topic``; what answers none of these orders is dropped. The first answer counts."""
        reported = self._topics.reported(topic)
        if reported is None or not reported[1].startswith(ANSWER):
            return
        try:
            answer = ProposalAnswer.model_validate_json(payload)
        except ValidationError:
            return
        found = self._sent.get(answer.command)
        if found is None or (reported != (found[0].device, f"{ANSWER}{answer.command}")):
            return
        state = OrderState.ACCEPTED if answer.accepted else OrderState.REFUSED
        del self._sent[answer.command]
        self._change(replace(found[0], state=state, reason=None if answer.accepted else answer.reason, number=answer.number))

    def acknowledged(self, message: int, *, refused: bool) -> None:
        found = self._sent.get(self._by_message.pop(message, ""))
        if found is not None and refused:
            del self._sent[found[0].id]
            self._change(replace(found[0], state=OrderState.REFUSED, reason=NOT_LET))

    def turn(self, now: int) -> tuple[KeptOrder, ...]:
        """Return the orders whose state has changed since the last call, once they are in the book; if that fails, the next call tries again."""
        for name, (order, sent) in tuple(self._sent.items()):
            if now - sent >= SILENT_NS and order.state is OrderState.WAITING:
                silent = replace(order, state=OrderState.SILENT)
                self._sent[name] = silent, sent
                self._change(silent)
            # After this no answer comes: an order lives for 10 s, its answer for 60 s.
            if now - sent >= 70 * NS:
                del self._sent[name]
        changed = tuple(self._changed.values())
        if changed:
            self._book.note(changed)
            self._changed.clear()
        return changed

    def _send(self, order: KeptOrder, body: str, key: SigningKey, now: int) -> None:
        signed = SignedBody(body=body, signature=key.sign(signed_bytes("tc/1 order", self._topics.hall, body)))
        self._sent[order.id] = order, now
        message = self._publish(self._topics.to_device(order.device, "order"), signed.model_dump_json().encode())
        if message is None:
            del self._sent[order.id]
            self._change(replace(order, state=OrderState.SILENT, reason=UNSENT))
        else:
            self._by_message[message] = order.id

    def _change(self, order: KeptOrder) -> None:
        self._changed[order.id] = order


def new_id() -> str:
    return secrets.token_hex(16)


_LOOK_S: Final = 0.05
LOOK_NS: Final = NS // 10
"""How often at least the orders are looked at: a silent device is known so long after its time is over."""


class OrderTarget(Struct, frozen=True):
    id: str
    name: str
    table: int | None
    names: BySide[str]
    address: OrderAddress | None
    """None: it is not heard."""

    @property
    def title(self) -> str:
        return self.name if self.table is None else f"Table {self.table} ({self.name})"


def tables_of(spans: Iterable[str]) -> tuple[int, ...]:
    """Return the table numbers of texts such as ``12`` and ``1-20``; raises ``HallError`` for others."""
    found: dict[int, None] = {}
    for span in spans:
        with explained(HallError, "a table such as 12, or tables such as 1-20", where="--table", found=f'"{span}"'):
            found |= dict.fromkeys(chain.from_iterable(parsed_tables(span)))
    return tuple(found)


def chosen(devices: Sequence[dict[str, Any]], tables: Sequence[int], names: Sequence[str], *, everyone: bool) -> tuple[OrderTarget, ...]:
    """Return the clocks at ``tables``, those with one of ``names`` (id or name), or all, in the order of the tables.

    Raises ``HallError`` for a name that is none of a clock, or if nothing was chosen.
    """
    clocks = sorted((_clock(each) for each in devices if each["kind"] == "clock"), key=lambda each: (each.table or 1000, each.id))
    for name in names:
        if not any(name in (each.id, each.name) for each in clocks):
            raise HallError(where="--device", expected="the id or the name of a clock", found=f'"{name}"', remedy="See tilehall status")
    found = tuple(each for each in clocks if everyone or each.table in tables or {each.id, each.name} & set(names))
    if not found:
        wanted = "a clock at one of these tables" if tables else "clocks: name them with --table, --device or --all"
        raise HallError(expected=wanted, found="none", remedy="Nothing was sent")
    return found


def _clock(device: dict[str, Any]) -> OrderTarget:
    names = {"left": "", "right": ""} if device["clock"] is None else device["clock"]["names"]
    address = None if device["address"] is None else OrderAddress(**device["address"])
    return OrderTarget(device["id"], device["name"], device["table"], BySide(names["left"], names["right"]), address)


def lines(clocks: Sequence[OrderTarget], orders: Iterable[KeptOrder]) -> list[str]:
    by_device = {order.device: order for order in orders}
    pairs = [(clock, by_device[clock.id]) for clock in clocks]
    said = [f"{clock.title}: {order.state}. {order.sentence}" for clock, order in pairs if order.state is not OrderState.ACCEPTED]
    counts = {
        state: sum(order.state is state for _, order in pairs) for state in (OrderState.ACCEPTED, OrderState.REFUSED, OrderState.SILENT)
    }
    stopped = sum(order.do == "stop" and order.number is not None for _, order in pairs)
    itself = f" Stopped by the order: {stopped}." if stopped else ""
    return [*said, f"{', '.join(f'{count} {state}' for state, count in counts.items())}.{itself}"]


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
        return self._plan.device

    def send(self, request: str, key: SigningKey, acts: Mapping[str, Act], to: Iterable[OrderTarget]) -> Future[tuple[KeptOrder, ...]]:
        """Send each clock of ``to`` its act, by its id; the result is there once the orders are in the book and on their way.

        ``request``: from ``new_id``, made with the form: a form that is sent again changes nothing. The future raises ``HallError`` where an act is
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
        until = time.monotonic_ns() + LOOK_NS
        for news in connection.step(time.monotonic_ns(), connection.wait(until, self._wakeup.fileno())):
            if isinstance(news, Received):
                sender.receive(news.topic, news.payload)
            elif isinstance(news, Acknowledged):
                sender.acknowledged(news.mid, refused=news.refused)
            elif isinstance(news, Up):
                # The broker takes them in order: the answers to what follows come to this connection.
                connection.subscribe(sender.answers_topic)
                self.broker_why = ""
            else:
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


def delivered(plan: LinkPlan, book: Path, key: SigningKey, acts: Mapping[str, Act], clocks: Sequence[OrderTarget]) -> tuple[KeptOrder, ...]:
    """Return what has become of the orders of one request; see ``Ordering.send``. Raises ``HallError`` too, if there is no connection: nothing was sent then."""
    with opened_book(book):
        ordering, request = Ordering(plan, book), new_id()
        thread = threading.Thread(target=ordering.run, name="orders")
        thread.start()
        try:
            deadline = time.monotonic() + 5.0
            while ordering.broker_why:
                if time.monotonic() > deadline:
                    raise HallError(
                        where=f"{plan.host}:{plan.port}",
                        expected="the hall's broker",
                        found=ordering.broker_why,
                        remedy="Nothing was sent. Start the broker, and order again",
                    )
                time.sleep(_LOOK_S)
            ordering.send(request, key, acts, clocks).result()
            while any(each.state is OrderState.WAITING for each in ordering.orders_of(request)):
                time.sleep(_LOOK_S)
            return ordering.orders_of(request)
        finally:
            ordering.stop()
            thread.join()
