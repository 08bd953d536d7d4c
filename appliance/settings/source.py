"""How the verbs of a program take its settings: the machine's files, or where these cannot be used the last good ones.

Between ``last_good`` and the command line of both programs. A file that is named with ``--settings`` is taken or refused, never replaced: whoever named it is
there to read why.
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
    """One program's way to its settings.

    Args:
        program: its name, as it is typed.
        last_good: returns how its settings are taken at its start; asked when it is needed, for ``--help`` does without.
    """

    program: str
    last_good: Callable[[], LastGood[M]]

    def take(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the settings to run with.

        Args:
            options: dotted keys from the command line; None values are not given.
            file: read this file in place of the machine's.

        Raises:
            One of the program's faults: ``file`` or an option cannot be used.
        """
        last_good = self.last_good()
        if file is None:
            return last_good.take(options)
        layered = last_good.layers.load(options, file)
        last_good.usable(layered)
        return layered

    def as_they_are(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the same, with nothing in a faulty file's place; what is named is not looked for.

        Raises:
            SettingsError: a file is at fault, or an option.
        """
        last_good = self.last_good()
        return last_good.as_they_are(options) if file is None else last_good.layers.load(options, file)

    def examined(self, options: Mapping[str, Any], file: Path | None = None) -> Layered[M]:
        """Return the settings to look a machine over with: those that the program would run with, and why not its files'. No copy is kept.

        Raises:
            One of the program's faults: ``file`` or an option cannot be used.
        """
        last_good = self.last_good()
        return last_good.examined(options) if file is None else last_good.layers.load(options, file)

    def in_force(self) -> Layered[M]:
        """Return the settings that the program runs with here, for a verb that only reads; where they are not its files', a line of standard error says so."""
        from appliance.settings.last_good import said  # noqa: PLC0415 - --help does without

        layered = self.last_good().look({})
        if layered.refused is not None:
            click.echo(f"{self.program}: {said(layered)}", err=True)
        return layered
