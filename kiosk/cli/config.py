"""``tilekiosk config``: the settings as they stand, who changed them; their taking at each start of the machine; a PIN for the director's door."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from kiosk.cli.errors import Guarded
from kiosk.cli.options import settings_options

if TYPE_CHECKING:
    from kiosk.settings import Layered


@click.group(cls=Guarded, invoke_without_command=True)
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
    lines = [f"{key} = {value}" + (f"  # {origin}" if origin is not None else "") for key, value, origin in dump(layered, changed=changed)]
    for line in lines or ["# Nothing differs from the defaults."]:
        click.echo(line)


@config.command()
def take() -> None:
    """Look at the machine's files before the station starts, as at each start of the machine, and keep a copy of good ones.

    Files that cannot be used keep no station from starting: `tilekiosk run` then takes the last good ones (in the folder last-good below /var/lib/tilekiosk),
    and says so on its screen. Exit code 0 then too, and 2 only where not even the defaults can be used.

    A file that is empty, or gone though its copy sets something, cannot be used either: cards lose files. One with nothing but the line "# defaults" says that
    the defaults are meant; once that was taken the file may go.
    """
    from appliance.settings.last_good import said
    from kiosk.cli.taking import SETTINGS

    click.echo(said(SETTINGS.take({})))


@config.command()
def machine() -> None:
    """Put the table [machine] into force: name, Wi-Fi, SSH keys, time zone. A card made by `make image` does it at each boot, as root.

    The files are taken, and replaced by their last good copies, as by `tilekiosk config take`.
    """
    from appliance.machine.apply import apply
    from appliance.settings.last_good import said
    from kiosk.cli.taking import SETTINGS

    layered = SETTINGS.take({})
    click.echo(said(layered))
    click.echo(f"this machine is {apply(layered.settings.machine, 'tilekiosk')}")


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
        raise BadPin("expected the same PIN twice, found two different ones. Begin again.")
    return first
