"""Findings for a person: a table in the terminal's colours, and how many failed. What every ``doctor`` prints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from appliance.checks.finding import Finding

_STYLES: Final = {"ok": "green", "note": "yellow", "fail": "bold red"}
PIPED_WIDTH: Final = 160
"""Where there is no terminal to fit: few lines are broken, and a log stays readable."""


def lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the findings line by line, each failure with what to do, and last how many failed."""
    from rich.console import Console  # noqa: PLC0415 - only who prints a table waits for it
    from rich.table import Table  # noqa: PLC0415 - likewise
    from rich.text import Text  # noqa: PLC0415 - likewise

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(overflow="fold")
    for finding in findings:
        table.add_row(Text(finding.state, _STYLES[finding.state]), Text(finding.name), Text(finding.found))
        if finding.fix:
            table.add_row("", "", Text(f"Fix: {finding.fix}", "bold"))
    with console.capture() as rows:
        console.print(table)
    for row in rows.get().splitlines():
        yield row.rstrip()  # rich fills each line up with blanks
    failed = sum(1 for finding in findings if finding.fix)
    yield ""
    yield f"{failed} of {len(findings)} checks failed." if failed else "Nothing failed."
