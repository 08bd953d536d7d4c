"""Rows at the listener: each is held once, in order, and what is missing is asked for."""

import json
import random
from contextlib import closing
from pathlib import Path

from appliance.records.chain import GENESIS, chained
from hall.store.store import open_store
from tests.hall.reporting import NS, TOPICS, Device, Rig
from tests.hall.reporting import rig as made


def test_rows_are_held_as_they_were_hashed(rig: Rig) -> None:
    device = Device(text='"é"\\u2028')
    device.write(3)
    rig.report(device, "rows", device.batch(1, 3))
    previous = GENESIS
    for row in rig.store.rows(device.id, device.epoch):
        assert row.fields is not None
        assert chained(previous, json.loads(row.fields)) == row.hash
        previous = row.hash
    assert previous == device.head


def test_every_row_is_held_once_whatever_the_order_and_number_of_its_arrivals(rig: Rig) -> None:
    device = Device()
    device.write(60)
    chance = random.Random(5)  # noqa: S311 - a test
    for _ in range(300):
        first = chance.randint(1, 60)
        rig.report(device, "rows", device.batch(first, min(60, first + chance.randint(0, 9))), turn=chance.random() < 0.3)
    rig.report(device, "rows", device.batch(1, 60))
    assert rig.seqs(device) == list(range(1, 61))
    assert rig.committed == [(device.id, seq) for seq in range(1, 61)]


def test_a_gap_is_asked_for_at_once_and_then_once_in_five_seconds(rig: Rig) -> None:
    device = Device()
    device.write(20)
    rig.report(device, "rows", device.batch(1, 5))
    rig.report(device, "rows", device.batch(8, 9))
    assert rig.wants(device) == [5]
    for _ in range(49):
        rig.report(device, "rows", device.batch(10, 10))
        rig.pass_time(0.1)
    assert rig.wants(device) == []
    rig.pass_time(0.2)
    assert rig.wants(device) == [5]
    assert rig.seqs(device) == [1, 2, 3, 4, 5]


def test_a_beat_that_overtakes_its_rows_asks_for_nothing(rig: Rig) -> None:
    device = Device()
    device.write(2)
    rig.report(device, "rows", device.batch(1, 2))
    device.write()
    rig.report(device, "beat", device.beat())
    rig.pass_time(0.9)
    rig.report(device, "rows", device.batch(3, 3))
    rig.pass_time(60)
    assert rig.wants(device) == []


def test_a_beat_shows_rows_that_never_came(rig: Rig) -> None:
    device = Device()
    device.write(4)
    rig.report(device, "beat", device.beat())
    rig.pass_time(1.1)
    assert rig.wants(device) == [0]


def test_rows_that_are_arriving_are_not_asked_for_again(rig: Rig) -> None:
    device = Device()
    device.write(1000)
    rig.report(device, "beat", device.beat())
    rig.pass_time(1.1)
    assert rig.wants(device) == [0]
    for first in range(1, 1000, 10):
        rig.report(device, "rows", device.batch(first, first + 9))
        rig.pass_time(0.9)
    assert rig.wants(device) == []
    assert len(rig.seqs(device)) == 1000


def test_a_row_too_large_for_a_message_is_held_by_its_hash(rig: Rig) -> None:
    device = Device()
    device.write(3)
    batch = device.batch(1, 3)
    batch["rows"] = [device.rows[0], (device.rows[1][0], None), device.rows[2]]
    rig.report(device, "rows", batch)
    assert [(row.seq, row.fields is None) for row in rig.store.rows(device.id, device.epoch)] == [(1, False), (2, True), (3, False)]


def test_a_restarted_listener_goes_on_where_it_was(tmp_path: Path) -> None:
    device = Device()
    device.write(9)
    with made(tmp_path) as first:
        first.report(device, "rows", device.batch(1, 4))
        # Not committed: a kill -9 takes it.
        first.report(device, "rows", device.batch(5, 6), turn=False)
    with made(tmp_path) as second:
        second.report(device, "beat", device.beat())
        second.pass_time(2)
        assert second.wants(device) == [4]
        second.report(device, "rows", device.batch(5, 9))
        assert second.seqs(device) == list(range(1, 10))


def test_a_damaged_store_is_set_aside_and_filled_again_by_the_devices(tmp_path: Path) -> None:
    device = Device()
    device.write(40)
    with made(tmp_path) as first:
        first.report(device, "rows", device.batch(1, 40))
    path = tmp_path / "hall.db"
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    store, aside = open_store(path, TOPICS.hall)
    with closing(store):
        assert aside is not None
        assert aside.exists()
        rig = Rig(store)
        rig.report(device, "beat", device.beat())
        rig.pass_time(2)
        assert rig.wants(device) == [0]
        rig.report(device, "rows", device.batch(1, 40))
        assert rig.seqs(device) == list(range(1, 41))


def test_wants_of_a_thousand_devices_go_out_in_one_turn(rig: Rig) -> None:
    devices = [Device(str(number)) for number in range(1000)]
    for device in devices:
        device.write(2)
        rig.report(device, "beat", device.beat(), turn=False)
    rig.listener.turn(rig.now + 2 * NS)
    assert sum(topic.endswith("/want") for topic, _ in rig.sent) == 1000
