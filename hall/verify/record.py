"""A clock's journal or a station's log, as a file, against what the hall holds of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from appliance.records.chain import GENESIS, chained
from appliance.records.files import is_closed, is_foreign
from appliance.records.link import HashedLink
from appliance.records.sqlite import open_read_only
from game.challenge_log.reading import links as log_links
from game.challenge_log.reading import reading as reading_log
from game.challenge_log.row import LOG
from game.journal.reading import links as journal_links
from game.journal.reading import reading as reading_journal
from game.journal.row import JOURNAL
from hall.errors import UnknownRecord
from hall.store.reading import StoreReader
from wire.proof import Evidence, Proof, proofs
from wire.record import Links
from wire.topics import CLOCK, STATION


@dataclass(frozen=True, slots=True)
class Comparison:
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
        """All of it for people."""
        if self.equal < min(self.own, self.held):
            return f"Rewritten: row {self.equal + 1} is not the one that the hall holds of {self.device}; the rows before it are."
        if self.own < self.held:
            return f"Cut: it ends at row {self.own}; the hall holds {self.held} rows of {self.device}."
        more = f" Row {self.held + 1} to row {self.own} have not come to the hall." if self.own > self.held else ""
        return f"The hall holds the same {self.held} rows of {self.device}.{more}"


def compared(store: StoreReader, path: Path) -> Comparison:
    """Return how the file at ``path`` and the hall's rows of it compare.

    Raises:
        UnknownRecord: the hall holds nothing of it, or there is no journal or log.
        TileclockError: it cannot be read.
    """
    with _connected(path) as (connection, _, read):
        links = read(connection, 1)
        first = next(links, None)
        epoch = "" if first is None else first.hash[:16]
        device = store.device_of(epoch)
        if first is None or device is None:
            found = "one without rows" if first is None else f"one whose first hash begins {epoch}"
            raise UnknownRecord(
                where=path, expected="a journal or log that the hall knows", found=found, remedy="Is this the hall's own file?"
            )
        held = {row.seq: row.hash for row in store.rows(device, epoch)}
        equal, own, head, same = 0, 0, GENESIS, True
        for link in _all(first, links):
            # Not the hash that the file states, but that of what stands in it.
            own, head = link.seq, chained(head, link.row)
            same = same and held.get(own) == head
            equal = own if same else equal
    return Comparison(device, equal, own, max(held, default=0))


def shown(path: Path, evidence: Evidence) -> list[Proof]:
    """Return what ``evidence`` shows of the file at ``path``, once ``compared`` has read it.

    Raises:
        TileclockError: it cannot be read.
    """
    with _connected(path) as (connection, kind, links):
        return proofs(connection, kind, links, evidence)


def _all(first: HashedLink, rest: Iterator[HashedLink]) -> Iterator[HashedLink]:
    yield first
    yield from rest


@contextmanager
def _connected(path: Path) -> Iterator[tuple[sqlite3.Connection, str, Links]]:
    """Yield a clock's journal or a station's log; what else is wrong with it, the reader says."""
    found = _neither(path)
    if found is not None:
        raise UnknownRecord(where=path, expected="a clock's journal or a station's log", found=found, remedy="Check the path")
    if _application(path) == LOG.application_id:
        with reading_log(path) as connection:
            yield connection, STATION, log_links
    else:
        with reading_journal(path, any_edition=True) as connection:
            yield connection, CLOCK, journal_links


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
