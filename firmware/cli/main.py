"""``tileclock``: the command and its verbs."""

from __future__ import annotations

import click

from faults.guard import Guarded
from firmware.cli.config import config
from firmware.cli.demo import demo
from firmware.cli.doctor import doctor
from firmware.cli.journal import journal
from firmware.cli.pinout import pinout
from firmware.cli.replay import replay
from firmware.cli.rulebooks import rulebooks
from firmware.cli.run import run


@click.group(cls=Guarded, program="tileclock", context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tileclock", prog_name="tileclock")
def main() -> None:
    """Tileclock: a tournament clock for Scrabble.

    \b
    Try it, with keyboard or mouse:   tileclock demo
    Is this machine fit for it?       tileclock doctor
    How is it wired?                  tileclock pinout
    Put it on a table:                tileclock run
    What does a rulebook ask?         tileclock rulebooks show naspa-2017
    What happened in a game?          tileclock journal show

    A player's button starts the other player's clock: always. Both buttons at once stop it. Every verb explains itself with --help.
    """  # noqa: D301 - the backslash makes click's sign for lines to be left as they are


for verb in (config, demo, doctor, journal, pinout, replay, rulebooks, run):
    main.add_command(verb)


if __name__ == "__main__":
    # Also when this file is run instead of the package.
    main(prog_name="tileclock")
