"""The log's hash chain: what of a row its hash covers. ``tilekiosk log verify`` prints the head short, for the director to note down."""

from __future__ import annotations

from appliance.records.chain import chained
from kiosk.log.row import Row


def link_hash(previous: str, seq: int, row: Row) -> str:
    """Return the SHA-256, in hexadecimal, of the row before's hash and this row in its canonical form."""
    return chained(previous, covered(seq, row))


def covered(seq: int, row: Row) -> list[object]:
    """Return what a row's hash covers besides the row before's hash."""
    stamp = row.stamp
    return [seq, row.kind, stamp.mono, stamp.boot, stamp.wall, row.station, row.table, row.body]
