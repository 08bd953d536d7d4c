"""The tables of the listener's file."""

from __future__ import annotations

from typing import Final

from appliance.records.files import PRIVATE
from appliance.records.sqlite import Schema

_TABLES: Final = (
    """CREATE TABLE rows (
    device TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, fields TEXT, PRIMARY KEY (device, epoch, seq)
) STRICT, WITHOUT ROWID""",
    # `rewritten`: why nothing of the epoch is taken any more.
    """CREATE TABLE epochs (
    device TEXT NOT NULL, epoch TEXT NOT NULL, since TEXT NOT NULL, rewritten TEXT, PRIMARY KEY (device, epoch)
) STRICT, WITHOUT ROWID""",
    # The rows that contradict those held, as evidence.
    """CREATE TABLE contradictions (
    device TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, fields TEXT, received TEXT NOT NULL
) STRICT""",
    # `root`: the number of the root that covers the head; null: none yet.
    """CREATE TABLE heads (
    device TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, head TEXT NOT NULL, key TEXT NOT NULL, signature TEXT NOT NULL,
    seen_root TEXT NOT NULL, received TEXT NOT NULL, root INTEGER, PRIMARY KEY (device, epoch, seq, head)
) STRICT, WITHOUT ROWID""",
    "CREATE INDEX heads_by_root ON heads (root)",
    "CREATE TABLE roots (n INTEGER PRIMARY KEY, root TEXT NOT NULL, lines TEXT NOT NULL, made TEXT NOT NULL) STRICT",
)

STORE: Final = Schema("a hall's rows", application_id=0x5443484C, version=1, tables=_TABLES, mode=PRIVATE)
"""Its application id is ``TCHL``."""
