"""``tileclock run``: the table clock, live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from appliance.service.startup import fast_startup, startup_done
from firmware.cli.options import running_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.settings import Layered, Settings
    from firmware.shell.loop import Loop


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

    import sdnotify

    from appliance.clocks import Clocks
    from appliance.log import get_logger
    from appliance.service.console import errors_on_console
    from appliance.service.signals import termination_signals
    from appliance.service.supervisor import supervisor
    from appliance.service.update import update_request
    from appliance.settings.last_good import settings_outcome
    from firmware.settings.desk_file import desk_file
    from firmware.shell.assemble import assembled
    from firmware.shell.crash import crash_record_folder

    (get_logger().info if layered.refused is None else get_logger().error)("settings", found=settings_outcome(layered))
    desk = desk_file(layered) if layered.settings.hall.enabled else None
    systemd = sdnotify.SystemdNotifier()
    update = update_request(os.environ, "TILECLOCK_UPDATE", "TILECLOCK_UPDATED")
    over = supervisor(systemd, os.environ, "TILECLOCK_POWEROFF", update)
    with (
        errors_on_console("tileclock"),
        termination_signals() as asked,
        assembled(layered.settings, Clocks(), refused=layered.refused, supervisor=over, crash=crash_record_folder(), desk=desk) as loop,
    ):
        asked(loop.leave, outlives_session=loop.outlives_session)
        _run(loop, layered.settings, systemd.notify)
    get_logger().info("stopped")


def _run(loop: Loop, settings: Settings, notify: Callable[[str], None]) -> None:
    """Run ``loop`` to its end, and tell log and systemd (``notify``) when it is ready and when it stops."""
    from appliance.log import get_logger

    # Ready only once the first picture is on the screen.
    loop.begin()
    notify("READY=1")
    get_logger().info("ready", journal=settings.journal.path, board=settings.board.file, pins=settings.board.pins)
    startup_done()
    loop.run()
    notify("STOPPING=1")
