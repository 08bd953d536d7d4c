"""The shared part of each program's ``config``: print settings, check them at boot, apply the table [machine]."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from appliance.settings.source import SettingsSource

_TAKE = """Check the machine's settings files before {program} starts, and save copies of good ones. Runs at each boot.

Unusable files never block startup: `{program} run` then uses the last good copies (/var/lib/{program}/last-good) and shows on its screen
what is wrong. The exit code is 0 then too, and 2 only if not even the defaults are usable.

A file that is empty, or missing although its copy sets something, is unusable too: failing cards lose files. To ask for the defaults, write a file with
only the line "# defaults"; after the next boot you may delete it.
"""
_MACHINE = """Apply the table [machine]: name, Wi-Fi, SSH keys, time zone. A card made by `make image` does this at each boot, as root.

Reads the files as `{program} config take` does, with the last good copies in place of unusable files.
"""


def print_settings(dumped: Iterable[tuple[str, str, str | None]]) -> None:
    """Print settings as dotted TOML: key, value, and the file or option that sets it."""
    lines = [f"{key} = {value}" + (f"  # {origin}" if origin is not None else "") for key, value, origin in dumped]
    click.echo("\n".join(lines or ["# Nothing differs from the defaults."]))


def add_machine_verbs(config: click.Group, settings: SettingsSource[Any]) -> None:
    """Add the verbs ``take`` and ``machine`` to a program's ``config``."""

    @config.command(help=_TAKE.format(program=settings.program))
    def take() -> None:
        from appliance.settings.last_good import settings_outcome

        click.echo(settings_outcome(settings.take({})))

    @config.command(help=_MACHINE.format(program=settings.program))
    def machine() -> None:
        from appliance.machine.apply import apply
        from appliance.settings.last_good import settings_outcome

        layered = settings.take({})
        click.echo(settings_outcome(layered))
        click.echo(f"this machine is {apply(layered.settings.machine, settings.program)}")
