"""The rows of the log as values: an entry with its time and place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from appliance.clocks import Stamp
from appliance.records.chain import chained
from game.challenge_log.body import cut, encode
from game.challenge_log.entry import Entry

LONGEST_STATION = 100
"""The most characters of a station's name."""


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


def row_of(entry: Entry, stamp: Stamp, station: str) -> Row:
    """Return the row of ``entry``; its size is limited by ``body.MOST_BYTES`` and the station's name."""
    return Row(entry.kind.value, stamp, cut(station, LONGEST_STATION), entry.table, encode(entry))


def link_hash(previous: str, seq: int, row: Row) -> str:
    """Return the SHA-256, in hexadecimal, of the row before's hash and this row in its canonical form."""
    return chained(previous, covered(seq, row))


def covered(seq: int, row: Row) -> list[object]:
    """Return what a row's hash covers besides the row before's hash."""
    stamp = row.stamp
    return [seq, row.kind, stamp.mono, stamp.boot, stamp.wall, row.station, row.table, row.body]


def happened(row: Row) -> Happened:
    """Return the identity of ``row``, whether written at once or late."""
    return row.kind, row.stamp, row.station, row.table
