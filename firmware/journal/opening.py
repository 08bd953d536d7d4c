"""Opening the journal at start: is it whole? A damaged one is set aside under another name, never overwritten, and a new one begun.

Nothing here raises for what a disk can do: a journal that cannot be opened leaves the clock without a record, and the result says so.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from appliance.errors import Diagnosis
from appliance.records import fault
from appliance.records.files import Identity, set_aside
from appliance.records.sqlite import begin
from firmware.journal.reading import last_game_begins
from firmware.journal.schema import JOURNAL, fill
from firmware.journal.trouble import not_recorded
from firmware.journal.verify import verify

_CHECKED_ROWS: Final = 2000
"""At least so many rows at the end are checked, and the last game."""


@dataclass(frozen=True, slots=True)
class Opened:
    """What came of opening the journal."""

    path: Path
    set_aside: Path | None = None
    """Where a damaged journal was moved to."""
    reason: str | None = None
    """What was wrong with it."""
    trouble: Diagnosis | None = None
    """Why there is no journal to write to just now; the writer tries again."""


def open_journal(path: Path, now: datetime | None = None) -> Opened:
    """Return what is ready at ``path``: the journal that was there, or a new one where there was none or a damaged one.

    Args:
        path: the journal's file.
        now: what a damaged one is named after; by default the wall's time.
    """
    reason = None
    aside = None
    try:
        reason = fault_of(path)
        if reason is not None:
            aside = set_aside(path, now or datetime.now(UTC))
        if not path.exists():
            begin_journal(path, now)
    except (OSError, sqlite3.Error) as error:
        return Opened(path, aside, reason, not_recorded(path, error))
    return Opened(path, aside, reason)


def begin_journal(path: Path, now: datetime | None = None) -> None:
    """Make a new journal where there is none; what a lost one left beside it is set aside, for SQLite would take it for the new one's.

    Raises:
        OSError, sqlite3.Error: it cannot be made.
    """
    begin(path, JOURNAL, fill, now)


def quarantine_journal(path: Path, orphan_wal: Identity) -> None:
    """Set aside what stands at ``path`` where it is no journal, or a damaged one; and ``orphan_wal``, a lost file's, where it is still beside it.

    Raises:
        OSError, sqlite3.Error: it cannot be looked at or renamed.
    """
    fault.quarantine(path, JOURNAL, _fault_of_rows, orphan_wal)


def fault_of(path: Path) -> str | None:
    """Return what is damaged about the file at ``path``, or None where it is whole or missing altogether.

    Raises:
        OSError, sqlite3.Error: it cannot be looked at just now, which says nothing about it.
    """
    return fault.fault_of(path, JOURNAL, _fault_of_rows)


def _fault_of_rows(connection: sqlite3.Connection) -> str | None:
    # Not from the first row: a season's journal must not keep the clock from starting.
    (rows,) = connection.execute("SELECT count(*) FROM rows").fetchone()
    checked = verify(connection, max(1, min(last_game_begins(connection) or 1, rows - _CHECKED_ROWS)))
    return None if checked.fault is None else checked.fault.meaning
