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
    from appliance.clocks import Clocks
    from appliance.log import get_logger
    from appliance.program import run_program
    from appliance.settings.last_good import settings_outcome
    from kiosk.shell.assemble import assembled
    from kiosk.shell.loop import Loop, StationMachine

    def report_ready(loop: Loop) -> None:
        context, log = loop.station.flow.context, get_logger()
        (log.info if layered.refused is None else log.error)("settings", found=settings_outcome(layered))
        log.info("ready", lexicon=None if context.lexicon is None else context.lexicon.short_hash, rulebook=context.rulebook.id)
        if context.trouble is not None:
            log.warning("nothing is judged", why=str(context.trouble.what))

    run_program("tilekiosk", lambda watched: assembled(layered, StationMachine(Clocks(), watched)), report_ready, "TILEKIOSK_POWEROFF")
