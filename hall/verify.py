"""What the hall's rows prove of each journal or log: whether it is whole, and up to where its device signed it.

Also a device's own file against what the hall holds of it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from appliance.records.chain import GENESIS, HashedLink, chained, short
from appliance.records.files import is_closed, is_foreign
from appliance.records.rows import links
from appliance.records.sqlite import open_read_only
from hall.errors import UnknownRecord
from hall.store.reading import KnownEpoch, StoreReader
from records.journal import JOURNAL
from records.journal import reading as reading_journal
from records.log import LOG
from records.log import reading as reading_log
from wire.keys import is_genuine
from wire.proof import Proof, signed_by
from wire.record import SIGNED, signed_head_in
from wire.topics import CLOCK, STATION


class EpochProof(Struct, frozen=True):
    """What is shown of one journal or log."""

    device: str
    epoch: str
    rows: int
    """Whole up to this row."""
    head: str
    without_fields: int
    """Rows among them that were too large for a message: only their hashes are held."""
    signed: int
    """Signed by the device up to this row; 0: nothing."""
    fault: str | None
    """What is wrong, as a clause; None: nothing."""

    @property
    def sentence(self) -> str:
        parts = [f"whole up to row {self.rows}, whose hash begins {short(self.head)}" if self.rows else "no rows"]
        if self.without_fields:
            parts.append(f"{self.without_fields} of them only by their hash")
        parts.append(f"signed by this device up to row {self.signed}" if self.signed else "not signed")
        said = f"{self.device}, journal {self.epoch}: {'; '.join(parts)}."
        return said if self.fault is None else f"{said} Broken: {self.fault}."


def epoch_proofs(store: StoreReader) -> list[EpochProof]:
    """Return what is shown of everything that the store holds."""
    return [epoch_proof(store, device, known) for device in store.devices() for known in store.epochs(device)]


def epoch_proof(store: StoreReader, device: str, known: KnownEpoch) -> EpochProof:
    """Return what is shown of one journal or log of ``device``."""
    hashes = [GENESIS]
    without, signed, fault = 0, 0, known.rewritten
    for row in store.rows(device, known.epoch):
        fields = None if row.fields is None else json.loads(row.fields)
        if row.seq != len(hashes) or (fields is not None and chained(hashes[-1], fields) != row.hash):
            fault = f"row {len(hashes)} is missing or was changed in the hall's own file"
            break
        hashes.append(row.hash)
        if fields is None:
            without += 1
        elif fields[1:2] == [SIGNED]:
            signed = max(signed, _signed_up_to(device, known.epoch, fields, hashes))
    return EpochProof(device, known.epoch, len(hashes) - 1, hashes[-1], without, signed, fault)


def _signed_up_to(device: str, epoch: str, fields: list[object], hashes: list[str]) -> int:
    """Return the row whose head the device has signed in the row ``fields``; 0: none of those before it."""
    found = signed_head_in(fields)
    fits = found is not None and found.head in hashes[found.seq : found.seq + 1] and is_genuine(device, epoch, found)
    return found.seq if found is not None and fits else 0


class Comparison(Struct, frozen=True):
    """A file and the hall, row by row. All numbers are rows."""

    device: str
    equal: int
    """The same up to this one."""
    own: int
    """The last of the file."""
    held: int
    """The last that the hall holds."""

    @property
    def agrees(self) -> bool:
        """Neither was changed or cut: the file may only have more."""
        return self.equal == self.held

    @property
    def sentence(self) -> str:
        if self.equal < min(self.own, self.held):
            return f"Rewritten: row {self.equal + 1} is not the one that the hall holds of {self.device}; the rows before it are."
        if self.own < self.held:
            return f"Cut: it ends at row {self.own}; the hall holds {self.held} rows of {self.device}."
        more = f" Row {self.held + 1} to row {self.own} have not come to the hall." if self.own > self.held else ""
        return f"The hall holds the same {self.held} rows of {self.device}.{more}"


def compared(store: StoreReader, path: Path) -> Comparison:
    """Return how the file at ``path`` and the hall's rows of it compare; raises ``UnknownRecord`` if there is nothing to compare."""
    with _connected(path) as (connection, _):
        rows = links(connection, 1)
        first = next(rows, None)
        epoch = "" if first is None else first.hash[:16]
        device = store.device_of(epoch)
        if first is None or device is None:
            found = "one without rows" if first is None else f"one whose first hash begins {epoch}"
            raise UnknownRecord(
                where=path, expected="a journal or log that the hall knows", found=found, remedy="Is this the hall's own file?"
            )
        held = {row.seq: row.hash for row in store.rows(device, epoch)}
        equal, own, head, same = 0, 0, GENESIS, True
        for link in _all(first, rows):
            # Not the hash that the file states, but that of what stands in it.
            own, head = link.seq, chained(head, link.row)
            same = same and held.get(own) == head
            equal = own if same else equal
    return Comparison(device, equal, own, max(held, default=0))


def signature(path: Path, key: str) -> Proof:
    """Return what the last signature in the file at ``path`` shows, once ``compared`` has read it; see ``signed_by``."""
    with _connected(path) as (connection, kind):
        return signed_by(connection, kind, key)


def _all(first: HashedLink, rest: Iterator[HashedLink]) -> Iterator[HashedLink]:
    yield first
    yield from rest


@contextmanager
def _connected(path: Path) -> Iterator[tuple[sqlite3.Connection, str]]:
    """Yield a clock's journal or a station's log; what else is wrong with it, the reader says."""
    found = _neither(path)
    if found is not None:
        raise UnknownRecord(where=path, expected="a clock's journal or a station's log", found=found, remedy="Check the path")
    if _application(path) == LOG.application_id:
        with reading_log(path) as connection:
            yield connection, STATION
    else:
        with reading_journal(path, any_edition=True) as connection:
            yield connection, CLOCK


def _neither(path: Path) -> str | None:
    """Return what is found in place of a journal or log; None: it may be one."""
    if is_closed(path):
        return "you have no permission to read it"
    if not path.exists():
        return "no such file"
    return "another kind of file" if all(is_foreign(path, schema.application_id) for schema in (JOURNAL, LOG)) else None


def _application(path: Path) -> int | None:
    """Return which program's file it is; None: it is too damaged to say so."""
    with suppress(sqlite3.Error, OSError), closing(open_read_only(path)) as connection:
        return int(connection.execute("PRAGMA application_id").fetchone()[0])
    return None
