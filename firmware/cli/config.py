"""``tileclock config``: the settings as they stand, and who changed them; and their taking at each start of the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from firmware.cli.errors import Guarded
from firmware.cli.options import settings_options
from firmware.cli.taking import SETTINGS

if TYPE_CHECKING:
    from firmware.settings import Layered


@click.group(cls=Guarded, invoke_without_command=True)
@settings_options
@click.option("--changed", is_flag=True, help="Only what differs from the defaults, with the file or option it comes from.")
def config(layered: Layered, *, changed: bool) -> None:
    """Print the settings as dotted TOML, after the files and options.

    Defaults, then /etc/tileclock/clock.toml, then tileclock.toml on the boot partition, then the options: the last word wins.
    What they name (rulebooks, board, language) is looked up as `tileclock run` does, and refused with the same sentence.
    """
    from firmware.settings.layers import dump
    from firmware.settings.named import require_usable

    require_usable(layered)
    for key, value, origin in dump(layered, changed=changed):
        click.echo(f"{key} = {value}" + (f"  # {origin}" if origin is not None else ""))


@config.command()
def take() -> None:
    """Look at the machine's files before the clock starts, as at each start of the machine, and keep a copy of good ones.

    Files that cannot be used keep no clock from starting: `tileclock run` then takes the last good ones (in the folder last-good below /var/lib/tileclock),
    and shows on its screen what is wrong. Exit code 0 then too, and 2 only where not even the defaults can be used.

    A file that is empty, or gone though its copy sets something, cannot be used either: cards lose files. One with nothing but the line "# defaults" says that
    the defaults are meant; once that was taken the file may go.
    """
    from appliance.settings.last_good import said

    click.echo(said(SETTINGS.take({})))


@config.command()
def machine() -> None:
    """Put the table [machine] into force: name, Wi-Fi, SSH keys, time zone. A card made by `make image` does it at each boot, as root.

    The files are taken, and replaced by their last good copies, as by `tileclock config take`.
    """
    from appliance.machine.apply import apply
    from appliance.settings.last_good import said

    layered = SETTINGS.take({})
    click.echo(said(layered))
    click.echo(f"this machine is {apply(layered.settings.machine, 'tileclock')}")
