"""``tilekiosk run``: the challenge station, live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from appliance.service.startup import fast_startup
from kiosk.cli.options import running_options

if TYPE_CHECKING:
    from kiosk.settings import Layered


@click.command()
@fast_startup
@running_options
def run(layered: Layered) -> None:
    """Run the challenge station on this machine's screen.

    Settings come from /etc/tileclock/station.toml, then tilekiosk.toml on the boot partition, then the options. If one of these files is unusable,
    the last good one replaces it, and the screen says why. The director's choices at the desk override the settings until these change. The
    lexicon is read completely before the first challenge. If the station cannot judge, its screen shows why and names a remedy.

    If the board's pins are unavailable, a station started by systemd judges by touch and keyboard, tells the director, and tries again every 5 s; a
    station started by hand exits with the reason.
    """
    import os

    import sdnotify

    from appliance.clocks import Clocks
    from appliance.log import get_logger
    from appliance.service.console import errors_on_console
    from appliance.service.signals import termination_signals
    from appliance.service.supervisor import supervisor
    from appliance.settings.last_good import settings_outcome
    from kiosk.shell.assemble import assembled
    from kiosk.shell.inputs import EndProgram
    from kiosk.shell.loop import StationMachine

    systemd = sdnotify.SystemdNotifier()
    machine = StationMachine(Clocks(), supervisor(systemd, os.environ, "TILEKIOSK_POWEROFF"))
    with errors_on_console("tilekiosk"), termination_signals() as asked, assembled(layered, machine) as loop:
        asked(lambda: loop.inbox.put(EndProgram("by a signal")), outlives_session=False)
        # Ready only once the first page is on the screen.
        loop.turn()
        systemd.notify("READY=1")
        context = loop.station.flow.context
        (get_logger().info if layered.refused is None else get_logger().error)("settings", found=settings_outcome(layered))
        get_logger().info("ready", lexicon=None if context.lexicon is None else context.lexicon.short_hash, rulebook=context.rulebook.id)
        if context.trouble is not None:
            get_logger().warning("nothing is judged", why=str(context.trouble.what))
        loop.run()
        systemd.notify("STOPPING=1")
    get_logger().info("stopped", why=loop.why)
