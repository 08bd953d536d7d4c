"""A journal that was rewritten or cut: nothing of that epoch is taken any more, what is held stays, and it is shown."""

from typing import Any

import pytest

from tests.hall.reporting import Device, Rig


def _with_five_rows(rig: Rig) -> Device:
    device = Device()
    device.write(5)
    rig.report(device, "rows", device.batch(1, 5))
    return device


def _contradictions(rig: Rig) -> list[Any]:
    return list(rig.store._connection().exec_driver_sql("SELECT seq, hash FROM contradictions"))


def test_another_row_in_the_place_of_one_held_is_a_fork(rig: Rig) -> None:
    device = _with_five_rows(rig)
    held = list(rig.store.rows(device.id, device.epoch))
    rewritten = Device()
    rewritten.rows = device.rows[:3]
    rewritten.text = "changed"
    rewritten.write(4)
    rig.report(device, "rows", rewritten.batch(3, 7))
    assert list(rig.store.rows(device.id, device.epoch)) == held
    assert _contradictions(rig) == [(4, rewritten.rows[3][0])]
    assert "row 4 is not the one held" in rig.known(device).troubles["rows"]
    device.write()
    rig.report(device, "rows", device.batch(6, 6))
    assert rig.seqs(device) == [1, 2, 3, 4, 5]
    rig.pass_time(60)
    assert rig.wants(device) == []


def test_a_chain_anew_from_before_the_batch_is_a_fork(rig: Rig) -> None:
    device = _with_five_rows(rig)
    rewritten = Device()
    rewritten.rows = device.rows[:1]
    rewritten.text = "changed"
    rewritten.write(6)
    rig.report(device, "rows", rewritten.batch(6, 7))
    assert "row 5 is not the one held" in rig.known(device).troubles["rows"]


@pytest.mark.parametrize("place", range(1, 9))
def test_a_field_that_was_changed_breaks_the_chain(rig: Rig, place: int) -> None:
    device = _with_five_rows(rig)
    device.write(2)
    batch = device.batch(6, 7)
    digest, fields = batch["rows"][0]
    batch["rows"] = [(digest, [*fields[:place], "other", *fields[place + 1 :]]), batch["rows"][1]]
    rig.report(device, "rows", batch)
    assert "row 6 does not follow" in rig.known(device).troubles["rows"]
    assert rig.seqs(device) == [1, 2, 3, 4, 5]


def test_a_beat_with_another_head_is_a_fork(rig: Rig) -> None:
    device = _with_five_rows(rig)
    rig.report(device, "beat", device.beat(head="ab" * 32))
    assert "row 5 is not the one held" in rig.known(device).troubles["rows"]


def test_a_beat_with_fewer_rows_means_a_journal_that_was_cut(rig: Rig) -> None:
    device = _with_five_rows(rig)
    device.rows = device.rows[:3]
    rig.report(device, "beat", device.beat())
    assert "its journal ends at row 3; the hall holds 5" in rig.known(device).troubles["rows"]
    # What follows is another history, even where it follows from a row that is held.
    device.text = "again"
    device.write(4)
    rig.report(device, "rows", device.batch(4, 7))
    assert rig.seqs(device) == [1, 2, 3, 4, 5]


def test_a_chain_under_a_foreign_epoch_is_not_taken(rig: Rig) -> None:
    device = Device()
    device.write(2)
    rig.report(device, "rows", {**device.batch(1, 2), "epoch": "0" * 16})
    assert list(rig.store.rows(device.id, "0" * 16)) == []
    assert "row 1 does not follow" in rig.known(device).troubles["rows"]


def test_a_fork_is_known_after_a_restart_of_the_listener(rig: Rig) -> None:
    device = _with_five_rows(rig)
    rig.report(device, "beat", device.beat(head="ab" * 32))
    again = Rig(rig.store)
    again.report(device, "beat", device.beat())
    assert "row 5 is not the one held" in again.known(device).troubles["rows"]
