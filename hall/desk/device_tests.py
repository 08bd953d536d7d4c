"""The last guided test of each device, as the hall's rows have it; for the page of devices in one line, and for the sheet one by one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct

from faults.errors import TileclockError
from game.exact_json import Malformed, decode
from hall.picture import RemoteDevice
from hall.store.database import FAULTS, StorePlace
from hall.store.store import StoreReader, reading_store
from records.device_test import DEVICE_TEST, DeviceTest, tested_in
from records.entry import Kind as EntryKind
from records.journal import Kind, Row
from records.log import Row as LogRow


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


class KnownTests:
    """The tests of one store, of which each row is read once. Any thread."""

    def __init__(self, place: StorePlace) -> None:
        self._place = place
        self._known: dict[tuple[str, str], tuple[int, LastTest | None]] = {}
        """By device and epoch: how many rows were looked at, and the last test among them."""

    def of(self, devices: Iterable[RemoteDevice]) -> Mapping[str, LastTest]:
        """Return the last test of each of ``devices`` that has one in its present journal or log; where the store cannot be read now, as it was known."""
        records = [(device.id, device.epoch, device.held) for device in devices if device.epoch is not None]
        news = [each for each in records if self._known.get(each[:2], (0, None))[0] < each[2]]
        if news:
            with suppress(TileclockError, *FAULTS), reading_store(self._place) as store:
                for device, epoch, held in news:
                    looked, known = self._known.get((device, epoch), (0, None))
                    self._known[device, epoch] = held, _last(store, device, epoch, looked) or known
        return {device: last for device, epoch, _ in records if (last := self._known.get((device, epoch), (0, None))[1]) is not None}


def _last(store: StoreReader, device: str, epoch: str, after: int) -> LastTest | None:
    found = (_test_of(json.loads(row.fields)) for row in store.rows(device, epoch, after, DEVICE_TEST) if row.fields is not None)
    return next((each for each in reversed(list(found)) if each is not None), None)


_WALL: Final = {len(Row.__struct_fields__) + 1: 7, len(LogRow.__struct_fields__) + 1: 4}
"""Where a row of a journal and of a log has its wall time, by its number of fields."""


def _test_of(fields: list[Any]) -> LastTest | None:
    """Return the test that a row tells of; None: it tells of none. A device of the hall may send anything in a row."""
    if len(fields) in _WALL and fields[1] in (Kind.NOTE, EntryKind.SELF_TEST):
        with suppress(Malformed, TypeError, AttributeError):
            test = tested_in(decode(fields[-1]))
            return None if test is None else LastTest(str(fields[_WALL[len(fields)]]), test)
    return None
