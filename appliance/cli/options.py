"""Settings as options of a command: each one overrides a key of the files. What there is to set, and how it is read, is each program's own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import click

Option: TypeAlias = tuple[str, str, Any, str]
"""The option's name, the dotted key that it sets, the kind of its value, and its help."""
Verb: TypeAlias = Callable[..., Any]


def options_of(
    options: Sequence[Option], load: Callable[[Mapping[str, Any], Path | None], Any], system_file: str
) -> Callable[[Verb], Verb]:
    """Return what gives a verb ``options`` and ``--settings``, and hands it the checked settings as ``layered``.

    A group whose verb of its own was asked for is not run, and nothing is read for it.

    Args:
        options: in the order of the help.
        load: takes values by dotted key (None: not given), and the file of ``--settings``; returns the settings.
        system_file: what ``--settings`` is read in place of, for its help.
    """

    def with_options(verb: Verb) -> Verb:
        @functools.wraps(verb)
        def with_settings(settings_file: Path | None, **values: Any) -> Any:
            given = {key: values.pop(_variable(key)) for _, key, _, _ in options}
            if (name := click.get_current_context().invoked_subcommand) is not None:
                # Files that are at fault must not keep it from running.
                _require_none_of((*given.values(), settings_file), name)
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
    """Refuse an option's empty text, which as a path would be the working directory."""
    if given == "":
        raise click.BadParameter("expected something, found an empty text.")
    return given


def _require_none_of(given: Iterable[Any], verb: str) -> None:
    if any(each is not None for each in given):
        raise click.UsageError(f"expected no settings before `{verb}`, which takes none, found some: leave them out.")


def _variable(key: str) -> str:
    return key.replace(".", "_")
