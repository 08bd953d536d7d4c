"""The flow's requests to the shell: judge, log, print. Everything else (screen, lamps) follows from the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kiosk.challenge.consequence import Consequence
from kiosk.challenge.entry import Entry


@dataclass(frozen=True, slots=True)
class Judge:
    """Look up all words of ``entry``, log it with the verdict, then answer with ``Judged``, ``NotLogged`` or ``CannotJudge``."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class WriteEntry:
    """Log a row for which no verdict waits."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Print:
    """Print a challenge slip, if there is a printer."""

    entry: Entry
    row: int | None
    """The verdict's row in the log; None: it could not be written."""
    consequence: Consequence
    rulebook: str
    """The title of the rulebook applied; the director may have changed it since."""
    language: str


Effect: TypeAlias = Judge | WriteEntry | Print
