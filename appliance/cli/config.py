"""What the command lines have alike: where verbs get the settings, ``config`` (print settings, check them at boot, apply the table [machine]), the documents, and what a checkout has.

The settings are those of the machine's files, or the last good copies of unusable ones. A file named with ``--settings`` is used or rejected, never replaced: the
user is there to read why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import click
from msgspec import Struct

from appliance.cli.options import Option, Verb, options_of
from faults.errors import TileclockError

if TYPE_CHECKING:
    from appliance.errors import Finding
    from appliance.settings import LastGood, Layered
    from faults.validation import Table


M = TypeVar("M", bound="Table")


class SettingsSource(Struct, Generic[M], frozen=True):
    program: str
    places: str
    """The module whose ``last_good`` loads them; it is imported only when needed, not for ``--help``."""
    system_file: str
    own_options: tuple[Option, ...]
    """The options of every verb with settings: each overrides a key of the files."""

    def last_good(self) -> LastGood[M]:
        found: LastGood[M] = import_module(self.places).last_good()
        return found

    def options(self, load: Callable[[Mapping[str, Any], Path | None], Any]) -> Callable[[Verb], Verb]:
        """Return a decorator that adds the options to a verb, and passes it as ``layered`` what ``load`` returns, one of the methods below."""
        return options_of(self.own_options, load, self.system_file)

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
        from appliance.settings import settings_outcome

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
    from appliance.errors import State, lines

    found = tuple(findings)
    for line in lines(found):
        click.echo(line)
    if any(finding.state is State.FAIL for finding in found):
        raise SystemExit(1)


def config_group(settings: SettingsSource[Any], explanation: str) -> click.Group:
    """Return a program's ``config``: it prints the settings in force, or with the verbs ``take`` and ``machine`` uses them at boot."""

    @click.group("config", invoke_without_command=True, help=explanation)
    @settings.options(settings.as_they_are)
    @click.option("--changed", is_flag=True, help="Print only what differs from the defaults, with its file or option.")
    def config(layered: Layered[Any], *, changed: bool) -> None:
        last_good = settings.last_good()
        last_good.usable(layered)
        lines = [
            f"{key} = {value}" + (f"  # {origin}" if origin is not None else "")
            for key, value, origin in last_good.layers.dump(layered, changed=changed)
        ]
        click.echo("\n".join(lines or ["# Nothing differs from the defaults."]))

    @config.command(help=_TAKE.format(program=settings.program))
    def take() -> None:
        from appliance.settings import settings_outcome

        click.echo(settings_outcome(settings.take({})))

    @config.command(help=_MACHINE.format(program=settings.program))
    def machine() -> None:
        from appliance.machine import apply
        from appliance.settings import settings_outcome

        layered = settings.take({})
        click.echo(settings_outcome(layered))
        click.echo(f"this machine is {apply(layered.settings.machine, settings.program)}")

    return config


def print_hashed(settings: SettingsSource[Any], table: str, key: str, secret: str) -> None:
    from appliance.lock import hashed

    line = hashed(secret)
    click.echo(
        f"Put this line below [{table}] into {settings.program}.toml on the boot partition, which has the last word, or into {settings.system_file}:",
        err=True,
    )
    click.echo(f'{key} = "{line}"')


SITES: Final = (Path(__file__).parents[2] / "build/docs/index.html", Path("/usr/share/doc/tileclock-common/html/index.html"))
"""As ``make docs`` makes it in a checkout, and as the Debian packages bring it."""


@click.command()
def docs() -> None:
    """Name the address of these documents on this machine, for a browser: with pictures, and the players' pages in French and Spanish."""
    there = next((site for site in SITES if site.exists()), None)
    if there is None:
        raise TileclockError(
            expected="the documents as web pages", found="none", remedy="Run make docs in a checkout, or install the Debian packages"
        )
    click.echo(there.as_uri())


def from_checkout(name: str, target: str) -> Any:
    """Return an object of ``tools``; raises ``TileclockError`` outside a checkout, where the make target ``target`` runs it."""
    try:
        return resolve_name(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "tools":
            raise
        raise TileclockError(
            expected="a checkout of Tileclock", found="an installed package", remedy=f"Run make {target} in a checkout, or this command"
        ) from error
