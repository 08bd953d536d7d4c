"""Which rows the clock's key signs, and the signature as the body of a row (docs/spec/wire.md, "Signed heads")."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError

from appliance.records.link import ChainLink
from firmware.journal.body import decode
from firmware.journal.reading import last_row_of, rows_from
from firmware.journal.row import Kind, Row
from wire.messages.reports import SignedHead
from wire.record import EPOCH_DIGITS

if TYPE_CHECKING:
    from wire.keys import DeviceKey

_SIGNED_EVENTS: Final = frozenset({"end", "verdict", "new_game"})
"""A new game signs the one before, which may have ended without an event."""
_MOST_ROWS: Final = 100
"""Rows looked at after a start, from the end."""


class JournalSigner:
    """Signs heads, each once. Used by one thread."""

    def __init__(self) -> None:
        self.last: SignedHead | None = None
        """The last signed head, made or found. May be read from any thread."""
        self._looked_at: int | None = None
        self._epoch = ""

    def sign(self, connection: sqlite3.Connection, key: Callable[[], DeviceKey], root: str) -> SignedHead | None:
        """Return the signature of the last row since the last call that is to be signed; None: there is none.

        Args:
            connection: the journal.
            key: returns the clock's key.
            root: the hall's last root, ``n:root``, or empty.

        Raises:
            TileclockError: there is no key, or the journal cannot be read.
        """
        from wire.proof import signed_head  # noqa: PLC0415 - cryptography, in the server's thread

        first = next(rows_from(connection, 1), None)
        if first is None:
            return None
        if first.hash != self._epoch:
            # The clock has just started, or has begun another journal.
            self._epoch, self._looked_at = first.hash, self._found_before(connection)
        wanted = None
        for stored in rows_from(connection, (self._looked_at or 0) + 1):
            self._looked_at = stored.seq
            if wants_signature(stored):
                wanted = stored
        if wanted is None:
            return None
        self.last = signed_head(key(), self._epoch[:EPOCH_DIGITS], wanted.seq, wanted.hash, root)
        return self.last

    def _found_before(self, connection: sqlite3.Connection) -> int:
        """Return the last row that needs no second look."""
        (end,) = connection.execute("SELECT max(seq) FROM rows").fetchone()
        found = last_row_of(connection, Kind.SIGNED)
        self.last = None if found is None else _signed(found)
        return max(0 if found is None else found.seq, int(end) - _MOST_ROWS)


def wants_signature(stored: ChainLink[Row]) -> bool:
    """Return whether the head of the journal is signed at this row: the end of a game, a verdict, a stop in order."""
    if stored.row.kind == Kind.STOPPED:
        return True
    return stored.row.kind == Kind.EVENT and _fields(stored).get("do") in _SIGNED_EVENTS


def _signed(stored: ChainLink[Row]) -> SignedHead | None:
    try:
        return SignedHead.model_validate(_fields(stored))
    except ValidationError:
        return None


def _fields(stored: ChainLink[Row]) -> dict[str, Any]:
    try:
        return decode(stored.row.body)
    except (ValueError, RecursionError):
        return {}
