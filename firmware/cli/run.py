"""``tileclock run``: the clock as a program. It starts without the command line's library, which takes a tenth of a start."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from appliance.clocks import Clocks
from appliance.log import get_logger
from appliance.process import fast_startup
from appliance.program import run_program, update_request
from appliance.settings import settings_outcome
from faults.endings import end_on_sigterm, exit_codes
from firmware.journal.recovery import crash_record_folder
from firmware.settings import Layered, Settings, desk_file, last_good
from firmware.shell.assemble import assembled

if TYPE_CHECKING:
    from appliance.errors import Finding


def main() -> None:
    end_on_sigterm()
    with exit_codes("tileclock"):
        _run_machines_own()


@fast_startup
def _run_machines_own() -> None:
    run(last_good().take({}))


def run(layered: Layered) -> None:
    settings, log = layered.settings, get_logger()
    (log.info if layered.refused is None else log.error)("the settings are read", found=settings_outcome(layered))
    desk = desk_file(layered) if settings.hall.enabled else None
    opened = partial(
        assembled, settings, Clocks(), refused=layered.refused, crash=crash_record_folder(), desk=desk, examine=lambda: _examined(settings)
    )
    plays_with = {"journal": settings.journal.path, "board": settings.board.file, "pins": settings.board.pins}
    run_program(
        "tileclock",
        lambda watched: opened(supervisor=watched),
        lambda _: log.info("the clock is ready", **plays_with),
        "TILECLOCK_POWEROFF",
        update_request(os.environ, "TILECLOCK_UPDATE", "TILECLOCK_UPDATED"),
    )


def _examined(settings: Settings) -> Iterable[Finding]:
    # Loaded for a guided test only: it would slow each start.
    from firmware.doctor.examine import examine_running

    return examine_running(Path(settings.journal.path))
