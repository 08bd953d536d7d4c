"""Sends one request over a connection of its own, and waits until every device has answered or is silent."""

from __future__ import annotations

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
            sender.take(news.topic, news.payload)
        elif isinstance(news, Acknowledged):
            sender.acknowledged(news.mid, refused=news.refused)
        elif isinstance(news, Up):
            # The broker takes them in order: the answers to what follows come to this connection.
            connection.subscribe(sender.answers_topic)
    return happened


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
