"""Orders that are not the director's, or not for now: each really comes to a real clock over a real broker, changes nothing there, and leaves a row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from game.journal.row import Kind
from hall.keys.authority import public_text
from hall.keys.director import DirectorKey, unlock_director
from hall.orders.instruction import Instruction, body_of, notice, stop
from hall.orders.sender import new_id
from hall.picture.hall import OrderAddress
from tests.hall.client import TestClient, connected
from tests.hall.joined import HALL, PASSPHRASE, JoinedHall, PlayedClock, joined_hall
from tests.hall.link.linked import payloads
from tests.installed import require
from tests.processes import until
from wire.proposals import SignedOrder
from wire.signed_bytes import order_bytes
from wire.topics import CLOCK, Topics

TOPICS = Topics(HALL)
FIRE = stop("Fire alarm")
OLD_NONCE = "0" * 32


@dataclass
class Sender:
    """Whoever has the desk's certificate, and hears what a desk hears."""

    hall: JoinedHall
    clock: PlayedClock
    client: TestClient
    key: DirectorKey

    def order(
        self, act: Instruction, key: DirectorKey | None = None, *, nonce: str | None = None, device: str | None = None
    ) -> tuple[str, bytes]:
        """Return an order's id and its bytes, made for the clock as it stands now."""
        state, beat = (payloads(self.client, self.clock.device, what)[-1] for what in ("state", "beat"))
        name = new_id()
        to = OrderAddress(state["epoch"], state["game"], state["number"], nonce or beat["nonce"])
        body = body_of(act, name, "desk-1", device or self.clock.device, to)
        signature = (key or self.key).sign(order_bytes(HALL, body))
        return name, SignedOrder(body=body, signature=signature).model_dump_json().encode()

    def send(self, payload: bytes) -> None:
        assert self.client.publish(TOPICS.to_device(self.clock.device, "order"), payload) < 0x80

    def answers(self, name: str) -> list[str | None]:
        """Return the clock's answers to an order so far: the reasons; None: accepted."""
        return [each["reason"] for each in payloads(self.client, self.clock.device, f"ack/{name}")]

    def refused(self, name: str, reason: str, times: int = 1) -> None:
        """Wait for the answer and the row, and see that the game and the face are as before."""
        self.client.wait(lambda: self.answers(name)[-times:] == [reason] * times, reason)
        until(lambda: (name, reason) in [(body["id"], body["answer"]) for body in self.clock.bodies(Kind.PROPOSAL)], "the row")
        assert (self.clock.game.phase.value, self.clock.face.stop_asked) == ("running", False)

    def accepted(self, act: Instruction) -> tuple[str, bytes]:
        """Send a genuine order until it comes in time: a new connection begins with many beats, and a busy machine may miss three of them."""
        while True:
            name, payload = self.order(act)
            self.send(payload)
            self.client.wait(lambda name=name: self.answers(name), "an answer")
            if self.answers(name) == [None]:
                return name, payload
            assert self.answers(name) == ["stale"]


@pytest.fixture(scope="module")
def sender(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sender]:
    require("mosquitto")
    with ExitStack() as stack:
        hall = stack.enter_context(joined_hall(tmp_path_factory.mktemp("f")))
        # A clock with a hard freeze: an order that came through would stop its game.
        clock = stack.enter_context(hall.clock("hard", 12, hall__freeze="hard"))
        client = stack.enter_context(connected(hall.broker, hall.files.identity("desk-1")))
        client.subscribe(TOPICS.of_device("+", "#"))
        clock.press("right")
        clock.until("running")
        client.wait(lambda: any(state["phase"] == "running" for state in payloads(client, clock.device, "state")), "its state")
        client.wait(lambda: payloads(client, clock.device, "beat"), "a beat")
        yield Sender(hall, clock, client, unlock_director(hall.files.director, PASSPHRASE.encode()))


def test_an_order_of_another_key_stops_no_clock(sender: Sender) -> None:
    stranger = Ed25519PrivateKey.generate()
    name, payload = sender.order(FIRE, DirectorKey(public_text(stranger), stranger))
    sender.send(payload)
    sender.refused(name, "bad_signature")


def test_a_genuine_order_with_another_act_written_into_it_is_refused(sender: Sender) -> None:
    name, payload = sender.order(notice("Lunch at noon", 60))
    order = json.loads(payload)
    body = json.loads(order["body"])
    del body["seconds"]
    sender.send(json.dumps({**order, "body": json.dumps({**body, "do": "stop"})}).encode())
    sender.refused(name, "bad_signature")


def test_an_order_that_is_played_back_is_refused_each_time(sender: Sender) -> None:
    name, payload = sender.accepted(notice("Round 4 at noon", 60))
    for times in (1, 2):
        sender.send(payload)
        sender.refused(name, "repeated", times)
    assert [body["answer"] for body in sender.clock.bodies(Kind.PROPOSAL) if body["id"] == name].count("accepted") == 1


def test_a_genuine_order_of_before_the_last_beats_is_refused(sender: Sender) -> None:
    name, payload = sender.order(FIRE, nonce=OLD_NONCE)
    sender.send(payload)
    sender.refused(name, "stale")


def test_an_order_for_another_clock_is_refused_at_this_one(sender: Sender) -> None:
    name, payload = sender.order(FIRE, device="c-" + "a" * 16)
    sender.send(payload)
    sender.refused(name, "other_device")


def test_nobody_but_a_desk_may_pass_on_even_a_genuine_order(sender: Sender) -> None:
    before, (name, payload) = sender.clock.bodies(Kind.PROPOSAL), sender.order(FIRE)
    other = sender.hall._member("other", CLOCK)
    with connected(sender.hall.broker, other.identity) as device:
        assert device.publish(TOPICS.to_device(sender.clock.device, "order"), payload) == 0x87
    # What a desk sends afterwards is answered, so whatever came before has come.
    sender.accepted(notice("Lunch", 60))
    assert sender.answers(name) == []
    assert [each for each in sender.clock.bodies(Kind.PROPOSAL) if each["id"] == name] == []
    assert sender.clock.game.phase.value == "running"
    assert before == sender.clock.bodies(Kind.PROPOSAL)[: len(before)]


def test_an_order_that_the_broker_kept_is_refused_when_the_clock_comes(sender: Sender) -> None:
    late = sender.hall._member("late", CLOCK)
    name = new_id()
    body = body_of(FIRE, name, "desk-1", late.id, OrderAddress("0" * 16, 1, 1, OLD_NONCE))
    payload = SignedOrder(body=body, signature=sender.key.sign(order_bytes(HALL, body))).model_dump_json().encode()
    assert sender.client.publish(TOPICS.to_device(late.id, "order"), payload, retain=True) < 0x80
    with sender.hall.clock("late", 13) as clock:
        until(lambda: [(each["id"], each["answer"]) for each in clock.bodies(Kind.PROPOSAL)] == [(name, "retained")], "the refusal")
        assert not clock.face.stop_asked
