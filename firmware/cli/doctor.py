"""``tileclock doctor``: check whether this machine is fit for a tournament, with remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from firmware.cli.options import examining_options

if TYPE_CHECKING:
    from firmware.settings import Layered


@click.command()
@examining_options
@click.option("--press", is_flag=True, help="Also ask for a press of each button; show how long it was down and how it bounced.")
@click.option(
    "--led", is_flag=True, help="Also light every segment of the LED displays, then L on the left player's and r on the right player's."
)
def doctor(layered: Layered, *, press: bool, led: bool) -> None:
    """Check this machine: settings, rulebooks, board, pins, buttons, LED displays, time, disk, screen.

    Every failure names a remedy. An unusable settings file of the machine is one failure; the other checks use the settings in force instead.

    Exit code: 0 if nothing failed, 1 if something failed, 2 if an option or the file of --settings is unusable.

    Stop the clock first, because it uses the pins. If it runs as a service: sudo systemctl stop tileclock
    """
    from appliance.checks.table import lines
    from firmware.doctor import Interview, Parade, State, examine

    pins = layered.settings.board.pins
    if press and pins in ("none", "mock"):
        raise click.UsageError(f"--press needs buttons on real pins, and board.pins is {pins}: use --pins gpiod or rpigpio.")
    interview = Interview(lambda sentence: click.echo(sentence, err=True)) if press else None
    parade = Parade(lambda sentence: click.echo(sentence, err=True)) if led else None
    findings = tuple(examine(layered, interview, parade=parade))
    for line in lines(findings):
        click.echo(line)
    if any(finding.state is State.FAIL for finding in findings):
        raise SystemExit(1)
