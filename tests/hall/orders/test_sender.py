"""Orders: kept before they are sent, sent once, never retained, and each followed to what has become of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hall.keys.director import DirectorKey, WrongPassphrase, unlock_director
from hall.keys.files import HallFiles
from hall.orders.book import KeptOrder, OrderState, opened_book
from hall.orders.instruction import CLEAR, BadOrder, assignment, notice, stop
from hall.orders.sender import SILENT_NS, Issuer, OrderSender, new_id
from hall.picture.hall import OrderAddress
from rules.duration import NS
from tests.errors import with_fields
from tools.trial_broker import complete_hall
from wire.keys import signature_fits
from wire.proposals import ORDER, SignedOrder
from wire.signed_bytes import order_bytes
from wire.topics import Topics

HALL = "trial"
TOPICS = Topics(HALL)
ONE, TWO, AWAY = (f"c-{letter * 16}" for letter in "abc")
KNOWN = {device: OrderAddress("0" * 16, 3, 14, f"{number:032x}") for number, device in enumerate((ONE, TWO))}


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> DirectorKey:
    files = complete_hall(tmp_path_factory.mktemp("hall"), clocks=0, stations=0).files
    return unlock_director(files.director, b"")


@dataclass
class OrdersDesk:
    """A desk with its book, and what it has published."""

    path: Path
    key: DirectorKey
    opened: ExitStack
    """Closes the book, in the thread that has opened it."""
    reachable: bool = True
    sent: list[tuple[str, bytes]] = field(default_factory=list)
    now: int = 0

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Start, as after a death."""
        self.book = self.opened.enter_context(opened_book(self.path))
        self.sender = OrderSender(HALL, self.book, self._publish, self.now)

    def send(self, acts: dict[str, Any], request: str | None = None) -> dict[str, KeptOrder]:
        orders = self.sender.send(request or new_id(), Issuer(HALL, "desk-1", self.key), acts, KNOWN, self.now)
        return {each.device: each for each in orders}

    def answer(self, order: KeptOrder, reason: str | None = None, number: int | None = None, device: str | None = None) -> None:
        answer = {"v": 1, "command": order.id, "accepted": reason is None, "reason": reason, "at": 1, "seq": 5, "number": number}
        self.sender.take(TOPICS.of_device(device or order.device, f"ack/{order.id}"), json.dumps(answer).encode())

    def turn(self, after: int = 0) -> dict[str, tuple[str, str | None]]:
        self.now += after
        return {each.device: (each.state, each.reason) for each in self.sender.turn(self.now)}

    def _publish(self, topic: str, payload: bytes) -> int | None:
        if not self.reachable:
            return None
        self.sent.append((topic, payload))
        return len(self.sent)


@pytest.fixture
def desk(tmp_path: Path, key: DirectorKey) -> Iterator[OrdersDesk]:
    with ExitStack() as opened:
        yield OrdersDesk(tmp_path / "orders.db", key, opened)


def test_an_order_names_its_clock_and_is_signed_by_the_director(desk: OrdersDesk) -> None:
    order = desk.send({ONE: stop("Fire alarm")})[ONE]
    ((topic, payload),) = desk.sent
    assert topic == TOPICS.to_device(ONE, "order")
    signed = SignedOrder.model_validate_json(payload)
    assert signature_fits(desk.key.public, signed.signature, order_bytes(HALL, signed.body))
    body = ORDER.validate_json(signed.body)
    assert (body.id, body.issuer, body.device, body.epoch, body.game, body.number, body.nonce) == (
        order.id, "desk-1", ONE, "0" * 16, 3, 14, KNOWN[ONE].nonce,
    )  # fmt: skip
    assert body.model_dump(include={"do", "text"}) == {"do": "stop", "text": "Fire alarm"}


def test_each_device_is_followed_to_what_has_become_of_its_order(desk: OrdersDesk) -> None:
    orders = desk.send({ONE: assignment(12, "Ann", "Bo"), TWO: assignment(13, "", ""), AWAY: assignment(14, "Cy", "Di")})
    assert [each.state for each in orders.values()] == ["waiting", "waiting", "silent"]
    assert len(desk.sent) == 2
    desk.answer(orders[ONE], number=15)
    desk.answer(orders[TWO], "out_of_date")
    assert desk.turn() == {ONE: ("accepted", None), TWO: ("refused", "out_of_date")}
    said = {each.device: each.sentence for each in desk.book.of(orders[ONE].request)}
    assert said == {
        ONE: "",
        TWO: "The game has gone on since the message was made.",
        AWAY: "The hall does not hear this device: nothing was sent to it.",
    }
    assert not desk.sender.waits


