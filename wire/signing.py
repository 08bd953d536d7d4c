"""Which rows a device's key signs, and the signature as the body of a row (docs/spec/wire.md, "Signed heads"). The same for journal and log."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic import ValidationError

from appliance.records.link import HashedLink
from appliance.records.rows import last_of
from wire.messages.reports import SignedHead
from wire.record import EPOCH_DIGITS, Links

if TYPE_CHECKING:
    from wire.keys import DeviceKey

SIGNED: Final = "signed"
"""The kind of a row with a signature."""
Wants: TypeAlias = Callable[[str, Mapping[str, Any]], bool]
"""Whether the head is signed at a row of this kind with this body."""
_MOST_ROWS: Final = 100
"""Rows looked at after a start, from the end."""


class HeadSigner:
    """Signs heads, each once. Used by one thread.

    Args:
        links: the rows of the file of record.
        wants: which of them are signed.
    """

    def __init__(self, links: Links, wants: Wants) -> None:
        self.last: SignedHead | None = None
        """The last signed head, made or found. May be read from any thread."""
        self.covered = ""
        """The kind of the row whose head ``sign`` signed last."""
        self._links, self._wants = links, wants
        self._looked_at = 0
        self._epoch = ""

    def sign(self, connection: sqlite3.Connection, key: Callable[[], DeviceKey], root: str) -> SignedHead | None:
        """Return the signature of the last row since the last call that is to be signed; None: there is none.

        Args:
            connection: the file of record.
            key: returns the device's key.
            root: the hall's last root, ``n:root``, or empty.

        Raises:
            TileclockError: there is no key, or the file cannot be read.
        """
        from wire.genuine import signed_head  # noqa: PLC0415 - cryptography, in the server's thread

        first = next(self._links(connection, 1), None)
        if first is None:
            return None
        if first.hash != self._epoch:
            # The device has just started, or has begun another file.
            self._epoch, self._looked_at = first.hash, self._found_before(connection)
        wanted = None
        for link in self._links(connection, self._looked_at + 1):
            self._looked_at = link.seq
            if self._wants(str(link.row[1]), body_of(link)):
                wanted = link
        if wanted is None:
            return None
        self.covered = str(wanted.row[1])
        self.last = signed_head(key(), self._epoch[:EPOCH_DIGITS], wanted.seq, wanted.hash, root)
        return self.last

    def _found_before(self, connection: sqlite3.Connection) -> int:
        """Return the last row that needs no second look."""
        end = last_of(connection)
        found = last_signed_row(connection, self._links)
        self.last = None if found is None else _signed(found)
        return max(0 if found is None else found.seq, (0 if end is None else end[0]) - _MOST_ROWS)


def last_signed_row(connection: sqlite3.Connection, links: Links) -> HashedLink | None:
    """Return the last row with a signature; None: there is none."""
    (seq,) = connection.execute("SELECT max(seq) FROM rows WHERE kind = ?", (SIGNED,)).fetchone()
    return None if seq is None else next(links(connection, seq), None)


def body_of(link: HashedLink) -> dict[str, Any]:
    """Return the body of a row; empty where it is no JSON object."""
    try:
        found = json.loads(str(link.row[-1]))
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _signed(link: HashedLink) -> SignedHead | None:
    try:
        return SignedHead.model_validate(body_of(link))
    except ValidationError:
        return None
