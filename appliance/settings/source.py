"""Where a program's verbs get its settings: the machine's files, or the last good copies of unusable ones.

A file named with ``--settings`` is used or rejected, never replaced: the user is there to read why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

if TYPE_CHECKING:
    from pydantic import BaseModel

    from appliance.settings.last_good import LastGood
    from appliance.settings.layers import Layered

M = TypeVar("M", bound="BaseModel")


@dataclass(frozen=True, slots=True)
class SettingsSource(Generic[M]):
    """The source of one program's settings.

    Args:
        program: the name of its command.
        last_good: returns the loader of its settings; called only when needed, not for ``--help``.
    """

    program: str
    last_good: Callable[[], LastGood[M]]

    def take(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the settings to run with.

        Args:
            options: command-line values by dotted key; None: not given.
            file: read this file instead of the machine's.

        Raises:
            One of the program's faults: ``file`` or an option is unusable.
        """
        last_good = self.last_good()
        if file is None:
            return last_good.take(options)
        layered = last_good.layers.load(options, file)
        last_good.usable(layered)
        return layered

    def as_they_are(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the settings without replacing faulty files, and without loading what they name.

        Raises:
            SettingsError: a file or an option is invalid.
        """
        last_good = self.last_good()
        return last_good.as_they_are(options) if file is None else last_good.layers.load(options, file)

    def examined(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the settings for a self-test: those the program would run with, and why not the files'. Saves no copies.

        Raises:
            One of the program's faults: ``file`` or an option is unusable.
        """
        last_good = self.last_good()
        return last_good.examined(options) if file is None else last_good.layers.load(options, file)

    def in_force(self) -> Layered[M]:
        """Return the settings the program runs with here, for a verb that only reads. Warns on standard error if they do not come from its files."""
        from appliance.settings.last_good import settings_outcome  # noqa: PLC0415 - not for --help

        layered = self.last_good().look({})
        if layered.refused is not None:
            click.echo(f"{self.program}: {settings_outcome(layered)}", err=True)
        return layered
