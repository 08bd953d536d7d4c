"""How many wrong codes were tried at the director's door since the last right one: the journal remembers, so that waiting survives a restart."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from game.journal.reading import last_row_of, reading
from game.journal.row import JournalError, Kind, Row, decode

WRONG_CODES: Final = "wrong_codes"


def wrong_codes(path: Path, unwritten: Iterable[Iterable[Row]] = ()) -> int:
    """Return the count in the journal at ``path``, or in the rows that are still to be written to it; 0 where there is none that can be read."""
    body = next((row.body for rows in reversed(tuple(unwritten)) for row in reversed(tuple(rows)) if row.kind == Kind.DOOR), None)
    try:
        if body is None:
            with reading(path, any_edition=True) as connection:
                stored = last_row_of(connection, Kind.DOOR)
            body = None if stored is None else stored.row.body
        count = 0 if body is None else decode(body).get(WRONG_CODES, 0)
    except (JournalError, ValueError, RecursionError):
        return 0
    return count if isinstance(count, int) else 0
