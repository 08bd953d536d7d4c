"""Signed heads and their roots: what the listener has received can be shown later."""

import json
from typing import Any

from tests.hall.reporting import TOPICS, Device, Rig
from wire.signed_bytes import KnownHead, RootOfHeads, next_root, root_of


def _roots(rig: Rig) -> list[dict[str, Any]]:
    return [message for topic, message in rig.sent if topic == TOPICS.root]


def test_heads_in_rows_and_beats_are_covered_by_one_root_a_minute(rig: Rig) -> None:
    one, other = Device("one"), Device("other")
    for device in (one, other):
        device.write(2)
    one.write(1, "signed", json.dumps(one.signed(2)))
    rig.report(one, "rows", one.batch(1, 3))
    rig.report(other, "rows", other.batch(1, 2))
    rig.report(other, "beat", other.beat(signed=other.signed(1)))
    rig.report(other, "beat", other.beat(signed=other.signed(1)))
    rig.pass_time(61)
    (published,) = _roots(rig)
    heads = sorted([f"{one.id} {one.epoch} 2 {one.rows[1][0]}", f"{other.id} {other.epoch} 1 {other.rows[0][0]}"])
    assert rig.store.last_root() == RootOfHeads(1, root_of("0" * 64, heads), tuple(heads))
    assert (published["n"], published["root"]) == (1, rig.store.last_root().root)
    rig.pass_time(61)
    assert len(_roots(rig)) == 1
    rig.sent.clear()
    rig.listener.connected()
    assert len(_roots(rig)) == 1


def test_a_root_covers_the_one_before() -> None:
    heads = [KnownHead("c-a", "e", 1, "ab")]
    first = next_root(RootOfHeads(0, "0" * 64, ()), heads)
    assert next_root(first, heads).root not in {first.root, next_root(RootOfHeads(1, "1" * 64, ()), heads).root}


def test_a_signed_row_that_is_none_is_a_row_like_any_other(rig: Rig) -> None:
    device = Device()
    for body in ("{", "[]", "{}", "[" * 5000):
        device.write(1, "signed", body)
    rig.report(device, "rows", device.batch(1, 4))
    assert rig.seqs(device) == [1, 2, 3, 4]
    assert rig.store.heads_without_root() == ()


def test_a_head_that_another_key_signed_is_none(rig: Rig) -> None:
    device, other = Device("one"), Device("other")
    device.write(2)
    other.rows = device.rows
    rig.report(device, "beat", device.beat(signed=other.signed(2)))
    rig.report(device, "beat", device.beat(signed=device.signed(2) | {"signature": other.signed(2)["signature"]}))
    rig.report(device, "beat", device.beat(signed=device.signed(2) | {"root": "1:ab"}))
    assert rig.store.heads_without_root() == ()
    rig.report(device, "beat", device.beat(signed=device.signed(2)))
    assert len(rig.store.heads_without_root()) == 1
