"""Sends each order once, and follows the answers, over a connection of its own where it is one request."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from pydantic import ValidationError

from hall.errors import BrokerError
from hall.keys.director import DirectorKey
from hall.link.connection import Acknowledged, BrokerConnection, Down, News, Received, Up
from hall.link.dialling import LinkPlan
from hall.orders.book import NOT_LET, UNHEARD, UNSENT, KeptOrder, OrderBook, OrderState
from hall.orders.instruction import Instruction, body_of
from hall.picture.hall import OrderAddress
from rules.duration import NS
from wire.proposals import SignedOrder
from wire.reports import ProposalAnswer
from wire.signed_bytes import order_bytes
from wire.topics import ANSWER, Topics

EXPIRY_S: Final = 10
"""The broker drops an order that it cannot deliver for so long."""
SILENT_NS: Final = 2 * NS
"""A device that has not answered for so long is silent; a later answer still counts. The rest of 3 s is for sending, and for the page."""
_FORGET_NS: Final = 70 * NS
"""After this no answer comes: an order lives for 10 s, its answer for 60 s."""
Publish: TypeAlias = Callable[[str, bytes], int | None]
"""Publishes with QoS 1, **not retained**, with ``EXPIRY_S``; returns the message's number, or None without a connection. Never blocks."""


class Issuer(Struct, frozen=True):
    """Who gives the orders."""

    hall: str
    name: str
    """The desk's, as its certificate has it."""
    key: DirectorKey


class OrderSender:
    """Orders of one desk. Used by one thread; instants in ns of CLOCK_MONOTONIC.

    Call ``take`` with what arrives on ``answers_topic``, ``acknowledged`` with the broker's acknowledgements, and ``turn`` some times a second.
    Orders that still wait in the book at the start are followed; none is sent again.
    """

    def __init__(self, hall: str, book: OrderBook, publish: Publish, now: int) -> None:
        self._topics = Topics(hall)
        self._book, self._publish = book, publish
        self._sent: dict[str, tuple[KeptOrder, int]] = {each.id: (each, now) for each in book.waiting()}
        self._by_message: dict[int, str] = {}
        self._changed: dict[str, KeptOrder] = {}

    @property
    def answers_topic(self) -> str:
        return self._topics.of_device("+", f"{ANSWER}+")

    def send(
        self, request: str, issuer: Issuer, acts: Mapping[str, Instruction], known: Mapping[str, OrderAddress], now: int
    ) -> tuple[KeptOrder, ...]:
        """Send each device its act, and return the orders; their state follows from ``turn``.

        ``request``: the id of the director's act, from ``new_id``, made before it is confirmed: sent again, it changes nothing. ``known``: where each device
        stands (``address_of``); one that is missing is not heard, and gets nothing.

        Raises, with nothing sent:
            BadOrder: an act is out of range.
            sqlite3.Error, OSError: the book cannot be written.
        """
        orders = [KeptOrder(new_id(), request, device, act.do, json.dumps(dict(act.keys))) for device, act in acts.items()]
        bodies = {
            each.id: body_of(acts[each.device], each.id, issuer.name, each.device, known[each.device])
            for each in orders
            if each.device in known
        }
        orders = [each if each.id in bodies else replace(each, state=OrderState.SILENT, reason=UNHEARD) for each in orders]
        # On the disk before anything is sent: whoever comes back sends none of them.
        if not self._book.keep(orders):
            return self._book.of(request)
        for order in orders:
            if order.id in bodies:
                self._send(order, bodies[order.id], issuer, now)
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
        """Take the broker's acknowledgement of a message."""
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
            if now - sent >= _FORGET_NS:
                del self._sent[name]
        changed = tuple(self._changed.values())
        if changed:
            self._book.note(changed)
            self._changed.clear()
        return changed

    @property
    def waits(self) -> bool:
        return any(order.state is OrderState.WAITING for order, _ in self._sent.values())

    def _send(self, order: KeptOrder, body: str, issuer: Issuer, now: int) -> None:
        signed = SignedOrder(body=body, signature=issuer.key.sign(order_bytes(issuer.hall, body)))
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


_CONNECT_NS: Final = 5 * NS
LOOK_NS: Final = NS // 10
"""How often at least the orders are looked at: a silent device is known so long after its time is over."""


def publishing(connection: BrokerConnection) -> Publish:
    """Return what an ``OrderSender`` sends with, on this connection: never retained."""
    return lambda topic, payload: connection.publish(topic, payload, expiry_s=EXPIRY_S)


def follow(connection: BrokerConnection, sender: OrderSender, until: int, *wakeups: int) -> list[News]:
    """Wait for the broker, for one of the descriptors ``wakeups``, or until ``until`` (ns); pass what has happened to ``sender`` and return it."""
    happened = connection.step(time.monotonic_ns(), connection.wait(until, *wakeups))
    for news in happened:
        if isinstance(news, Received):
            sender.receive(news.topic, news.payload)
        elif isinstance(news, Acknowledged):
            sender.acknowledged(news.mid, refused=news.refused)
        elif isinstance(news, Up):
            # The broker takes them in order: the answers to what follows come to this connection.
            connection.subscribe(sender.answers_topic)
    return happened


def delivered(
    plan: LinkPlan, book: OrderBook, issuer: Issuer, instructions: Mapping[str, Instruction], known: Mapping[str, OrderAddress]
) -> tuple[KeptOrder, ...]:
    """Return what has become of the orders; see ``OrderSender.send``. Raises ``BrokerError`` too, if there is no connection: nothing was sent then."""
    connection = BrokerConnection(plan)
    sender = OrderSender(plan.hall, book, publishing(connection), time.monotonic_ns())
    try:
        _connect(connection, sender, plan)
        request = new_id()
        sender.send(request, issuer, instructions, known, time.monotonic_ns())
        while sender.waits:
            follow(connection, sender, time.monotonic_ns() + LOOK_NS)
            sender.turn(time.monotonic_ns())
    finally:
        connection.close()
    sender.turn(time.monotonic_ns())
    return book.of(request)


def _connect(connection: BrokerConnection, sender: OrderSender, plan: LinkPlan) -> None:
    connection.open()
    why, deadline = "no answer", time.monotonic_ns() + _CONNECT_NS
    while time.monotonic_ns() < deadline:
        for news in follow(connection, sender, time.monotonic_ns() + LOOK_NS):
            if isinstance(news, Up):
                return
            if isinstance(news, Down):
                why = news.why
    raise BrokerError(
        where=f"{plan.host}:{plan.port}",
        expected="the hall's broker",
        found=why,
        remedy="Nothing was sent. Start the broker, and order again",
    )
