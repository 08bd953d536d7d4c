"""What came of the clocks' guided tests: for the page of devices in one line, and for the sheet one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from hall.picture import RemoteDevice
from records.device_test import DeviceTest


class LastTest(Struct, frozen=True):
    wall: str
    """When, by the clock's own date."""
    test: DeviceTest


class TestedClock(Struct, frozen=True):
    name: str
    table: int | None
    last: LastTest | None
    """None: it has not been tested."""

    @property
    def failed(self) -> bool:
        return self.last is not None and bool(self.last.test.failed)


class TestedClocks(Struct, frozen=True):
    clocks: tuple[TestedClock, ...]
    """What has failed first, then what is not tested, each by table and name."""

    @property
    def tested(self) -> tuple[TestedClock, ...]:
        return tuple(each for each in self.clocks if each.last is not None)

    @property
    def failed(self) -> tuple[TestedClock, ...]:
        return tuple(each for each in self.clocks if each.failed)


def tested_clocks(devices: Sequence[RemoteDevice], tests: Mapping[str, LastTest]) -> TestedClocks:
    clocks = (TestedClock(each.name, each.table, tests.get(each.id)) for each in devices if not each.is_station)
    return TestedClocks(tuple(sorted(clocks, key=lambda each: (not each.failed, each.last is not None, each.table or 1000, each.name))))
