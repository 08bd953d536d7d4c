"""Findings as a table in terminal colours, and the number of failures: the output of every ``doctor``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from appliance.checks.finding import Finding

_STYLES: Final = {"ok": "green", "note": "yellow", "fail": "bold red"}
PIPED_WIDTH: Final = 160
"""Width without a terminal: wraps few lines and stays readable in a log."""


def lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Yield the table line by line, each failure with its fix, then the number of failures."""
    from rich.console import Console  # noqa: PLC0415 - slow to load; only needed to print a table
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
        yield row.rstrip()  # rich pads lines with blanks
    failed = sum(1 for finding in findings if finding.fix)
    yield ""
    yield f"{failed} of {len(findings)} checks failed." if failed else "Nothing failed."
