"""The requests of door and desk to the shell.

The shell answers ``CheckPin`` and ``KeepVerdict`` before any other event; it answers all searches and changes with ``Told``. It also logs changes,
refusals, exports and tests (CHANGED, REFUSED, EXPORTED, SELF_TEST), because only it knows their results.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from kiosk.challenge.effects import Keep, Print
from kiosk.challenge.entry import Entry


@dataclass(frozen=True, slots=True)
class CheckPin:
    """Is this the PIN? Answered with ``PinChecked``."""

    pin: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class KeepVerdict:
    """Log a word judge's verdict, which is not shown before: answered with ``Kept`` or ``NotKept``."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class LookForLexicons:
    """List the lexicon files. Answered with ``Told(Facts(in_use=...))`` at once, and then ``Told(Facts(lexicons=...))``."""


@dataclass(frozen=True, slots=True)
class UseLexicon:
    """Verify this file and use it: ``Stand`` if it is valid, and in any case ``Told(Facts(said=...))``."""

    path: str


@dataclass(frozen=True, slots=True)
class LookForRulebooks:
    """List the rulebooks. Answered with ``Told(Facts(rulebooks=...))``."""


@dataclass(frozen=True, slots=True)
class UseRulebook:
    """Use this rulebook: ``Stand``, and ``Told(Facts(said=...))``."""

    id: str


@dataclass(frozen=True, slots=True)
class Rename:
    """Give the station this name: ``Stand``, and ``Told(Facts(said=...))``."""

    name: str


@dataclass(frozen=True, slots=True)
class ReadLog:
    """The newest ``rows`` rows before the row ``before`` (None: the newest of all): ``Told(Facts(log=...))``."""

    before: int | None
    rows: int


@dataclass(frozen=True, slots=True)
class ExportLog:
    """Write the log as CSV to the place in the settings: ``Told(Facts(said=...))``."""


@dataclass(frozen=True, slots=True)
class TestYourself:
    """Check everything the station needs: ``Told(Facts(findings=...))``."""


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """Switch the machine off: ``Told(Facts(said=...))``; the system then ends the program normally."""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the program normally."""


DirectorEffect: TypeAlias = (
    CheckPin
    | KeepVerdict
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
    | Keep
    | Print
)
