"""Why nothing is recorded, in a sentence for the screen: what is wrong, and what to do."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from appliance.records.trouble import is_full, why


def not_recorded(path: Path, error: sqlite3.Error | OSError) -> str:
    """Return the sentence for an error met while writing to the journal at ``path``."""
    how = ": `tileclock doctor` says how" if is_full(error) else ""
    return f"The game is not being recorded: {path}: {why(error)}{how}."


def ended_early(path: Path) -> str:
    """Return the sentence for a writer that an error of the program has ended."""
    return f"The game is not being recorded: {path}: the program failed at it. Start the clock again."
