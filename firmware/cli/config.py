"""``tileclock config``: the settings as they stand, and who changed them."""

from __future__ import annotations

import click

from firmware.cli.options import settings_options
from firmware.settings import Layered
from firmware.settings.layers import dump


@click.command()
@settings_options
@click.option("--changed", is_flag=True, help="Only what differs from the defaults, with the file or option it comes from.")
def config(layered: Layered, *, changed: bool) -> None:
    """Print the settings as dotted TOML, after the files and options.

    Defaults, then /etc/tileclock/clock.toml, then tileclock.toml on the boot partition, then the options: the last word wins.
    What they name (rulebooks, board, language) is looked up as `tileclock run` does, and refused with the same sentence.
    """
    from firmware.shell.assemble import setup_of

    setup_of(layered.settings)
    for key, value, origin in dump(layered, changed=changed):
        click.echo(f"{key} = {value}" + (f"  # {origin}" if origin is not None else ""))
