"""The rows of the log as values: an entry with its time and place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kiosk.challenge.entry import Entry
from kiosk.log.body import cut, encode

LONGEST_STATION = 100
"""The most characters of a station's name."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """One instant on all clocks: CLOCK_MONOTONIC in ns, the boot's id, wall time (UTC, ISO 8601; it may jump)."""

    mono: int
    boot: str
    wall: str


@dataclass(frozen=True, slots=True)
class Row:
    """The content of a row; ``seq`` and hash are assigned on writing."""

    kind: str
    stamp: Stamp
    station: str
    """The station's name at that time."""
    table: int | None
    body: str
    """A JSON object: the rest of the entry."""


Happened: TypeAlias = tuple[str, Stamp, str, int | None]
"""Kind, instant, station and table: they identify a row, even if its text says ``late`` the second time."""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row as stored in the file."""

    seq: int
    row: Row
    hash: str


def row_of(entry: Entry, stamp: Stamp, station: str) -> Row:
    """Return the row of ``entry``; its size is limited by ``body.MOST_BYTES`` and the station's name."""
    return Row(entry.kind.value, stamp, cut(station, LONGEST_STATION), entry.table, encode(entry))


def happened(row: Row) -> Happened:
    """Return the identity of ``row``, whether written at once or late."""
    return row.kind, row.stamp, row.station, row.table
