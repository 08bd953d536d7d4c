"""Values that the broker has not delivered: a beat shows it, and the listener asks for them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.hall.reporting import TOPICS, Device, Rig
from wire.topics import checksum


def _asked(rig: Rig, device: Device) -> int:
    """Return how often values were asked for, and forget what was sent."""
    topic = TOPICS.to_device(device.id, "want")
    count = sum(found == topic and message == {"v": 1, "values": True} for found, message in rig.sent)
    rig.sent.clear()
    return count


def _kept(**values: dict[str, Any]) -> dict[str, Any]:
    return {"values": checksum({name: json.dumps(value).encode() for name, value in values.items()})}


@pytest.fixture
def device(rig: Rig) -> Device:
    found = Device()
    found.write()
    rig.report(found, "rows", found.batch(1, 1))
    return found


def test_a_lost_value_is_asked_for_after_a_second_and_then_once_in_five(rig: Rig, device: Device) -> None:
    rig.report(device, "up", device.up())
    rig.report(device, "beat", device.beat(**_kept(up=device.up(), state=device.state())))
    assert _asked(rig, device) == 0
    rig.pass_time(1)
    assert _asked(rig, device) == 1
    rig.pass_time(4.9)
    assert _asked(rig, device) == 0
    rig.pass_time(0.1)
    assert _asked(rig, device) == 1
    rig.report(device, "state", device.state())
    rig.pass_time(30)
    assert _asked(rig, device) == 0


def test_a_beat_may_overtake_the_value_that_it_speaks_of(rig: Rig, device: Device) -> None:
    rig.report(device, "beat", device.beat(**_kept(up=device.up())))
    rig.pass_time(0.9)
    rig.report(device, "up", device.up())
    rig.pass_time(30)
    assert _asked(rig, device) == 0


def test_a_late_will_is_corrected(rig: Rig, device: Device) -> None:
    rig.report(device, "up", device.up())
    rig.report(device, "up", device.up(up=False))
    rig.report(device, "beat", device.beat(**_kept(up=device.up())))
    rig.pass_time(1)
    assert _asked(rig, device) == 1


def test_a_call_whose_end_was_lost_is_asked_for(rig: Rig, device: Device) -> None:
    rig.report(device, "up", device.up())
    rig.report(device, "call", {"v": 1, "since": 5, "boot": "boot-1", "table": 4, "from": "players"})
    rig.report(device, "beat", device.beat(**_kept(up=device.up())))
    rig.pass_time(1)
    assert _asked(rig, device) == 1
    rig.report(device, "call", None)
    rig.pass_time(30)
    assert _asked(rig, device) == 0


def test_a_value_that_is_no_message_is_not_asked_for_again(rig: Rig, device: Device) -> None:
    rig.raw(device, "up", b"{")
    rig.report(device, "beat", device.beat(values=checksum({"up": b"{"})))
    rig.pass_time(30)
    assert _asked(rig, device) == 0
