"""What door and desk ask of the shell.

``CheckPin`` and ``KeepVerdict`` are answered, always and before anything else happens; all that looks for or changes something is answered with ``Told``. What
was changed, refused, exported or tested the shell logs itself (CHANGED, REFUSED, EXPORTED, SELF_TEST), for only it knows what came of it.
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
    """Write a word judge's verdict, which nobody is shown before: answered with ``Kept`` or ``NotKept``."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class LookForLexicons:
    """Which lexicon files are there? Answered with ``Told(Facts(in_use=...))`` at once, and then ``Told(Facts(lexicons=...))``."""


@dataclass(frozen=True, slots=True)
class UseLexicon:
    """Verify this file and take it: ``Stand`` where it is sound, and in any case ``Told(Facts(said=...))``."""

    path: str


@dataclass(frozen=True, slots=True)
class LookForRulebooks:
    """Which rulebooks are there? Answered with ``Told(Facts(rulebooks=...))``."""


@dataclass(frozen=True, slots=True)
class UseRulebook:
    """Take this rulebook: ``Stand``, and ``Told(Facts(said=...))``."""

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
    """Write the log as CSV to where the settings say: ``Told(Facts(said=...))``."""


@dataclass(frozen=True, slots=True)
class TestYourself:
    """Look at everything the station needs: ``Told(Facts(findings=...))``."""


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """Have the machine switched off: ``Told(Facts(said=...))``; the program is then ended from outside, in good order."""


@dataclass(frozen=True, slots=True)
class Leave:
    """End the program, in good order."""


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
