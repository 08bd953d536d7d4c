"""``tileclock config``: the settings as they stand, and who changed them; and their taking at each start of the machine."""

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
@click.option("--changed", is_flag=True, help="Only what differs from the defaults, with the file or option it comes from.")
def config(layered: Layered, *, changed: bool) -> None:
    """Print the settings as dotted TOML, after the files and options.

    Defaults, then /etc/tileclock/clock.toml, then tileclock.toml on the boot partition, then the options: the last word wins.
    What they name (rulebooks, board, language) is looked up as `tileclock run` does, and refused with the same sentence.
    """
    from firmware.settings.layers import dump
    from firmware.settings.named import require_usable

    require_usable(layered)
    print_settings(dump(layered, changed=changed))


add_machine_verbs(config, SETTINGS)
