"""Messages that were recorded, played back with their senders' own certificates to a clock whose card was restored from an older copy."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from game.game import Phase
from hall.keys.files import Identity, unlock_director
from hall.orders.sender import body_of, new_id
from hall.picture import OrderAddress
from records.journal import Kind
from tests.hall.client import connected
from tests.hall.joined import CALL_NS, HALL, PASSPHRASE, JoinedHall, PlayedClock, joined_hall
from tests.hall.link.linked import payloads
from tests.installed import require
from tests.kiosk.shell.rig import Rig
from tests.processes import until
from tests.some import some
from wire.proposals import SignedBody
from wire.topics import Topics, signed_bytes

pytestmark = pytest.mark.waits(11)

TOPICS = Topics(HALL)


@dataclass
class Recorded:
    """A hall, and what its station and its desk have sent to the clock of table 12 after the copy of its card."""

    hall: JoinedHall
    verdict: str
    call: str
    order: str


def _challenged(clock: PlayedClock) -> None:
    clock.press("right")
    until(lambda: clock.game.running is not None, "a clock that runs")
    # A play, which can be challenged.
    clock.press("left")
    clock.press("centre", CALL_NS)
    clock.until("adjudication")


def _confirmed(clock: PlayedClock) -> None:
    clock.board.down("key")
    until(lambda: clock.loop._clock.table.menu is not None, "the director's menu")
    clock.press("ok")
    clock.board.up("key")
    until(lambda: clock.loop._clock.table.frozen is None, "times that are confirmed")


def _judged(station: Rig, clock: PlayedClock) -> tuple[str, str]:
    """Judge the clock's challenge and call the director; return verdict and call as the station's link has them."""
    line = some(station.loop._hall).line
    line.focus(12)
    until(lambda: line.stale_at is not None, "the clock of table 12")
    sent: list[Mapping[str, object]] = []
    send = line._send

    def noted(packet: Mapping[str, object]) -> bool:
        sent.append(packet)
        return send(packet)

    line._send = noted
    station.tap("12", "next")
    station.until(lambda: station.page == "words")
    station.tap("TILE", "finish", "adjudicate")
    clock.until("neutral")
    station.tap("director")
    until(lambda: clock.game.called, "the call")
    verdict, call = (str(packet["payload"]) for packet in sent if packet["t"] == "send")
    return verdict, call


def _asked_to_stop(hall: JoinedHall, clock: PlayedClock) -> str:
    key = unlock_director(hall.files.director, PASSPHRASE.encode())
    with connected(hall.broker, hall.files.identity("desk-1")) as desk:
        desk.subscribe(TOPICS.of_device("+", "#"))
        while True:
            desk.wait(lambda: all(payloads(desk, clock.device, what) for what in ("beat", "state")), "beat and state")
            state, beat = (payloads(desk, clock.device, what)[-1] for what in ("state", "beat"))
            name = new_id()
            address = OrderAddress(state["epoch"], state["game"], state["number"], beat["nonce"])
            body = body_of({"do": "stop", "text": "Fire"}, name, "desk-1", clock.device, address)
            order = SignedBody(body=body, signature=key.sign(signed_bytes("tc/1 order", HALL, body))).model_dump_json()
            desk.publish(TOPICS.to_device(clock.device, "order"), order.encode())
            desk.wait(lambda name=name: payloads(desk, clock.device, f"ack/{name}"), "an answer")
            # A busy machine may miss three beats.
            if payloads(desk, clock.device, f"ack/{name}")[0]["accepted"]:
                return order


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Recorded]:
    """A challenge at table 12, a copy of its card, the verdict and all else; then the card as it was."""
    require("mosquitto")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    with joined_hall(tmp_path) as hall:
        with hall.clock("red", 12) as clock:
            _challenged(clock)
        card, copy = hall.members["red"].folder / "journal.db", tmp_path / "copy.db"
        shutil.copy(card, copy)
        with hall.clock("red", 12) as clock, hall.station("A") as station:
            _confirmed(clock)
            order = _asked_to_stop(hall, clock)
            verdict, call = _judged(station, clock)
        shutil.copy(copy, card)
        yield Recorded(hall, verdict, call, order)


def test_no_verdict_call_or_order_acts_again_at_a_clock_whose_card_was_restored(recorded: Recorded) -> None:
    hall = recorded.hall
    station, desk = hall.members["A"], hall.files.identity("desk-1")
    with hall.clock("red", 12) as clock:
        until(lambda: some(clock.loop._clock.hall).link.value == "up", "its link")
        # The copy stands in the very challenge again, and knows none of the ids.
        _confirmed(clock)
        assert clock.game.phase is Phase.ADJUDICATION
        play_back = _playing_back(hall, clock)
        for payload in (recorded.verdict, recorded.call):
            assert play_back(station.identity, f"verdict/{station.id}", payload) == "stale"
        assert play_back(desk, "order", recorded.order) == "stale"
        assert (clock.game.phase, clock.game.called, some(clock.loop._clock.hall).stop) == (Phase.ADJUDICATION, False, None)
        # A verdict of now comes in.
        with hall.station("A") as judging:
            _judged(judging, clock)


def _playing_back(hall: JoinedHall, clock: PlayedClock) -> Callable[[Identity, str, str], str]:
    def answer(sender: Identity, topic: str, payload: str) -> str:
        before = len(clock.bodies(Kind.PROPOSAL))
        with connected(hall.broker, sender) as client:
            assert client.publish(TOPICS.to_device(clock.device, topic), payload.encode()) < 0x80
            until(lambda: len(clock.bodies(Kind.PROPOSAL)) > before, "the row of the answer")
        return str(clock.bodies(Kind.PROPOSAL)[-1]["answer"])

    return answer
