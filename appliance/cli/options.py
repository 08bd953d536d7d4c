"""Settings at a command line: as options, each of which overrides a key of the files, and as secrets that are typed.

Each program defines its own options and how to load them. A secret is typed on a terminal without showing it, else it is a line of standard input. Last, the
options of the verbs that verify a file of record and ask for more than a whole chain.
"""

import functools
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import click

from appliance.records.chain import NOTED_DIGITS
from faults.errors import TileclockError

Option: TypeAlias = tuple[str, str, Any, str]
"""Option name, dotted key it sets, click type, help text."""
Verb: TypeAlias = Callable[..., Any]


def options_of(
    options: Sequence[Option], load: Callable[[Mapping[str, Any], Path | None], Any], system_file: str
) -> Callable[[Verb], Verb]:
    """Return a decorator that adds ``options`` and ``--settings`` to a verb and passes it the checked settings as ``layered``.

    For a group with a subcommand on the command line, neither the group's function runs nor are files read. ``load`` takes option values by dotted key
    (None: not given) and the ``--settings`` file, which replaces ``system_file``.
    """

    def with_options(verb: Verb) -> Verb:
        @functools.wraps(verb)
        def with_settings(settings_file: Path | None, **values: Any) -> Any:
            given = {key: values.pop(_variable(key)) for _, key, _, _ in options}
            if (name := click.get_current_context().invoked_subcommand) is not None:
                # Faulty files must not block the subcommand.
                if any(each is not None for each in (*given.values(), settings_file)):
                    raise click.UsageError(f"expected no settings before `{name}`, which takes none, found some: leave them out.")
                return None
            return verb(layered=load(given, settings_file), **values)

        for name, key, kind, explanation in reversed(options):
            with_settings = click.option(name, _variable(key), type=kind, default=None, help=explanation, callback=not_empty)(with_settings)
        file = click.option(
            "--settings",
            "settings_file",
            type=click.Path(path_type=Path),
            help=f"Read this file in place of {system_file} and the boot partition's.",
        )
        return file(with_settings)

    return with_options


def not_empty(context: click.Context, parameter: click.Parameter, given: Any) -> Any:
    """Reject an empty option value: as a path it would mean the working directory."""
    if given == "":
        raise click.BadParameter("expected something, found an empty text.")
    return given


def _variable(key: str) -> str:
    return key.replace(".", "_")


def read_secret(name: str, *, again: bool = True) -> str:
    """Return the secret called ``name`` in the prompt; ``again``: it is new, and an error unless typed twice."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first: str = click.prompt(name, hide_input=True, err=True)
    if again and click.prompt("Once more", hide_input=True, err=True) != first:
        raise TileclockError(expected=f"the same {name} twice", found="two different ones", remedy="Begin again")
    return first


_HEAD: Final = re.compile(rf"[0-9a-fA-F]{{{NOTED_DIGITS},64}}")

_KEY: Final = re.compile(r"[cs]-[a-z2-7]{16}|[A-Za-z0-9+/]{43}=")
"""A device's id, or its public key: 32 bytes in base64."""


def _key(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    if given is not None and not _KEY.fullmatch(given):
        raise click.BadParameter(f"expected a device's id (c-… or s-…) or its public key in base64, found {given}.")
    return given


key_option: Final = click.option(
    "--key", metavar="KEY", callback=_key, help="The device's id or public key: the last signature must be its own."
)


def _head(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    if given is not None and not _HEAD.fullmatch(given):
        raise click.BadParameter(
            f"expected {NOTED_DIGITS} to 64 hex digits, as `verify` prints them, found {given}. Fewer prove nothing: rows that give eight chosen "
            "digits are found by trying in seconds."
        )
    return given


expect_option: Final = click.option(
    "--expect",
    metavar="HEAD",
    callback=_head,
    help=f"A hash written down earlier, {NOTED_DIGITS} digits or more: its row must still exist. Fewer digits could be met by trying.",
)
