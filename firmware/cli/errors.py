"""From an error of ours to a sentence and exit code 2: what every verb does with bad input."""

from __future__ import annotations

from typing import IO, Any

import click

from firmware.errors import TileclockError
from hardware.errors import HardwareError


class Refusal(click.ClickException):
    """Bad input, told to a person on standard error."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Write ``tileclock: <sentence>`` to ``file``, by default standard error."""
        click.echo(f"tileclock: {self.format_message()}", file=file, err=file is None)


class Guarded(click.Group):
    """A group whose verbs may let an error of ours through, the clock's or the hardware's: it leaves as a ``Refusal``."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; see ``click.Group.invoke``."""
        try:
            return super().invoke(ctx)
        except (TileclockError, HardwareError) as error:
            raise Refusal(str(error)) from error
