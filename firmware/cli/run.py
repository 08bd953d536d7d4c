"""``tileclock run``: the table clock, live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from appliance.service.startup import fast_startup, startup_done
from firmware.cli.options import running_options

if TYPE_CHECKING:
    from firmware.settings import Layered


@click.command()
@fast_startup
@running_options
def run(layered: Layered) -> None:
    """Run the table clock on this machine's pins and screen.

    Settings come from /etc/tileclock/clock.toml, then tileclock.toml on the boot partition, then the options. Where one of these files cannot be used, the
    last good one is, and the screen says why. A game that was interrupted comes back stopped, for the director to confirm.

    Where the pins cannot be had, a clock that systemd has started says so on its screen and LED displays, and tries again every 5 s; one that was started
    by hand ends with the reason.
    """
    import os

    import sdnotify

    from appliance.clocks import Clocks
    from appliance.log import get_logger
    from appliance.service.console import errors_on_console
    from appliance.service.signals import termination_signals
    from appliance.service.supervisor import supervisor
    from appliance.settings.last_good import settings_outcome
    from firmware.shell.assemble import assembled
    from firmware.shell.crash import place

    (get_logger().info if layered.refused is None else get_logger().error)("settings", found=settings_outcome(layered))
    systemd = sdnotify.SystemdNotifier()
    over = supervisor(systemd, os.environ, "TILECLOCK_POWEROFF")
    with (
        errors_on_console("tileclock"),
        termination_signals() as asked,
        assembled(layered.settings, Clocks(), refused=layered.refused, supervisor=over, crash=place()) as loop,
    ):
        asked(loop.leave, outlives_session=loop.outlives_session)
        # Only once its first picture stands is it ready.
        loop.begin()
        systemd.notify("READY=1")
        get_logger().info(
            "ready", journal=layered.settings.journal.path, board=layered.settings.board.file, pins=layered.settings.board.pins
        )
        startup_done()
        loop.run()
        systemd.notify("STOPPING=1")
    get_logger().info("stopped")
