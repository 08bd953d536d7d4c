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

    Settings come from /etc/tileclock/station.toml, then tilekiosk.toml on the boot partition, then the options. Where one of these files cannot be
    used, the last good one is, and the screen says why. What the director chose at the desk stands until these themselves name something else than they did when it was chosen. The lexicon is read whole before the first challenge. A station that cannot judge says on its screen why, and how to mend it.

    Where the board's pins cannot be had, a station that systemd has started judges by touch and keyboard, tells the director, and tries again every 5 s; one that was started by hand ends with the reason.
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
    from kiosk.shell.inputs import Quit
    from kiosk.shell.loop import Machine

    systemd = sdnotify.SystemdNotifier()
    machine = Machine(Clocks(), supervisor(systemd, os.environ, "TILEKIOSK_POWEROFF"))
    with errors_on_console("tilekiosk"), termination_signals() as asked, assembled(layered, machine) as loop:
        asked(lambda: loop.inbox.put(Quit("by a signal")), outlives_session=False)
        # Only once its first page stands is it ready.
        loop.turn()
        systemd.notify("READY=1")
        standing = loop.station.flow.standing
        (get_logger().info if layered.refused is None else get_logger().error)("settings", found=settings_outcome(layered))
        get_logger().info("ready", lexicon=None if standing.lexicon is None else standing.lexicon.short_hash, rulebook=standing.rulebook.id)
        if standing.trouble is not None:
            get_logger().warning("nothing is judged", why=str(standing.trouble.what))
        loop.run()
        systemd.notify("STOPPING=1")
    get_logger().info("stopped", why=loop.why)
