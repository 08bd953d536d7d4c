"""``tilekiosk config``: the settings in force and their sources; taking them at each boot; a PIN for the director's door."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from appliance.cli.config import add_machine_verbs, print_settings
from kiosk.cli.options import settings_options
from kiosk.cli.settings_source import SETTINGS

if TYPE_CHECKING:
    from kiosk.settings import Layered


@click.group(invoke_without_command=True)
@settings_options
@click.option("--changed", is_flag=True, help="Print only what differs from the defaults, with its file or option.")
def config(layered: Layered, *, changed: bool) -> None:
    """Print the settings in force as dotted TOML.

    Order: defaults, /etc/tileclock/station.toml, tilekiosk.toml on the boot partition, options; later ones win.
    Rulebooks, alphabet, board and language are checked as by `tilekiosk run`, with the same error messages. The lexicon is checked by `tilekiosk doctor`.
    """
    from kiosk.settings.named import require_usable
    from kiosk.settings.places import dump

    require_usable(layered)
    print_settings(dump(layered, changed=changed))


add_machine_verbs(config, SETTINGS)


@config.command()
def pin() -> None:
    """Make the settings line for a PIN of 4 to 12 digits, which opens the director's door.

    Type the PIN twice; it is not shown. Without a terminal, it is read from a line of standard input. The PIN itself is not stored.
    """
    from appliance.cli.secret import read_secret
    from appliance.lock.pin import hashed

    line = hashed(read_secret("PIN"))
    click.echo(
        "Put this line below [door] into tilekiosk.toml on the boot partition, which has the last word, or into /etc/tileclock/station.toml:",
        err=True,
    )
    click.echo(f'pin = "{line}"')
