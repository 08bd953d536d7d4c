"""Screen messages for a journal that cannot be written: the problem and its remedy."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from appliance.errors import Diagnosis
from appliance.records.io_errors import describe_io_error, is_full
from faults.errors import Phrase, as_phrase


def not_recorded(path: Path, error: sqlite3.Error | OSError) -> Diagnosis:
    """Return the screen message for an error while writing to the journal at ``path``."""
    found = describe_io_error(error)
    remedy = Phrase("{remedy}: `tileclock doctor` says how", remedy=as_phrase(found.remedy)) if is_full(error) else found.remedy
    return Diagnosis(_because(path, found.problem), remedy)


def ended_early(path: Path) -> Diagnosis:
    """Return the screen message for a writer that an error of the program has ended."""
    return Diagnosis(_because(path, "the program failed at it"), "Start the clock again")


def _because(path: Path, why: str) -> Phrase:
    return Phrase("The game is not being recorded: {file}: {why}", file=path, why=as_phrase(why))
