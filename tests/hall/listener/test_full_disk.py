"""A full disk at the listener: rows wait at the tables, the live view goes on, and once there is room everything is taken."""

from pathlib import Path

from tests.appliance.records.refusing import no_file_larger
from tests.hall.reporting import NS, TOPICS, Device, Rig


def _fill(rig: Rig, devices: list[Device]) -> None:
    for device in devices:
        device.write(20, body="x" * 1000)
        rig.report(device, "rows", device.batch(1, 20), turn=False)


def test_rows_that_could_not_be_written_are_asked_for_again_once_there_is_room(rig: Rig, tmp_path: Path) -> None:
    devices = [Device(str(number)) for number in range(5)]
    with no_file_larger((tmp_path / "hall.db-wal").stat().st_size + 4096):
        _fill(rig, devices)
        rig.listener.turn(rig.now)
        assert rig.hall.trouble is not None
        assert "The listener cannot write: the disk" in rig.hall.trouble
        assert "rows wait at the tables" in rig.hall.trouble
        assert rig.committed == []
        # The live view goes on.
        rig.report(devices[0], "state", devices[0].state(table=12))
        assert rig.known(devices[0]).table == 12
        rig.sent.clear()
        asked = 0
        for _ in range(10):
            rig.pass_time(5)
            wants = [topic for topic, _ in rig.sent if topic.endswith("/want")]
            rig.sent.clear()
            # Each is a try whether there is room: not all tables send everything again and again.
            assert len(wants) <= 1
            asked += len(wants)
        assert asked >= 5
    for _ in range(20):
        rig.pass_time(5)
        for device in devices:
            for after in rig.wants_of(device):
                rig.report(device, "rows", device.batch(after + 1, 20))
        rig.sent.clear()
    assert list(rig.hall.troubles()) == []
    for device in devices:
        assert rig.seqs(device) == list(range(1, 21))
    assert len(rig.committed) == 100


def test_a_beat_during_a_full_disk_is_answered(rig: Rig, tmp_path: Path) -> None:
    device = Device()
    with no_file_larger((tmp_path / "hall.db-wal").stat().st_size):
        _fill(rig, [device])
        rig.listener.turn(rig.now)
        rig.sent.clear()
        rig.now += NS
        rig.report(device, "beat", device.beat())
        assert TOPICS.to_device(device.id, "time") in {topic for topic, _ in rig.sent}
        assert rig.known(device).stale_since(rig.now) is None
