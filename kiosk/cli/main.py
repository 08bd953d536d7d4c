"""``tilekiosk``: the command and its verbs."""

from __future__ import annotations

import click

from faults.guard import Guarded
from kiosk.cli.config import config
from kiosk.cli.demo import demo
from kiosk.cli.doctor import doctor
from kiosk.cli.log import log
from kiosk.cli.pinout import pinout
from kiosk.cli.run import run


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


VERBS = (
    config,
    demo,
    doctor,
    log,
    pinout,
    run,
)
for verb in VERBS:
    main.add_command(verb)


if __name__ == "__main__":
    # Also when this file is run instead of the package.
    main(prog_name="tilekiosk")
