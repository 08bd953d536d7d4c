"""Two machines with one id: their boots alternate, which those of one machine never do."""

from tests.hall.reporting import Device, Rig


def test_two_machines_with_one_id_are_named(rig: Rig) -> None:
    one, other = Device(boot="boot-1"), Device(boot="boot-2")
    rig.report(one, "up", one.up())
    rig.report(other, "up", other.up())
    assert not rig.known(one).troubles
    rig.report(one, "up", one.up())
    assert "Two devices use the id" in rig.known(one).troubles["twins"]


def test_a_machine_that_restarts_and_loses_its_cable_is_no_twin(rig: Rig) -> None:
    device = Device()
    for boot in ("boot-1", "boot-1", "boot-2", "boot-2", "boot-3"):
        device.boot = boot
        rig.report(device, "up", device.up())
        rig.report(device, "up", device.up(up=False))
    assert not rig.known(device).troubles
