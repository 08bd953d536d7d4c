"""``tilekiosk doctor``: is this machine fit for a tournament, and if not, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kiosk.cli.options import settings_options

if TYPE_CHECKING:
    from kiosk.settings import Layered


@click.command()
@settings_options
def doctor(layered: Layered) -> None:
    """Look over this machine: settings, rulebooks, lexicon, log, the director's door, screen, pins, printer.

    Every failure comes with what to do about it. Exit code 0 if nothing failed, 1 if something did, 2 if the settings themselves cannot be used.

    The station itself must not be running where it has pins or a printer: it holds them. Its own self-test is at the director's desk.
    """
    from hardware.finding import State
    from hardware.finding_table import lines
    from kiosk.doctor.examine import examine

    findings = tuple(examine(layered))
    for line in lines(findings):
        click.echo(line)
    if any(finding.state is State.FAIL for finding in findings):
        raise SystemExit(1)
