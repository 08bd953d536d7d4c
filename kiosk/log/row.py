"""The rows of the log as values: an entry of the flow, with when and where it was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kiosk.challenge.entry import Entry
from kiosk.log.body import cut, encode

LONGEST_STATION = 100
"""Characters of a station's name that are kept."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """One instant on every clock there is: CLOCK_MONOTONIC in ns, the boot's id, wall time (UTC, ISO 8601; it may jump)."""

    mono: int
    boot: str
    wall: str


@dataclass(frozen=True, slots=True)
class Row:
    """What happened; its place in the file and its hash come with writing it."""

    kind: str
    stamp: Stamp
    station: str
    """The station's name then."""
    table: int | None
    body: str
    """A JSON object: the rest of the entry."""


Happened: TypeAlias = tuple[str, Stamp, str, int | None]
"""Kind, instant, station and table: what tells one row from every other, though it says ``late`` the second time."""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row as it stands in the file."""

    seq: int
    row: Row
    hash: str


def row_of(entry: Entry, stamp: Stamp, station: str) -> Row:
    """Return the row that keeps ``entry``; never bigger than ``body.MOST_BYTES`` and the station's name."""
    return Row(entry.kind.value, stamp, cut(station, LONGEST_STATION), entry.table, encode(entry))


def happened(row: Row) -> Happened:
    """Return what tells ``row`` from every other, whether it was written at once or late."""
    return row.kind, row.stamp, row.station, row.table
