"""``tilekiosk``: the command and its verbs, of which ``tilekiosk run`` is the live station."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from appliance.cli.docs import docs
from appliance.process import fast_startup
from faults.guard import Guarded
from kiosk.cli.demo import demo
from kiosk.cli.log import log
from kiosk.cli.machine import boot_files, config, doctor, pinout
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
        (log.info if layered.refused is None else log.error)("the settings are read", found=settings_outcome(layered))
        log.info(
            "the station is ready", lexicon=None if context.lexicon is None else context.lexicon.short_hash, rulebook=context.rulebook.id
        )
        if context.trouble is not None:
            log.warning("nothing is judged", why=str(context.trouble.what))

    run_program("tilekiosk", lambda watched: assembled(layered, StationMachine(Clocks(), watched)), report_ready, "TILEKIOSK_POWEROFF")


@click.group(cls=Guarded, program="tilekiosk", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tileclock", prog_name="tilekiosk")
def main() -> None:
    """Tilekiosk: the challenge station, where two players look a challenged play up themselves.

    \b
    Try it, with mouse or keyboard:   tilekiosk demo
    Is this machine fit for it?       tilekiosk doctor
    How is it wired?                  tilekiosk pinout
    Put it into a hall:               tilekiosk run
    What happened at table 12?        tilekiosk log list --table 12
    The log for a spreadsheet:        tilekiosk log export --csv -o log.csv
    Is the log what was written?      tilekiosk log verify
    What is set, and by whom?         tilekiosk config --changed
    A PIN for the director's door:    tilekiosk config pin

    Every verb explains itself with --help.
    """  # noqa: D301 - the backslash makes click's sign for lines to be left as they are


VERBS = (boot_files, config, demo, docs, doctor, log, pinout, run)
for verb in VERBS:
    main.add_command(verb)


if __name__ == "__main__":
    # Also when this file is run instead of the package.
    main(prog_name="tilekiosk")
