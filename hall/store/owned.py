"""The store of a running listener: one process writes to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

from appliance.log import get_logger
from appliance.records.lock import only_writer
from hall.store.database import StorePlace, is_url
from hall.store.schema import STORE
from hall.store.store import Store, open_store


@contextmanager
def owned_store(place: StorePlace, hall: str) -> Iterator[Store]:
    """Yield the store, open for writing. A file is locked; a database refuses a second writer of the same hall when it is used.

    Raises:
        InUse: another listener writes to the file.
        OSError, sqlite3.Error, StoreError: see ``open_store``.
    """
    expected, remedy = "a file that no other listener writes to", "End that listener, or name another file with --store"
    with nullcontext() if is_url(place) else only_writer(Path(place), expected, remedy, STORE.application_id):
        store, aside = open_store(place, hall)
        if aside is not None:
            get_logger().warning("the store was damaged; the devices fill a new one", kept=aside)
        with closing(store):
            yield store
