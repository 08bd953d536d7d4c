"""Opening and checking the journal at startup. One that cannot be used, for damage or its edition, is renamed, never overwritten, and a new one begins.

No disk error raises here: if the journal cannot be opened, the clock runs without a record and the result says so.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from appliance.errors import Diagnosis
from appliance.records import fault
from appliance.records.files import FileIdentity, set_aside
from appliance.records.sqlite import begin
from firmware.journal.trouble import not_recorded
from game.journal.reading import another_edition, last_game_begins, verify
from game.journal.row import JOURNAL, fill

_CHECKED_ROWS: Final = 2000
"""The minimum of rows checked at the end, besides the last game."""


@dataclass(frozen=True, slots=True)
class OpenedJournal:
    """The result of opening the journal."""

    path: Path
    set_aside: Path | None = None
    """The new name of a journal that cannot be used."""
    reason: str | None = None
    """Why it cannot be: its damage, or its edition."""
    trouble: Diagnosis | None = None
    """Why the journal cannot be written now; the writer tries again."""


def open_journal(path: Path, now: datetime | None = None) -> OpenedJournal:
    """Return the result for ``path``: the existing journal, or a new one if it is missing or damaged.

    Args:
        path: the journal's file.
        now: names a damaged journal; by default the wall time.
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
        return OpenedJournal(path, aside, reason, not_recorded(path, error))
    return OpenedJournal(path, aside, reason)


def begin_journal(path: Path, now: datetime | None = None) -> None:
    """Make a new journal. A lost journal's remaining files are renamed first, because SQLite would use them for the new one.

    Raises:
        OSError, sqlite3.Error: it cannot be created.
    """
    begin(path, JOURNAL, fill, now)


def quarantine_journal(path: Path, orphan_wal: FileIdentity) -> None:
    """Rename the file at ``path`` if it is damaged or not a journal; and ``orphan_wal``, a lost file's WAL, if it is still there.

    Raises:
        OSError, sqlite3.Error: the file cannot be read or renamed.
    """
    fault.quarantine(path, JOURNAL, _fault_of_rows, orphan_wal)


def fault_of(path: Path) -> str | None:
    """Return the damage of the file at ``path``, or None if it is intact or missing.

    Raises:
        OSError, sqlite3.Error: it cannot be read now, which is no sign of damage.
    """
    return fault.fault_of(path, JOURNAL, _fault_of_rows)


def _fault_of_rows(connection: sqlite3.Connection) -> str | None:
    # Not from the first row: checking a season's journal would delay startup.
    (rows,) = connection.execute("SELECT count(*) FROM rows").fetchone()
    checked = verify(connection, max(1, min(last_game_begins(connection) or 1, rows - _CHECKED_ROWS)))
    if checked.fault is not None:
        return checked.fault.meaning
    other = another_edition(connection)
    return None if other is None else other.problem
