"""Messages that are none of version 1: dropped, counted, and named with their device."""

import json

import pytest

from tests.hall.reporting import NS, TOPICS, Device, Rig

NOISE = [
    b"{",
    b"\xff\xfe",
    b"[]",
    b"null",
    b"9" * 100_000,
    b"[" * 100_000,
    b'{"v": 2}',
    b'{"v": 1}',
    b'{"v": "1", "up": true}',
]


@pytest.mark.parametrize("payload", NOISE, ids=range(len(NOISE)))
@pytest.mark.parametrize("what", ["up", "state", "rows", "beat", "call"])
def test_noise_is_counted_and_changes_nothing(rig: Rig, what: str, payload: bytes) -> None:
    device = Device()
    rig.raw(device, what, payload)
    known = rig.known(device)
    assert known.refused_messages == 1
    assert "expected messages of version 1, found 1 that are none" in known.troubles["messages"]
    assert (known.presence, known.clock, known.beat, known.call, rig.sent, rig.store.devices()) == (None, None, None, None, [], ())


def test_a_batch_that_does_not_count_its_rows_is_none(rig: Rig) -> None:
    device = Device()
    device.write(3)
    rig.report(device, "rows", {**device.batch(1, 3), "last": 4})
    rig.report(device, "rows", {**device.batch(1, 3), "first": 2, "last": 4})
    assert rig.known(device).refused_messages == 2
    assert rig.seqs(device) == []


def test_topics_of_others_are_not_looked_at(rig: Rig) -> None:
    device = Device()
    for topic in (f"tc/1/other/dev/{device.id}/up", f"tc/1/{TOPICS.hall}/dev/x/up", TOPICS.to_device(device.id, "want"), TOPICS.root):
        rig.listener.take(topic, json.dumps(device.up()).encode(), rig.now)
    assert rig.hall.devices == {}


def test_a_call_stays_until_it_is_closed_and_comes_first(rig: Rig) -> None:
    calling, other = Device("calling"), Device("other")
    for device, table in ((calling, 40), (other, 3)):
        device.write()
        rig.report(device, "beat", device.beat())
        rig.report(device, "state", device.state(table=table))
    assert [each.table for each in rig.hall.by_need(rig.now)] == [3, 40]
    rig.report(calling, "call", {"v": 1, "since": 5, "boot": "boot-1", "table": 40, "from": "players"})
    since = rig.now
    rig.now += NS
    # After a reconnection the link publishes it again.
    rig.report(calling, "call", {"v": 1, "since": 5, "boot": "boot-1", "table": 40, "from": "players"})
    assert [(each.table, each.called_at) for each in rig.hall.by_need(rig.now)] == [(40, since), (3, None)]
    rig.report(calling, "call", None)
    assert [each.table for each in rig.hall.by_need(rig.now)] == [3, 40]


def test_two_clocks_at_one_table_are_named(rig: Rig) -> None:
    for name in ("one", "other"):
        device = Device(name)
        rig.report(device, "up", device.up(table=12, name=name))
    assert list(rig.hall.troubles()) == ["2 clocks report table 12: one, other."]
