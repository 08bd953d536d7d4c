"""The result of a check, as a value; its constructors; and findings as a table in terminal colours, the output of every ``doctor``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from appliance.errors import Diagnosis
from faults.errors import Phrase, TileclockError, full_stop


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
