"""From an error of ours to a sentence and exit code 2: what every verb does with bad input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from appliance.errors import TileclockError


class Refusal(click.ClickException):
    """Bad input, told to a person on standard error."""

    exit_code = 2

    def show(self, file: IO[Any] | None = None) -> None:
        """Write ``tileclock: <sentence>`` to ``file``, by default standard error."""
        click.echo(f"tileclock: {self.format_message()}", file=file, err=file is None)


class Guarded(click.Group):
    """A group whose verbs may let an error of ours through, the clock's or the hardware's: it leaves as a ``Refusal``.

    So does a standard output that takes no more; one whose reader has gone ends the verb quietly.
    """

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        """Read the arguments, where --help and --version are printed; see ``click.Command.make_context``."""
        with _output():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; see ``click.Group.invoke``."""
        try:
            with _output():
                return super().invoke(ctx)
        except TileclockError as error:
            raise Refusal(str(error)) from error


@contextmanager
def _output() -> Iterator[None]:
    """Make a failure of standard output a ``Refusal``, or a quiet end where nobody reads on."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except TileclockError:
        raise
    except OSError as error:
        # Without a file's name it is a stream's that was open already; what writes to another one than standard output has errors of its own.
        if error.errno is None or error.filename is not None:
            raise
        # Python must not complain of it again when it closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            raise click.exceptions.Exit(0) from error
        raise Refusal(f"expected to write to standard output, found: {error.strerror}. Send it somewhere else.") from error
