"""``tileclock run``: the table clock, live."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from appliance.service.startup import fast_startup
from firmware.cli.options import running_options

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
    from appliance.service.update import update_request
    from appliance.settings.last_good import settings_outcome
    from firmware.settings.desk_file import desk_file
    from firmware.shell.assemble import assembled
    from firmware.shell.crash import crash_record_folder

    settings, log = layered.settings, get_logger()
    (log.info if layered.refused is None else log.error)("settings", found=settings_outcome(layered))
    desk = desk_file(layered) if settings.hall.enabled else None
    opened = partial(assembled, settings, Clocks(), refused=layered.refused, crash=crash_record_folder(), desk=desk)
    plays_with = {"journal": settings.journal.path, "board": settings.board.file, "pins": settings.board.pins}
    run_program(
        "tileclock",
        lambda watched: opened(supervisor=watched),
        lambda _: log.info("ready", **plays_with),
        "TILECLOCK_POWEROFF",
        update_request(os.environ, "TILECLOCK_UPDATE", "TILECLOCK_UPDATED"),
    )
