"""What the flow asks of the shell: to judge, to keep, to print. Everything else (screen, lamps) is read from the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from kiosk.challenge.consequence import Consequence
from kiosk.challenge.entry import Entry


@dataclass(frozen=True, slots=True)
class Judge:
    """Look up all words of ``entry``, keep it with the verdict, then answer with ``Judged``, ``NotLogged`` or ``CannotJudge``."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Keep:
    """Write a row that no verdict waits for."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Print:
    """Print a challenge slip, if there is a printer."""

    entry: Entry
    row: int | None
    """The verdict's row in the log; None where it could not be written."""
    consequence: Consequence
    rulebook: str
    """The title of the rulebook that this follows from: the director may have chosen another one meanwhile."""
    language: str


Effect: TypeAlias = Judge | Keep | Print
