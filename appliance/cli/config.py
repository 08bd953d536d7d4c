"""What ``config`` of every program does alike: print the settings, take them at the machine's start, put the table [machine] into force."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from appliance.settings.source import SettingsSource

_TAKE = """Look at the machine's files before {program} starts, as at each start of the machine, and keep a copy of good ones.

Files that cannot be used never block the start: `{program} run` then takes the last good ones (in the folder last-good below /var/lib/{program}), and shows on its
screen what is wrong. Exit code 0 then too, and 2 only where not even the defaults can be used.

A file that is empty, or gone though its copy sets something, cannot be used either: cards lose files. One with nothing but the line "# defaults" says that
the defaults are meant; once that was taken the file may go.
"""
_MACHINE = """Put the table [machine] into force: name, Wi-Fi, SSH keys, time zone. A card made by `make image` does it at each boot, as root.

The files are taken, and replaced by their last good copies, as by `{program} config take`.
"""


def print_settings(dumped: Iterable[tuple[str, str, str | None]]) -> None:
    """Print settings as dotted TOML: key, value, and the file or option that it comes from."""
    lines = [f"{key} = {value}" + (f"  # {origin}" if origin is not None else "") for key, value, origin in dumped]
    click.echo("\n".join(lines or ["# Nothing differs from the defaults."]))


def add_machine_verbs(config: click.Group, settings: SettingsSource[Any]) -> None:
    """Add the verbs ``take`` and ``machine`` to a program's ``config``."""

    @config.command(help=_TAKE.format(program=settings.program))
    def take() -> None:
        from appliance.settings.last_good import said

        click.echo(said(settings.take({})))

    @config.command(help=_MACHINE.format(program=settings.program))
    def machine() -> None:
        from appliance.machine.apply import apply
        from appliance.settings.last_good import said

        layered = settings.take({})
        click.echo(said(layered))
        click.echo(f"this machine is {apply(layered.settings.machine, settings.program)}")
