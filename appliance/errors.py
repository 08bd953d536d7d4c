"""A diagnosis as a value, and the errors that any program may raise; the result of a check, and findings as a table in terminal colours, the output of every ``doctor``.

Each error also derives from a builtin one, so that callers need not know this package.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from faults.errors import Phrase, TileclockError, as_phrase, full_stop, sentences_of


class Diagnosis(Struct, frozen=True):
    problem: str
    remedy: str = ""

    @classmethod
    def of(cls, error: TileclockError) -> Diagnosis:
        return cls(error.problem, error.remedy)

    @property
    def sentences(self) -> Phrase:
        return sentences_of(self.problem, self.remedy)

    def __str__(self) -> str:
        return str(self.sentences)


DEBIANS: Final = "/usr/lib/python3/dist-packages"
"""Where Debian's packages put libraries. The environment of ``make setup`` does not look there."""


def to_install(requirement: str, package: str) -> Phrase:
    """Return how the Python that runs gets a missing library: as Debian's ``package`` where it sees those, else as PyPI's ``requirement``."""
    if DEBIANS in sys.path:
        return Phrase("Install it: sudo apt install {package}", package=package)
    return Phrase("Install it: {command}", command=shlex.join([sys.executable, "-m", "pip", "install", requirement]))


class BoardError(TileclockError, ValueError):
    """A board file is unreadable or does not describe a valid board."""


class PiUnknown(TileclockError, ValueError):
    """The Raspberry Pi model is unknown."""


class PinLibraryMissing(TileclockError, ImportError):
    """The pin library is not installed or fails to load."""


class PinUnavailable(TileclockError, OSError):
    """The library loads but the pins are unavailable: no Raspberry Pi, no permission, or a pin in use."""


class SoundUnavailable(TileclockError, OSError):
    """No sound card opens."""


class PrinterError(TileclockError, OSError):
    """The slip printer cannot print now: unplugged, off, out of paper, or not accepting data."""


class LedError(TileclockError, OSError):
    """A serial LED module is unreachable now: unplugged, not there yet, in use by another program, or not accepting data."""


class ScreenError(TileclockError, OSError):
    """No display is available."""


class PowerOffError(TileclockError, OSError):
    """The power-off request cannot be written."""


class NoCrashFolder(TileclockError, OSError):
    """No folder in memory is usable for the crash record."""


class DiskError(TileclockError):
    """A file of record is unusable for the operation; ``clause`` says what is wrong: ``it is a folder``. For the rest see ``TileclockError``."""

    def __init__(self, clause: str, *, expected: str, remedy: str, where: object = "") -> None:
        super().__init__(expected=expected, found=Phrase("that {clause}", clause=as_phrase(clause)), remedy=remedy, where=where)
        self.clause = clause


class InUse(DiskError):
    """Another process writes to the file."""


class NoFile(DiskError, FileExistsError):
    """A folder or a device stands at the path."""


class Replaced(DiskError, OSError):
    """The open file was deleted or replaced."""


class NotOurs(DiskError, OSError):
    """The file at the path belongs to another program."""


class RecordError(TileclockError, OSError):
    """A file or a database of record cannot be used as requested."""


class NoRecord(RecordError, FileNotFoundError):
    """No file of record exists at that path."""


class DamagedRecord(RecordError, ValueError):
    """The file exists but is not a readable file of record, or has an unreadable row."""


class MachineError(TileclockError, OSError):
    """The machine's own settings (name, Wi-Fi, keys) cannot be applied."""


class SettingsError(TileclockError, ValueError):
    """A setting is invalid, or a settings file is unusable."""


class TextsError(TileclockError, ValueError):
    """A language file is unusable."""


class State(StrEnum):
    OK = "ok"
    NOTE = "note"
    """It works; worth knowing."""
    FAIL = "fail"
    """It does not work as configured, or loses data."""


class Finding(Struct, frozen=True):
    name: str
    state: State
    found: str
    fix: str = ""

    def __post_init__(self) -> None:
        if (self.state is State.FAIL) != bool(self.fix):
            raise ValueError(f"expected a fix for a failure and for nothing else, found {self}")


def ok(name: str, found: str) -> Finding:
    return Finding(name, State.OK, found)


def note(name: str, found: str) -> Finding:
    return Finding(name, State.NOTE, found)


def fail(name: str, found: str, fix: str) -> Finding:
    return Finding(name, State.FAIL, found, fix)


def error_finding(name: str, problem: Diagnosis | TileclockError, remedy: str = "") -> Finding:
    """Return an error or diagnosis as a failure; ``remedy`` is the fix if it has none."""
    return fail(name, problem.problem, full_stop(problem.remedy or remedy))


def counted(number: int, one: str, several: str | None = None) -> Phrase:
    """Return a number with its noun: ``1 button``, ``2 buttons``."""
    return Phrase(f"1 {one}") if number == 1 else Phrase(f"{{count}} {several or one + 's'}", count=number)


_STYLES: Final = {"ok": "green", "note": "yellow", "fail": "bold red"}
PIPED_WIDTH: Final = 160
"""Width without a terminal: wraps few lines and stays readable in a log."""


def printed(table: Any) -> Iterator[str]:
    """Yield the lines of a table, no wider than the terminal, in colour if it has colours."""
    from rich.console import Console  # noqa: PLC0415 - slow to load; only needed to print a table

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    with console.capture() as rows:
        console.print(table)
    for row in rows.get().splitlines():
        yield row.rstrip()  # rich pads lines with blanks


def lines(findings: Sequence[Finding]) -> Iterator[str]:
    from rich.table import Table  # noqa: PLC0415 - likewise
    from rich.text import Text  # noqa: PLC0415 - likewise

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for finding in findings:
        table.add_row(Text(finding.state, _STYLES[finding.state]), Text(finding.name), Text(finding.found))
        if finding.fix:
            table.add_row("", "", Text(f"Fix: {finding.fix}", "bold"))
    yield from printed(table)
    failed = sum(1 for finding in findings if finding.fix)
    yield ""
    yield f"{failed} of {len(findings)} checks failed." if failed else "Nothing failed."
