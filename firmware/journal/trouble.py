"""Screen messages for a journal that cannot be written: the problem and its remedy."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from appliance.errors import Diagnosis
from appliance.records.io_errors import describe_io_error, is_full

_NOT_RECORDED: Final = "The game is not being recorded"


def not_recorded(path: Path, error: sqlite3.Error | OSError) -> Diagnosis:
    """Return the screen message for an error while writing to the journal at ``path``."""
    found = describe_io_error(error)
    how = ": `tileclock doctor` says how" if is_full(error) else ""
    return Diagnosis(f"{_NOT_RECORDED}: {path}: {found.problem}", f"{found.remedy}{how}")


def ended_early(path: Path) -> Diagnosis:
    """Return the screen message for a writer that an error of the program has ended."""
    return Diagnosis(f"{_NOT_RECORDED}: {path}: the program failed at it", "Start the clock again")
