"""From an error of ours to a sentence and exit code 2: what every verb does with bad input, and with an output that takes no more."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import IO, Any, ClassVar

import click

from lexicon.cli.output import printable
from lexicon.errors import LexiconError

_NOBODY_READS = 128 + 13
"""As of a program that SIGPIPE ended. Not 0 or 1: those are verdicts, and this one was not heard."""

_INTERRUPTED = 128 + 2
_NO_MEMORY = "expected enough memory for this list, found too little. Close other programs, or use a larger machine."


class Refusal(click.ClickException):
    """Bad input, told to a person on standard error, after the name of the program."""

    exit_code = 2

    def __init__(self, message: str, program: str = "tilelexicon") -> None:
        super().__init__(message)
        self.program = program

    def show(self, file: IO[Any] | None = None) -> None:
        """Write ``<program>: <sentence>`` to ``file``, by default standard error."""
        # If standard error takes nothing, the exit code is all that is left to say it.
        with suppress(OSError):
            click.echo(f"{self.program}: {printable(self.format_message())}", file=file, err=file is None)


class Guarded(click.Group):
    """A group whose verbs may let an error of ours through: it leaves as a ``Refusal``. What a verb returns is the exit code, None for 0.

    A standard output that takes no more is a ``Refusal`` too; one whose reader has gone, and an interruption, end the verb quietly. Another program than
    this one makes a group of its own, with its name and its errors.
    """

    program: ClassVar[str] = "tilelexicon"
    refused: ClassVar[tuple[type[Exception], ...]] = (LexiconError,)
    """The errors whose message is a sentence for whoever typed the command."""

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        """Read the arguments, where --help and --version are printed; see ``click.Command.make_context``."""
        # A name or a path may hold what the terminal's encoding cannot.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        with self._guarded():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; see ``click.Group.invoke``."""
        # Asked to stop, a verb takes its drafts away first.
        signal.signal(signal.SIGTERM, _terminated)
        with self._guarded():
            code = super().invoke(ctx)
        raise click.exceptions.Exit(code or 0)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
            if sys.stdout is not None:
                sys.stdout.flush()
        except self.refused as error:
            raise Refusal(str(error), self.program) from error
        except KeyboardInterrupt as error:
            raise click.exceptions.Exit(_INTERRUPTED) from error
        except MemoryError as error:
            raise Refusal(_NO_MEMORY, self.program) from error
        except OSError as error:
            # With a file's name it is no stream's that was open already; without, what writes to another one than standard output has errors of its own.
            if error.errno is None or error.filename is not None or sys.stdout is None:
                raise
            raise self._output_failed(error) from error

    def _output_failed(self, error: OSError) -> Exception:
        # Python must not complain of it again when it closes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return click.exceptions.Exit(_NOBODY_READS)
        return Refusal(f"expected to write to standard output, found: {error.strerror}. Send it somewhere else.", self.program)


def _terminated(number: int, frame: FrameType | None) -> None:
    # Whoever asks twice does not get the cleaning up cut short.
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)
