"""The journal's hash chain: the parts of a row, and of the durable mark, that its hashes cover. ``tileclock journal verify`` prints a short head."""

from __future__ import annotations

from appliance.records.chain import chained
from game.journal.row import GameStamp, Row


def link_hash(previous: str, seq: int, row: Row) -> str:
    """Return the SHA-256, in hexadecimal, of the previous row's hash and this row in its canonical form."""
    return chained(previous, covered(seq, row))


def covered(seq: int, row: Row) -> list[object]:
    """Return what a row's hash covers besides the previous row's hash."""
    return [seq, row.kind, row.game, row.number, row.at, row.mono, row.boot, row.wall, row.body]


def seal(stamp: GameStamp, game: int, seq: int, head: str, commit_ns: int) -> str:
    """Return the hash of the durable mark, which is not a row: it reveals a flipped bit there too."""
    return chained(head, [stamp.at, stamp.mono, stamp.boot, stamp.wall, game, seq, commit_ns])
