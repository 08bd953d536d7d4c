"""The flow's requests to the shell: judge, log, print. Everything else (screen, lamps) follows from the state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from game.challenge_log.entry import Entry
from kiosk.challenge.consequence import Consequence
from kiosk.challenge.table_facts import ClockChallenge
from rules.side import Side


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


@dataclass(frozen=True, slots=True)
class Propose:
    """Send what has become of a challenge to the clock that adjudicates it, then answer with ``VerdictSent``."""

    to: ClockChallenge
    do: str
    """``verdict``, ``conceded`` or ``withdrawn``."""
    acceptable: bool | None
    by: Side | None
    """Who concedes, on the clock."""
    count: int | None
    words: tuple[str, ...]
    """As typed, for the clock's face."""
    lexicon: str | None
    """The SHA-256 of the list."""
    row: int | None
    """Of the log."""
    replaces: str | None
    """The id of the verdict that this one corrects."""


@dataclass(frozen=True, slots=True)
class CallAtClock:
    """Show at the players' clock too that they call the director."""

    device: str


ChallengeEffect: TypeAlias = Judge | WriteEntry | Print | Propose | CallAtClock
