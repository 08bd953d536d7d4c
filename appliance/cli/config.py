"""Where a program's verbs get its settings, and the shared part of its ``config``: print settings, check them at boot, apply the table [machine].

The settings are those of the machine's files, or the last good copies of unusable ones. A file named with ``--settings`` is used or rejected, never replaced: the
user is there to read why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click
from msgspec import Struct

if TYPE_CHECKING:
    from appliance.finding import Finding
    from appliance.settings.last_good import LastGood
    from appliance.settings.layers import Layered
    from appliance.validation import Table


M = TypeVar("M", bound="Table")


class SettingsSource(Struct, Generic[M], frozen=True):
    """The source of one program's settings; ``last_good`` is called only when needed, not for ``--help``."""

    program: str
    last_good: Callable[[], LastGood[M]]

    def take(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the settings to run with; raises one of the program's faults.

        ``options``: command-line values by dotted key; None: not given. ``file``: read this file instead of the machine's.
        """
        last_good = self.last_good()
        if file is None:
            return last_good.take(options)
        layered = last_good.layers.load(options, file)
        last_good.usable(layered)
        return layered

    def as_they_are(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the settings without replacing faulty files, and without loading what they name; raises ``SettingsError``."""
        last_good = self.last_good()
        return last_good.as_they_are(options) if file is None else last_good.layers.load(options, file)

    def examined(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the settings for a self-test: those the program would run with, and why not the files'. Saves no copies. Raises as ``take``."""
        last_good = self.last_good()
        return last_good.examined(options) if file is None else last_good.layers.load(options, file)

    def in_force(self) -> Layered[M]:
        """Return the settings the program runs with here, for a verb that only reads. Warns on standard error if they do not come from its files."""
        from appliance.settings.last_good import settings_outcome

        layered = self.last_good().look({})
        if layered.refused is not None:
            click.echo(f"{self.program}: {settings_outcome(layered)}", err=True)
        return layered


_TAKE = """Check the machine's settings files before {program} starts, and save copies of good ones. Runs at each boot.

Unusable files never block startup: `{program} run` then uses the last good copies (/var/lib/{program}/last-good) and shows on its screen
what is wrong. The exit code is 0 then too, and 2 only if not even the defaults are usable.

A file that is empty, or missing although its copy sets something, is unusable too: failing cards lose files. To ask for the defaults, write a file with
only the line "# defaults"; after the next boot you may delete it.
"""
_MACHINE = """Apply the table [machine]: name, Wi-Fi, SSH keys, time zone. A card made by `make image` does this at each boot, as root.

Reads the files as `{program} config take` does, with the last good copies in place of unusable files.
"""


def report_findings(findings: Iterable[Finding]) -> None:
    """Print what a self-test found; exit with 1 if something failed."""
    from appliance.finding import State, lines

    found = tuple(findings)
    for line in lines(found):
        click.echo(line)
    if any(finding.state is State.FAIL for finding in found):
        raise SystemExit(1)


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
