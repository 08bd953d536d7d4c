"""The log's hash chain: the parts of a row that its hash covers. ``tilekiosk log verify`` prints a short head for the director to write down."""

from __future__ import annotations

from appliance.records.chain import chained
from kiosk.log.row import Row


def link_hash(previous: str, seq: int, row: Row) -> str:
    """Return the SHA-256, in hexadecimal, of the previous row's hash and this row in its canonical form."""
    return chained(previous, covered(seq, row))


def covered(seq: int, row: Row) -> list[object]:
    """Return what a row's hash covers besides the previous row's hash."""
    stamp = row.stamp
    return [seq, row.kind, stamp.mono, stamp.boot, stamp.wall, row.station, row.table, row.body]
