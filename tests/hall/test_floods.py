"""Too much from one device: the broker ends its connection or the link drops it, and everybody else goes on."""

from __future__ import annotations

from pathlib import Path

from hall.broker import LARGEST_PACKET
from tests.hall.client import connected
from tests.hall.conftest import TrialHall
from tests.hall.link.linked import LinkedDevice, link, listening, payloads, served
from tests.processes import until
from tools.trial_broker import Broker
from wire.topics import Topics


def test_a_message_of_10_mb_ends_the_senders_connection_alone(broker: Broker, trial_hall: TrialHall) -> None:
    topics = Topics(trial_hall.plan.hall)
    with (
        listening(broker, trial_hall) as listener,
        connected(broker, trial_hall.files.identity(trial_hall.other_clock)) as other,
        connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock,
    ):
        clock.publish(topics.of_device(trial_hall.clock, "state"), b"x" * 10_000_000, patient=False)
        clock.wait(lambda: bool(clock.ended), "the end of the connection")
        other.publish(topics.of_device(trial_hall.other_clock, "state"), b"{}")
        listener.wait(lambda: bool(listener.messages), "the other's state")
        assert listener.topics() == {topics.of_device(trial_hall.other_clock, "state")}
        assert other.ended == listener.ended == []


def test_the_largest_batch_of_rows_passes(broker: Broker, trial_hall: TrialHall) -> None:
    rows = Topics(trial_hall.plan.hall).of_device(trial_hall.clock, "rows")
    with listening(broker, trial_hall) as listener, connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock:
        assert clock.publish(rows, b"x" * (LARGEST_PACKET - len(rows) - 20)) < 0x80
        listener.wait(lambda: listener.topics() == {rows}, "the rows")


def test_a_listener_that_comes_late_gets_what_a_full_hall_keeps(broker: Broker, trial_hall: TrialHall) -> None:
    # Of 1,500 devices three values each, here of one.
    topics, count = Topics(trial_hall.plan.hall), 4500
    with connected(broker, trial_hall.files.identity(trial_hall.clock)) as clock:
        for number in range(count):
            clock.publish(topics.of_device(trial_hall.clock, f"state/{number}"), b"x" * 500, retain=True, patient=False)
        clock.wait(lambda: len(clock.answers) == count, "the broker's answers")
    with listening(broker, trial_hall) as listener:
        listener.wait(lambda: len(listener.topics()) == count, "all of them")


def test_a_flood_of_orders_reaches_the_device_20_a_second(broker: Broker, trial_hall: TrialHall, tmp_path: Path) -> None:
    clock, socket, count = trial_hall.clock, tmp_path / "hall.sock", 3000
    order = Topics(trial_hall.plan.hall).to_device(clock, "order")
    device = LinkedDevice(clock)
    with (
        listening(broker, trial_hall) as listener,
        served(device, socket),
        link(trial_hall.files.identity(clock), broker, socket),
        connected(broker, trial_hall.files.identity(trial_hall.desk)) as desk,
    ):
        listener.wait(lambda: payloads(listener, clock, "beat"), "a beat")
        for _ in range(count - 1):
            desk.publish(order, b"{}", patient=False)
        desk.publish(order, b"{}")
        # The broker too drops what is above its queue, so the sum may be smaller.
        listener.wait(lambda: payloads(listener, clock, "beat")[-1]["dropped"] > count // 4, "the count")
        assert 20 <= len(device.taken) < count // 4
        until(lambda: device.states[-1].up, "the link's state")
