"""The requests of door and desk to the shell.

The shell answers ``CheckPin`` and ``WriteVerdict`` before any other event; it answers all searches and changes with ``DeskAnswer``. It also logs changes,
refusals, exports and tests (CHANGED, REFUSED, EXPORTED, SELF_TEST), because only it knows their results.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from game.challenge_log.entry import Entry
from kiosk.challenge.effects import Print, WriteEntry


@dataclass(frozen=True, slots=True)
class CheckPin:
    """Is this the PIN? Answered with ``PinChecked``."""

    pin: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class WriteVerdict:
    """Log a word judge's verdict, which is not shown before: answered with ``VerdictWritten`` or ``VerdictNotWritten``."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class LookForLexicons:
    """List the lexicon files. Answered with ``DeskAnswer(Facts(in_use=...))`` at once, and then ``DeskAnswer(Facts(lexicons=...))``."""


@dataclass(frozen=True, slots=True)
class UseLexicon:
    """Verify this file and use it: ``SetContext`` if it is valid, and in any case ``DeskAnswer(Facts(result=...))``."""

    path: str


@dataclass(frozen=True, slots=True)
class LookForRulebooks:
    """List the rulebooks. Answered with ``DeskAnswer(Facts(rulebooks=...))``."""


@dataclass(frozen=True, slots=True)
class UseRulebook:
    """Use this rulebook: ``SetContext``, and ``DeskAnswer(Facts(result=...))``."""

    id: str


@dataclass(frozen=True, slots=True)
class Rename:
    """Give the station this name: ``SetContext``, and ``DeskAnswer(Facts(result=...))``."""

    name: str


@dataclass(frozen=True, slots=True)
class ReadLog:
    """The newest ``rows`` rows before the row ``before`` (None: the newest of all): ``DeskAnswer(Facts(log=...))``."""

    before: int | None
    rows: int


@dataclass(frozen=True, slots=True)
class ExportLog:
    """Write the log as CSV to the place in the settings: ``DeskAnswer(Facts(result=...))``."""


@dataclass(frozen=True, slots=True)
class TestYourself:
    """Check everything the station needs: ``DeskAnswer(Facts(findings=...))``."""


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """Switch the machine off: ``DeskAnswer(Facts(result=...))``; the system then ends the program normally."""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the program normally."""


DirectorEffect: TypeAlias = (
    CheckPin
    | WriteVerdict
    | LookForLexicons
    | UseLexicon
    | LookForRulebooks
    | UseRulebook
    | Rename
    | ReadLog
    | ExportLog
    | TestYourself
    | SwitchOff
    | Leave
    | WriteEntry
    | Print
)
