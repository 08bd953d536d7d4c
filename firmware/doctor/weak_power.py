"""Check the journal for recent low voltage: the firmware reports only the present, and a supply is weak under load."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from appliance.checks.finding import Finding, counted, note
from appliance.checks.voltage import REMEDY
from faults.errors import TileclockError
from firmware.shell.clock import TOO_WEAK
from game.journal.reading import notes_since, reading
from game.journal.row import JournalError, decode

LATELY: Final = timedelta(days=1)


def check_weak_power(path: Path, wall: datetime) -> Iterator[Finding]:
    """Yield a finding if the voltage was too low within the last day.

    Args:
        path: the journal's file.
        wall: now, UTC.
    """
    since, until = ((wall - ago).isoformat(timespec="milliseconds") for ago in (LATELY, timedelta()))
    try:
        with reading(path) as connection:
            weak = [stored.row.wall for stored in notes_since(connection, since) if stored.row.wall <= until and _is_weak(stored.row.body)]
    except (JournalError, TileclockError, OSError, sqlite3.Error):
        # The check of the journal reports its faults.
        return
    if weak:
        last = f"{weak[-1][:16].replace('T', ' ')} UTC"
        yield note(
            "power lately",
            f"the voltage was too low {counted(len(weak), 'time')} in the last 24 hours, most recently {last}, according to the journal. {REMEDY}",
        )


def _is_weak(body: str) -> bool:
    try:
        return decode(body).get("power") == TOO_WEAK
    except ValueError:
        return False
