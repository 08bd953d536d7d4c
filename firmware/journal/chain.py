"""The hash chain: each row's hash covers the row before it, so that no row can be changed, put in or taken out unnoticed.

It shows tampering to whoever noted down an earlier head (``tileclock journal verify`` prints it short); it keeps nobody from writing a whole new chain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Final

from firmware.journal.row import Row, Stamp

GENESIS: Final = "0" * 64
"""What stands in for the hash before the first row."""


def link_hash(previous: str, seq: int, row: Row) -> str:
    """Return the SHA-256, in hexadecimal, of the row before's hash and this row in its canonical form."""
    fields = [seq, row.kind, row.game, row.number, row.at, row.mono, row.boot, row.wall, row.body]
    return _sha256(previous, fields)


def seal(stamp: Stamp, game: int, seq: int, head: str, commit_ns: int) -> str:
    """Return the hash of the durable mark, which is no row: so that a flipped bit in it is noticed as well."""
    return _sha256(head, [stamp.at, stamp.mono, stamp.boot, stamp.wall, game, seq, commit_ns])


def short(full: str) -> str:
    """Return the part of a hash that a person can note down."""
    return full[:12]


def _sha256(previous: str, fields: Sequence[object]) -> str:
    canonical = json.dumps(fields, separators=(",", ":"))
    return hashlib.sha256(f"{previous}\n{canonical}".encode()).hexdigest()
