"""``tilekiosk doctor``: is this machine fit for a tournament, and if not, what to do."""

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
    help="Ask for the adjudication button and the key switch as well, and show how long each was down and how it bounced.",
)
def doctor(layered: Layered, *, press: bool) -> None:
    """Look over this machine: settings, rulebooks, lexicon, log, the director's door, screen, pins, printer.

    Every failure comes with what to do about it. Settings files of the machine that cannot be used are one; the rest is looked at with those in force instead.

    Exit code 0 if nothing failed, 1 if something did, 2 if an option or the file of --settings cannot be used.

    The station itself must not be running where it has pins or a printer: it holds them. Its own self-test is at the director's desk.
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
