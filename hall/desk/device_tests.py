"""The last guided test of each clock, as the hall's rows have it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress

from faults.errors import TileclockError
from game.exact_json import Malformed, decode
from hall.desk.tiles.device_test import LastTest
from hall.picture import RemoteDevice
from hall.store.database import FAULTS, StorePlace
from hall.store.store import StoreReader, reading_store, stored_rows
from records.device_test import DEVICE_TEST, tested_in
from records.journal import Kind


class KnownTests:
    """The tests of one store, of which each row is read once. Any thread."""

    def __init__(self, place: StorePlace) -> None:
        self._place = place
        self._known: dict[tuple[str, str], tuple[int, LastTest | None]] = {}
        """By device and epoch: how many rows were looked at, and the last test among them."""

    def of(self, devices: Iterable[RemoteDevice]) -> Mapping[str, LastTest]:
        """Return the last test of each of ``devices`` that has one in its present journal; where the store cannot be read now, as it was known."""
        clocks = [(device.id, device.epoch, device.held) for device in devices if device.epoch is not None and not device.is_station]
        news = [each for each in clocks if self._known.get(each[:2], (0, None))[0] < each[2]]
        if news:
            with suppress(TileclockError, *FAULTS), reading_store(self._place) as store:
                for device, epoch, held in news:
                    looked, known = self._known.get((device, epoch), (0, None))
                    self._known[device, epoch] = held, _last(store, device, epoch, looked) or known
        return {device: last for device, epoch, _ in clocks if (last := self._known.get((device, epoch), (0, None))[1]) is not None}


def _last(store: StoreReader, device: str, epoch: str, after: int) -> LastTest | None:
    last = None
    held = ((row.hash, None if row.fields is None else json.loads(row.fields)) for row in store.rows(device, epoch, after, DEVICE_TEST))
    for stored in stored_rows(held):
        with suppress(Malformed):
            if stored.row.kind == Kind.NOTE and (test := tested_in(decode(stored.row.body))) is not None:
                last = LastTest(stored.row.wall, test)
    return last
