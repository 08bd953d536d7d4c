"""What came of the guided tests: for the page of devices in one line, and for the sheet one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from hall.picture import RemoteDevice
from records.device_test import DeviceTest


class LastTest(Struct, frozen=True):
    wall: str
    """When, by the device's own date."""
    test: DeviceTest


class TestedDevice(Struct, frozen=True):
    name: str
    table: int | None
    last: LastTest | None
    """None: it has not been tested."""

    @property
    def failed(self) -> bool:
        return self.last is not None and bool(self.last.test.failed)


class TestedDevices(Struct, frozen=True):
    devices: tuple[TestedDevice, ...]
    """What has failed first, then what is not tested, each by table and name."""

    @property
    def tested(self) -> tuple[TestedDevice, ...]:
        return tuple(each for each in self.devices if each.last is not None)

    @property
    def failed(self) -> tuple[TestedDevice, ...]:
        return tuple(each for each in self.devices if each.failed)


def tested_devices(devices: Sequence[RemoteDevice], tests: Mapping[str, LastTest]) -> TestedDevices:
    known = (TestedDevice(each.name, None if each.is_station else each.table, tests.get(each.id)) for each in devices)
    return TestedDevices(tuple(sorted(known, key=lambda each: (not each.failed, each.last is not None, each.table or 1000, each.name))))
