"""A journal that was set aside: its rows stay, the new one is taken beside it."""

from hall.listener.row_keeper import MAX_EPOCHS
from tests.hall.reporting import Device, Rig


def _anew(device: Device, text: str) -> None:
    device.rows, device.text = [], text
    device.write(2)


def test_both_journals_of_a_device_are_held_and_the_new_one_is_named(rig: Rig) -> None:
    device = Device()
    device.write(3)
    rig.report(device, "rows", device.batch(1, 3))
    first = device.epoch
    _anew(device, "second")
    rig.report(device, "rows", device.batch(1, 2))
    assert len(list(rig.store.rows(device.id, first))) == 3
    assert rig.seqs(device) == [1, 2]
    assert "new journal since 20" in rig.known(device).troubles["epoch"]


def test_a_beat_of_a_new_journal_asks_for_it_from_its_beginning(rig: Rig) -> None:
    device = Device()
    device.write(3)
    rig.report(device, "rows", device.batch(1, 3))
    _anew(device, "second")
    rig.report(device, "beat", device.beat())
    rig.pass_time(2)
    assert rig.wants(device) == [0]


def test_a_device_cannot_fill_the_store_with_new_journals(rig: Rig) -> None:
    device = Device()
    for number in range(MAX_EPOCHS + 20):
        _anew(device, str(number))
        rig.report(device, "rows", device.batch(1, 2))
    assert len(rig.store.epochs(device.id)) == MAX_EPOCHS
    assert "more than 100 new journals in a day" in rig.known(device).troubles["epochs"]
    rig.pass_time(86_401)
    rig.report(device, "rows", device.batch(1, 2))
    assert rig.seqs(device) == [1, 2]
