"""``tilehall link`` between a real local socket and a real broker."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.hall.client import connected
from tests.hall.conftest import TrialHall
from tests.hall.link.linked import EPOCH, LinkedDevice, link, listening, payloads, seqs, served, value
from tests.processes import until
from tools.trial_broker import Broker
from wire.topics import KEPT, Topics, checksum

pytestmark = pytest.mark.waits(25)


def test_state_rows_and_beats_reach_the_listener(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    device = LinkedDevice(clock, last=80)
    with (
        listening(broker, trial_hall) as listener,
        served(device, socket) as server,
        link(trial_hall.files.identity(clock), broker, socket),
    ):
        listener.wait(lambda: payloads(listener, clock, "beat"), "a beat")
        assert payloads(listener, clock, "up")[0] == {"v": 1, "up": True, "kind": "clock", "table": 12}
        assert payloads(listener, clock, "state")[0]["phase"] == "ready"
        beat = payloads(listener, clock, "beat")[0]
        assert (beat["seq"], beat["lag"], beat["dropped"], beat["echo"]) == (80, 0, 0, None)
        # It begins at the journal's end, and what is committed goes at once.
        until(lambda: bool(device.threads), "a request for rows")
        device.last = 82
        server.committed()
        listener.wait(lambda: seqs(listener, clock) == [81, 82], "the rows")
        # An open call, and its end.
        server.put("call", value(v=1, since=5))
        listener.wait(lambda: payloads(listener, clock, "call")[-1:] == [{"v": 1, "since": 5}], "the call")
        server.put("call", None)
        listener.wait(lambda: payloads(listener, clock, "call")[-1] is None, "the end of the call")
        until(lambda: any(state.up for state in device.states), "the link's state")


def test_the_listener_gets_the_rows_that_it_asks_for(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    want = Topics(trial_hall.plan.hall).to_device(clock, "want")
    device = LinkedDevice(clock, last=1050)
    with listening(broker, trial_hall) as listener, served(device, socket), link(trial_hall.files.identity(clock), broker, socket):
        listener.wait(lambda: payloads(listener, clock, "beat"), "a beat")
        listener.publish(want, json.dumps({"v": 1, "epoch": "f" * 16, "after": 0}).encode())
        listener.publish(want, json.dumps({"v": 1, "epoch": EPOCH, "after": 20}).encode())
        listener.wait(lambda: len(seqs(listener, clock)) >= 1030, "the rows")
        assert seqs(listener, clock) == list(range(21, 1051))


def test_the_listener_gets_the_values_that_it_asks_for(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    topics = Topics(trial_hall.plan.hall)
    with listening(broker, trial_hall) as listener, served(LinkedDevice(clock), socket) as server:
        server.put("call", value(v=1, since=5))
        with link(trial_hall.files.identity(clock), broker, socket):
            listener.wait(lambda: payloads(listener, clock, "call")[-1:] == [{"v": 1, "since": 5}], "the call")
            server.put("call", None)
            listener.wait(lambda: payloads(listener, clock, "call")[-1] is None, "the end of the call")
            latest = {topic.rpartition("/")[2]: payload for topic, payload, _ in tuple(listener.messages)}
            listener.wait(
                lambda: payloads(listener, clock, "beat")[-1:] and payloads(listener, clock, "beat")[-1]["values"] == checksum(latest),
                "its sum",
            )
            listener.messages.clear()
            listener.publish(topics.to_device(clock, "want"), b'{"v": 1, "values": true}')
            for what in KEPT:
                listener.wait(lambda what=what: payloads(listener, clock, what), what)
                assert next(payload for topic, payload, _ in tuple(listener.messages) if topic.endswith(f"/{what}")) == latest[what]


def test_four_stamps_come_back_in_the_next_beat(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    time = Topics(trial_hall.plan.hall).to_device(clock, "time")
    with (
        listening(broker, trial_hall) as listener,
        served(LinkedDevice(clock), socket),
        link(trial_hall.files.identity(clock), broker, socket),
    ):
        listener.wait(lambda: payloads(listener, clock, "beat"), "a beat")
        # The first ones follow each other quickly, so one of them is the next.
        sent = payloads(listener, clock, "beat")[-1]["sent"]
        listener.publish(time, json.dumps({"v": 1, "boot": "l", "t1": sent, "t2": 7, "t3": 8}).encode())
        listener.wait(lambda: any(beat["echo"] for beat in payloads(listener, clock, "beat")), "an echo")
        echo = next(beat["echo"] for beat in payloads(listener, clock, "beat") if beat["echo"])
        assert (echo["t1"], echo["t2"], echo["t3"]) == (sent, 7, 8)
        assert echo["t4"] > sent


def test_orders_reach_the_device_unread(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    topics = Topics(trial_hall.plan.hall)
    device = LinkedDevice(clock)
    with (
        listening(broker, trial_hall) as listener,
        served(device, socket) as server,
        link(trial_hall.files.identity(clock), broker, socket),
        connected(broker, trial_hall.files.identity(trial_hall.desk)) as desk,
        connected(broker, trial_hall.files.identity(trial_hall.station)) as station,
    ):
        listener.wait(lambda: payloads(listener, clock, "beat"), "a beat")
        desk.publish(topics.to_device(clock, "order"), b"{not even JSON")
        station.publish(topics.to_device(clock, f"verdict/{trial_hall.station}"), "é".encode())
        until(lambda: len(device.taken) == 2, "both")
        assert sorted(device.taken) == [("order", "{not even JSON", False), (f"verdict/{trial_hall.station}", "é", False)]
        # Too large for the socket, and no text: thrown away, counted, and the link goes on.
        desk.publish(topics.to_device(clock, "order"), b"x" * 9000)
        desk.publish(topics.to_device(clock, "order"), b"\xff")
        server.put("ack/" + "a" * 32, value(v=1, accepted=False))
        listener.wait(lambda: payloads(listener, clock, "ack/" + "a" * 32), "the answer")
        listener.wait(lambda: payloads(listener, clock, "beat")[-1]["dropped"] == 2, "the count")
        assert len(device.taken) == 2


def test_a_retained_order_is_marked(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    device = LinkedDevice(clock)
    with connected(broker, trial_hall.files.identity(trial_hall.desk)) as desk:
        desk.publish(Topics(trial_hall.plan.hall).to_device(clock, "order"), b"{}", retain=True)
    with served(device, socket), link(trial_hall.files.identity(clock), broker, socket):
        until(lambda: device.taken == [("order", "{}", True)], "the order")


def test_a_restarted_broker_gets_everything_again(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    device = LinkedDevice(clock, last=3)
    with served(device, socket) as server, link(trial_hall.files.identity(clock), broker, socket):
        server.put("call", value(v=1, since=5))
        until(lambda: any(state.up for state in device.states), "the link's state")
        broker.kill()
        until(lambda: not device.states[-1].up, "the loss")
        assert f"{broker.port}" in device.states[-1].why or "connection" in device.states[-1].why
        server.put("state", value(v=1, phase="running"))
        broker.restart()
        with listening(broker, trial_hall) as listener:
            for what in ("up", "state", "call"):
                listener.wait(lambda what=what: payloads(listener, clock, what), what)
            assert payloads(listener, clock, "state")[-1]["phase"] == "running"
            assert payloads(listener, clock, "call")[-1] == {"v": 1, "since": 5}


def test_the_will_comes_5_s_after_a_kill_and_not_after_a_quick_restart(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    identity = trial_hall.files.identity(clock)
    with listening(broker, trial_hall) as listener, served(LinkedDevice(clock), socket):
        with link(identity, broker, socket) as killed:
            listener.wait(lambda: payloads(listener, clock, "up"), "up")
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        with link(identity, broker, socket) as ended:
            listener.wait(lambda: len(payloads(listener, clock, "up")) >= 2, "up again")
            assert [up["up"] for up in payloads(listener, clock, "up")] == [True, True]
            ended.send_signal(signal.SIGTERM)
            assert ended.wait(60) == 0
        listener.wait(lambda: not payloads(listener, clock, "up")[-1]["up"], "the will")


def test_a_device_that_goes_and_comes_back_is_linked_again(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    with listening(broker, trial_hall) as listener, link(trial_hall.files.identity(clock), broker, socket):
        for number in (1, 2):
            with served(LinkedDevice(clock), socket):
                listener.wait(lambda number=number: len(payloads(listener, clock, "beat")) >= number, "a beat")
            before = len(payloads(listener, clock, "beat"))
            listener.wait(lambda: payloads(listener, clock, "up")[-1]["up"] is False, "the will")
            assert len(payloads(listener, clock, "beat")) <= before + 1


def test_the_lean_process_has_only_what_it_needs(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket = trial_hall.clock, tmp_path / "hall.sock"
    device = LinkedDevice(clock, last=500)
    with (
        listening(broker, trial_hall) as listener,
        served(device, socket) as server,
        link(trial_hall.files.identity(clock), broker, socket, MALLOC_ARENA_MAX="1") as process,
    ):
        listener.wait(lambda: payloads(listener, clock, "beat"), "a beat")
        listener.publish(Topics(trial_hall.plan.hall).to_device(clock, "want"), json.dumps({"v": 1, "epoch": EPOCH, "after": 0}).encode())
        for _ in range(50):
            device.last += 1
            server.committed()
            server.put("state", value(v=1, phase="running", at=device.last))
            threading.Event().wait(0.02)
        listener.wait(lambda: seqs(listener, clock)[-1:] == [550], "the rows")
        threads = int(_status(process.pid)["Threads"])
        maps = Path(f"/proc/{process.pid}/maps").read_text(encoding="utf-8")
    assert threads == 1
    assert not [line for line in maps.splitlines() if any(each in line for each in ("pydantic", "cryptography", "sqlite"))]


def test_the_lean_process_imports_no_more() -> None:
    code = "import sys, hall.link.__main__; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", code], check=True, capture_output=True, text=True)
    ours = {each for each in done.stdout.split() if each.startswith(("appliance.", "hall.", "wire."))}
    assert ours <= {"appliance.version", "wire.local", "wire.local.client", "wire.topics"} | {
        each for each in ours if each.startswith("hall.link")
    }
    assert not {"dataclasses", "email", "http.client", "inspect", "pydantic", "click"} & set(done.stdout.split())


def _status(pid: int) -> dict[str, str]:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
