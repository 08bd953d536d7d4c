"""``tileclock config``: the settings in force and their sources; and taking them at each boot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from appliance.cli.config import add_machine_verbs, print_settings
from firmware.cli.options import settings_options
from firmware.cli.settings_source import SETTINGS

if TYPE_CHECKING:
    from firmware.settings import Layered


@click.group(invoke_without_command=True)
@settings_options
@click.option("--changed", is_flag=True, help="Print only what differs from the defaults, with its file or option.")
def config(layered: Layered, *, changed: bool) -> None:
    """Print the settings in force as dotted TOML.

    Order: defaults, what the director's desk has ordered, /etc/tileclock/clock.toml, tileclock.toml on the boot partition, options; later ones win.
    Rulebooks, board and language are checked as by `tileclock run`, with the same error messages.
    """
    from firmware.settings.named import require_usable
    from firmware.settings.places import dump

    require_usable(layered)
    print_settings(dump(layered, changed=changed))


add_machine_verbs(config, SETTINGS)


@config.command()
def code() -> None:
    """Make the settings line for the code of the director's door: 4 to 12 presses, L for left and R for right.

    Type the code twice; it is not shown. Without a terminal, it is read from a line of standard input. The code itself is not stored.
    """
    from appliance.cli.secret import read_secret
    from appliance.lock.pin import hashed
    from firmware.gestures.director_presses import code_of
    from firmware.gestures.door import parse_code

    line = hashed(code_of(parse_code(read_secret("Code"))))
    click.echo(
        "Put this line below [director] into tileclock.toml on the boot partition, which has the last word, or into /etc/tileclock/clock.toml:",
        err=True,
    )
    click.echo(f'code = "{line}"')
