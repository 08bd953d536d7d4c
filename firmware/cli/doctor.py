"""``tileclock doctor``: is this machine fit for a tournament, and if not, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from firmware.cli.options import settings_options
from firmware.settings import Layered

if TYPE_CHECKING:
    from firmware.doctor import Finding

_STYLES: Final = {"ok": "green", "note": "yellow", "fail": "bold red"}
_PIPED_WIDTH: Final = 160
"""Where there is no terminal to fit: few lines are broken, and a log stays readable."""


@click.command()
@settings_options
@click.option("--press", is_flag=True, help="Ask for a press of each button as well, and show how long it was down and how it bounced.")
def doctor(layered: Layered, *, press: bool) -> None:
    """Look over this machine: settings, rulebooks, board, pins, buttons, time, disk, screen.

    Every failure comes with what to do about it. Exit code 0 if nothing failed, 1 if something did, 2 if the settings themselves cannot be used.

    The clock itself must not be running: it holds the pins. As a service it is stopped with: sudo systemctl stop tileclock
    """
    from firmware.doctor import Interview, State, examine

    pins = layered.settings.board.pins
    if press and pins in ("none", "mock"):
        raise click.UsageError(f"--press needs buttons on real pins, and board.pins is {pins}: use --pins lgpio or --pins rpigpio.")
    interview = Interview(lambda sentence: click.echo(sentence, err=True)) if press else None
    findings = tuple(examine(layered, interview))
    _show(findings)
    if any(finding.state is State.FAIL for finding in findings):
        raise SystemExit(1)


def _show(findings: Sequence[Finding]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _PIPED_WIDTH
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
        click.echo(row.rstrip())  # rich fills each line up with blanks
    failed = sum(1 for finding in findings if finding.fix)
    click.echo(f"\n{failed} of {len(findings)} checks failed." if failed else "\nNothing failed.")
