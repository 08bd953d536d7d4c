"""The guarded command line: each error of ours becomes one sentence and exit code 2, a failing standard output and a signal an exit code.

0, 1   done, and what the verb answers        130  interrupted (SIGINT)
2      bad input, or no room for the output   141  the reader of the output has gone (SIGPIPE)
143  ended (SIGTERM)
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import IO, Any, Final

import click

from lexicon.cli.output import printable
from lexicon.errors import LexiconError, reason

INTERRUPTED: Final = 128 + signal.SIGINT
NO_READER: Final = 128 + signal.SIGPIPE
"""Not 0 or 1: those are verdicts, and this one has no reader."""
PROGRAM: Final = "tilelexicon"


class BadOption(LexiconError, ValueError):
    """What was typed cannot be used as it stands."""


class CommandFailed(click.ClickException):
    """A verb ends with a sentence on standard error, after the program's name, and exit code 2."""

    exit_code = 2

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))

    def show(self, file: IO[Any] | None = None) -> None:
        """Write ``tilelexicon: <sentence>`` to ``file``, by default standard error."""
        # If standard error takes nothing, the exit code is all that is left to say it.
        with suppress(OSError):
            click.echo(f"{PROGRAM}: {printable(self.format_message())}", file=file, err=file is None)


class Guarded(click.Group):
    """A group whose verbs may raise a ``LexiconError``, which leaves as ``CommandFailed``. What a verb returns is the exit code, None for 0.

    A standard output that takes no more fails too; one without a reader, an interruption and SIGTERM end the verb quietly.
    """

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        """Read the arguments, where --help and --version are printed; see ``click.Command.make_context``."""
        # A name or a path may hold what the terminal's encoding cannot.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        with _guarded():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; see ``click.Group.invoke``."""
        # A verb that is ended removes its drafts first.
        signal.signal(signal.SIGTERM, _terminated)
        with _guarded():
            code = super().invoke(ctx)
        raise click.exceptions.Exit(code or 0)


@contextmanager
def _guarded() -> Iterator[None]:
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except LexiconError as error:
        raise CommandFailed(error) from error
    except (KeyboardInterrupt, click.Abort) as error:
        raise click.exceptions.Exit(INTERRUPTED) from error
    except MemoryError as error:
        remedy = "Close other programs, or use a larger machine"
        raise CommandFailed(LexiconError(expected="enough memory", found="too little", remedy=remedy)) from error
    except OSError as error:
        # An error with a file's name, or without a number, comes from no open stream: it is a fault of the program.
        if error.errno is None or error.filename is not None or sys.stdout is None:
            raise
        raise _output_failed(error) from error


def _output_failed(error: OSError) -> Exception:
    # Python must not complain of it again when it closes.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return click.exceptions.Exit(NO_READER)
    return CommandFailed(LexiconError(expected="to write to standard output", found=reason(error), remedy="Send it somewhere else"))


def _terminated(number: int, frame: FrameType | None) -> None:
    # A second signal must not cut the cleaning up short.
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)
