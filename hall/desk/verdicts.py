"""The last challenges of all stations, from the rows that the hall holds of their logs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from faults.errors import TileclockError
from hall.desk.cards.verdict import LoggedVerdict, newest_first, station_verdict
from hall.picture.hall import RemoteDevice
from hall.store.database import FAULTS, StorePlace
from hall.store.reading import StoreReader, reading_store

_MAX: Final = 20
"""Of one station."""
_LOOK_BACK: Final = 400
"""Rows: a log has others between its challenges."""


def latest_verdicts(place: StorePlace, devices: Iterable[RemoteDevice]) -> tuple[LoggedVerdict, ...]:
    """Return the last challenges of the stations among ``devices``, the latest first; none where the store cannot be read now."""
    try:
        with reading_store(place) as store:
            found = [each for device in devices if device.is_station for each in islice(_of_station(store, device), _MAX)]
    except (TileclockError, *FAULTS):
        return ()
    return tuple(sorted(found, key=newest_first))


def _of_station(store: StoreReader, device: RemoteDevice) -> Iterator[LoggedVerdict]:
    if device.epoch is None:
        return
    for row in islice(store.rows_back(device.id, device.epoch), _LOOK_BACK):
        if row.fields is not None and (found := station_verdict(device, json.loads(row.fields))) is not None:
            yield found
