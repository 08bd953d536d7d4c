"""The guarded command line: turns our errors into one sentence and exit code 2, and signals and output failures into exit codes.

0, 1   done; 1 is the verb's negative answer   130  interrupted (SIGINT)
2      bad input, or output failed             141  broken pipe (SIGPIPE)
                                               143  terminated (SIGTERM)
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

from faults.errors import TileclockError, reason

INTERRUPTED: Final = 128 + signal.SIGINT
NO_READER: Final = 128 + signal.SIGPIPE
"""Not 0 or 1: those are answers."""


class CommandFailed(click.ClickException):
    exit_code = 2

    def __init__(self, program: str, error: Exception) -> None:
        super().__init__(str(error))
        self.program = program

    def show(self, file: IO[Any] | None = None) -> None:
        # If standard error fails too, the exit code must do.
        with suppress(OSError):
            click.echo(f"{self.program}: {printable(self.format_message())}", file=file, err=file is None)


class Guarded(click.Group):
    """A group that turns a verb's ``TileclockError`` into ``CommandFailed``. A verb returns the exit code; None means 0.

    A failed write to standard output is an error too. A broken pipe, an interrupt and SIGTERM end the verb silently. ``program``: its name, printed before each sentence.
    """

    def __init__(self, *others: Any, program: str, **more: Any) -> None:
        super().__init__(*others, **more)
        self.program = program

    def make_context(self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any) -> click.Context:
        # A name or path may contain characters outside the terminal's encoding.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        with self._guarded():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        # On SIGTERM, let the verb clean up first.
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
        except TileclockError as error:
            raise CommandFailed(self.program, error) from error
        except (KeyboardInterrupt, click.Abort) as error:
            raise click.exceptions.Exit(INTERRUPTED) from error
        except MemoryError as error:
            remedy = "Close other programs, or use a larger machine"
            raise CommandFailed(self.program, TileclockError(expected="enough memory", found="too little", remedy=remedy)) from error
        except OSError as error:
            # An error with a file name, or without a number, does not come from standard output: it is a bug.
            if error.errno is None or error.filename is not None or sys.stdout is None:
                raise
            raise self._output_failed(error) from error

    def _output_failed(self, error: OSError) -> Exception:
        # Otherwise Python reports the error again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return click.exceptions.Exit(NO_READER)
        return CommandFailed(
            self.program, TileclockError(expected="to write to standard output", found=reason(error), remedy="Send it somewhere else")
        )


def _terminated(number: int, frame: FrameType | None) -> None:
    # A second signal must not interrupt the clean-up.
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def printable(text: object) -> str:
    """Return ``text`` with escapes for unprintable characters, which could move the cursor; line feeds stay."""
    return "".join(each if each.isprintable() or each == "\n" else ascii(each)[1:-1] for each in str(text))
