"""Sends one request over a connection of its own, and waits until every device has answered or is silent."""

from __future__ import annotations

import select
import time
from collections.abc import Mapping
from typing import Final

from hall.errors import BrokerError
from hall.link.connection import Acknowledged, BrokerConnection, Down, News, Received, Up
from hall.link.plan import LinkPlan
from hall.orders.act import Instruction
from hall.orders.kept import KeptOrder, OrderBook
from hall.orders.sender import EXPIRY_S, Issuer, OrderSender, Publish, new_id
from hall.picture.address import OrderAddress
from rules.duration import NS

_CONNECT_NS: Final = 5 * NS
_LOOK_NS: Final = NS // 10
_MS: Final = 1_000_000


def publishing(connection: BrokerConnection) -> Publish:
    """Return what an ``OrderSender`` sends with, on this connection: never retained."""
    return lambda topic, payload: connection.publish(topic, payload, expiry_s=EXPIRY_S)


def delivered(
    plan: LinkPlan, book: OrderBook, issuer: Issuer, instructions: Mapping[str, Instruction], known: Mapping[str, OrderAddress]
) -> tuple[KeptOrder, ...]:
    """Return what has become of the orders; see ``OrderSender.send``.

    Args:
        plan: the broker, and the desk's certificate.
        book: where orders are kept.
        issuer: who orders.
        instructions: what each device is to do.
        known: where each device stands.

    Raises:
        BrokerError: there is no connection; nothing was sent.
        BadOrder: an instruction is out of range; nothing was sent.
        sqlite3.Error, OSError: the book cannot be written.
    """
    connection = BrokerConnection(plan)
    sender = OrderSender(plan.hall, book, publishing(connection), time.monotonic_ns())
    try:
        _connect(connection, plan)
        # mosquitto takes them in order: the answers come to this connection.
        connection.subscribe(sender.answers_topic)
        request = new_id()
        sender.send(request, issuer, instructions, known, time.monotonic_ns())
        while sender.waits:
            for news in _step(connection):
                if isinstance(news, Received):
                    sender.take(news.topic, news.payload)
                elif isinstance(news, Acknowledged):
                    sender.acknowledged(news.mid, refused=news.refused)
            sender.turn(time.monotonic_ns())
    finally:
        connection.close()
    sender.turn(time.monotonic_ns())
    return book.of(request)


def _connect(connection: BrokerConnection, plan: LinkPlan) -> None:
    connection.open()
    why, deadline = "no answer", time.monotonic_ns() + _CONNECT_NS
    while time.monotonic_ns() < deadline:
        for news in _step(connection):
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


def _step(connection: BrokerConnection) -> list[News]:
    """Wait for the broker, a tenth of a second at most; return what has happened."""
    now = time.monotonic_ns()
    poll = select.poll()
    if (descriptor := connection.fileno()) >= 0:
        poll.register(descriptor, select.POLLIN | (select.POLLOUT if connection.wants_write else 0))
    ready = poll.poll(max(0, -(-(min(connection.due(now), now + _LOOK_NS) - now) // _MS)))
    return connection.step(time.monotonic_ns(), frozenset(found for found, _ in ready))
