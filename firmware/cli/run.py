"""``tileclock run``: the table clock, live."""

from __future__ import annotations

import click

from firmware.cli.options import settings_options
from firmware.settings import Layered


@click.command()
@settings_options
def run(layered: Layered) -> None:
    """Run the table clock on this machine's pins and screen.

    Settings come from /etc/tileclock/clock.toml, then tileclock.toml on the boot partition, then the options. A game that was interrupted comes back
    stopped, for the director to confirm.
    """
    import sdnotify

    from firmware.shell.assemble import assembled
    from hardware.clocks import Clocks
    from hardware.logbook import log
    from hardware.signals import ending

    systemd = sdnotify.SystemdNotifier()
    with ending() as asked, assembled(layered.settings, Clocks()) as loop:
        asked(loop.leave, outlives_session=loop.plays_without_a_screen)
        systemd.notify("READY=1")
        log().info("ready", journal=layered.settings.journal.path, board=layered.settings.board.file, pins=layered.settings.board.pins)
        loop.run()
        systemd.notify("STOPPING=1")
    log().info("stopped")
