"""``tilekiosk doctor``: check whether this machine is fit for a tournament, with remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kiosk.cli.options import examining_options

if TYPE_CHECKING:
    from kiosk.settings import Layered


@click.command()
@examining_options
@click.option(
    "--press",
    is_flag=True,
    help="Also ask for the adjudication button and the key switch; show how long each was down and how it bounced.",
)
def doctor(layered: Layered, *, press: bool) -> None:
    """Check this machine: settings, rulebooks, lexicon, log, the director's door, screen, pins, printer.

    Every failure names a remedy. An unusable settings file of the machine is one failure; the other checks use the settings in force instead.

    Exit code: 0 if nothing failed, 1 if something failed, 2 if an option or the file of --settings is unusable.

    Stop the station first if it uses pins or a printer. It has its own self-test at the director's desk.
    """
    from appliance.checks.finding import State
    from appliance.checks.table import lines
    from hardware.buttons.interview import Interview
    from kiosk.doctor.examine import examine

    board = layered.settings.board
    if press and (board.file == "none" or board.pins in ("none", "mock")):
        raise click.UsageError(
            f"--press needs a button on real pins, and board.file is {board.file}, board.pins {board.pins}: use --board station --pins gpiod or rpigpio."
        )
    interview = Interview(lambda sentence: click.echo(sentence, err=True)) if press else None
    findings = tuple(examine(layered, interview=interview))
    for line in lines(findings):
        click.echo(line)
    if any(finding.state is State.FAIL for finding in findings):
        raise SystemExit(1)
