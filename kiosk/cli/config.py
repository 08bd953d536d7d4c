"""``tilekiosk config``: the settings as they stand, who changed them; their taking at each start of the machine; a PIN for the director's door."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from appliance.cli.config import add_machine_verbs, print_settings
from kiosk.cli.options import settings_options
from kiosk.cli.settings_source import SETTINGS

if TYPE_CHECKING:
    from kiosk.settings import Layered


@click.group(invoke_without_command=True)
@settings_options
@click.option("--changed", is_flag=True, help="Only what differs from the defaults, with the file or option it comes from.")
def config(layered: Layered, *, changed: bool) -> None:
    """Print the settings as dotted TOML, after the files and options.

    Defaults, then /etc/tileclock/station.toml, then tilekiosk.toml on the boot partition, then the options: the last word wins. Names of what is shipped must be
    known ones; whether a file that is named is there, and what it holds, `tilekiosk doctor` tells.
    """
    from kiosk.settings.layers import dump
    from kiosk.settings.named import require_known

    require_known(layered)
    print_settings(dump(layered, changed=changed))


add_machine_verbs(config, SETTINGS)


@config.command()
def pin() -> None:
    """Make what the settings keep of a PIN of 4 to 12 digits: it opens the director's door.

    It is asked for twice, and not shown; where nobody sits at a terminal, a line of standard input is read. The PIN itself stands nowhere afterwards.
    """
    from kiosk.settings.director_pin import hashed

    line = hashed(_asked())
    click.echo(
        "Put this line below [door] into tilekiosk.toml on the boot partition, which has the last word, or into /etc/tileclock/station.toml:",
        err=True,
    )
    click.echo(f'pin = "{line}"')


def _asked() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    from kiosk.settings.director_pin import BadPin

    first: str = click.prompt("PIN", hide_input=True, err=True)
    if click.prompt("Once more", hide_input=True, err=True) != first:
        raise BadPin(expected="the same PIN twice", found="two different ones", remedy="Begin again")
    return first