def test_a_device_that_does_not_answer_is_silent_and_a_late_answer_still_counts(desk: OrdersDesk) -> None:
    order = desk.send({ONE: CLEAR})[ONE]
    assert desk.turn(SILENT_NS - 1) == {}
    assert desk.turn(1) == {ONE: ("silent", None)}
    desk.answer(order)
    assert desk.turn() == {ONE: ("accepted", None)}


def test_only_the_first_answer_counts_and_only_that_of_the_device(desk: OrdersDesk) -> None:
    orders = desk.send({ONE: CLEAR, TWO: CLEAR})
    desk.answer(orders[ONE], device=TWO)
    assert desk.turn() == {}
    desk.answer(orders[ONE])
    desk.answer(orders[ONE], "repeated")
    assert desk.turn() == {ONE: ("accepted", None)}
    assert desk.book.of(orders[ONE].request)[0].state is OrderState.ACCEPTED


def test_a_request_that_comes_again_sends_nothing_also_after_the_desk_died(desk: OrdersDesk) -> None:
    orders = desk.send({ONE: stop("Fire alarm"), TWO: stop("Fire alarm")}, "the form")
    desk.answer(orders[ONE])
    desk.turn()
    desk.book.close()
    desk.begin()
    again = desk.send({ONE: stop("Fire alarm"), TWO: stop("Fire alarm")}, "the form")
    assert len(desk.sent) == 2
    assert [(each.id, each.state) for each in again.values()] == [(orders[ONE].id, "accepted"), (orders[TWO].id, "waiting")]
    # What it had not heard yet is followed on.
    desk.answer(orders[TWO], "frozen")
    assert desk.turn() == {TWO: ("refused", "frozen")}


def test_nothing_is_sent_that_is_not_on_the_disk(desk: OrdersDesk) -> None:
    desk.book.close()
    with pytest.raises(Exception, match="closed database"):
        desk.send({ONE: CLEAR})
    assert desk.sent == []


@pytest.mark.parametrize("act", [notice("", 30), notice("x" * 121, 30), notice("x", 4), assignment(0, "A", "B"), stop("two\nlines")])
def test_an_order_out_of_range_sends_nothing_to_anybody(desk: OrdersDesk, act: Any) -> None:
    with pytest.raises(BadOrder, check=with_fields(remedy="Nothing was sent")):
        desk.send({ONE: CLEAR, TWO: act}, "bad")
    assert desk.sent == []
    assert desk.book.of("bad") == ()


def test_without_a_broker_nothing_waits_and_nothing_is_sent_later(desk: OrdersDesk) -> None:
    desk.reachable = False
    desk.send({ONE: CLEAR})
    desk.reachable = True
    assert desk.turn() == {ONE: ("silent", "unsent")}
    assert desk.turn(NS) == {}
    assert desk.sent == []


def test_a_desk_that_the_broker_does_not_let_send_says_so(desk: OrdersDesk) -> None:
    desk.send({ONE: CLEAR, TWO: CLEAR})
    desk.sender.acknowledged(1, refused=True)
    desk.sender.acknowledged(2, refused=False)
    assert desk.turn() == {ONE: ("refused", "not_let")}


def test_an_answer_in_the_book_outlives_the_silence_of_another_program(desk: OrdersDesk) -> None:
    desk.send({ONE: CLEAR}, "shared")
    other = OrdersDesk(desk.path, desk.key, desk.opened)
    desk.answer(desk.book.of("shared")[0])
    desk.turn()
    assert other.turn(SILENT_NS) == {ONE: ("silent", None)}
    assert desk.book.of("shared")[0].state is OrderState.ACCEPTED


def test_only_the_passphrase_unlocks_the_director_s_key(tmp_path: Path) -> None:
    files = HallFiles.make(tmp_path / "hall", "club", ("localhost",), b"correct horse")
    assert unlock_director(files.director, b"correct horse").public == files.director_public()
    for other in (b"wrong horse", b""):
        with pytest.raises(WrongPassphrase, check=with_fields(expected="the director's passphrase")):
            unlock_director(files.director, other)
    assert "private" not in repr(unlock_director(files.director, b"correct horse"))
