"""``tileclock run``: the table clock, live; ``tileclock doctor``: whether this machine is fit for a tournament, with remedies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from appliance.cli.config import report_findings
from appliance.process import fast_startup
from firmware.cli.options import examining_options, running_options

if TYPE_CHECKING:
    from firmware.settings import Layered


@click.command()
@fast_startup
@running_options
def run(layered: Layered) -> None:
    """Run the table clock on this machine's pins and screen.

    Settings come from /etc/tileclock/clock.toml, then tileclock.toml on the boot partition, then the options; what the director's desk has ordered
    counts where none of them says otherwise. If one of these files is unusable, the last good one replaces it, and the screen says why. An
    interrupted game returns stopped, for the director to confirm.

    If the pins are unavailable, a clock started by systemd says so on its screen and LED displays and tries again every 5 s; a clock started
    by hand exits with the reason.
    """
    import os
    from functools import partial

    from appliance.clocks import Clocks
    from appliance.log import get_logger
    from appliance.program import run_program
    from appliance.settings.last_good import settings_outcome
    from appliance.supervisor import update_request
    from firmware.journal.memory import crash_record_folder
    from firmware.settings.desk_file import desk_file
    from firmware.shell.assemble import assembled

    settings, log = layered.settings, get_logger()
    (log.info if layered.refused is None else log.error)("the settings are read", found=settings_outcome(layered))
    desk = desk_file(layered) if settings.hall.enabled else None
    opened = partial(assembled, settings, Clocks(), refused=layered.refused, crash=crash_record_folder(), desk=desk)
    plays_with = {"journal": settings.journal.path, "board": settings.board.file, "pins": settings.board.pins}
    run_program(
        "tileclock",
        lambda watched: opened(supervisor=watched),
        lambda _: log.info("the clock is ready", **plays_with),
        "TILECLOCK_POWEROFF",
        update_request(os.environ, "TILECLOCK_UPDATE", "TILECLOCK_UPDATED"),
    )


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
    from firmware.doctor import Interview, Parade, examine

    pins = layered.settings.board.pins
    if press and pins in ("none", "mock"):
        raise click.UsageError(f"--press needs buttons on real pins, and board.pins is {pins}: use --pins gpiod or rpigpio.")
    interview = Interview(lambda sentence: click.echo(sentence, err=True)) if press else None
    parade = Parade(lambda sentence: click.echo(sentence, err=True)) if led else None
    report_findings(examine(layered, interview, parade=parade))
