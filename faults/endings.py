"""How a command ends: our errors as one sentence and exit code 2, signals and output failures as exit codes. Without the command line's library.

0, 1   done; 1 is the verb's negative answer   130  interrupted (SIGINT)
2      bad input, or output failed             141  broken pipe (SIGPIPE)
                                               143  terminated (SIGTERM)
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

from faults.errors import TileclockError, reason

INTERRUPTED: Final = 128 + signal.SIGINT
NO_READER: Final = 128 + signal.SIGPIPE
"""Not 0 or 1: those are answers."""


def fail(program: str, error: Exception) -> NoReturn:
    """Print the sentence of ``error`` on standard error, and exit with 2."""
    # If standard error fails too, the exit code must do.
    with suppress(OSError):
        sys.stderr.write(f"{program}: {printable(error)}\n")
        sys.stderr.flush()
    raise SystemExit(2) from error


@contextmanager
def exit_codes(program: str) -> Iterator[None]:
    """Within the block, turn a ``TileclockError`` into a sentence, and it and other ends into exit codes. ``program``: its name, printed before the sentence.

    A failed write to standard output is an error too. A broken pipe and an interrupt end the block silently.
    """
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except TileclockError as error:
        fail(program, error)
    except KeyboardInterrupt as error:
        raise SystemExit(INTERRUPTED) from error
    except MemoryError:
        remedy = "Close other programs, or use a larger machine"
        fail(program, TileclockError(expected="enough memory", found="too little", remedy=remedy))
    except OSError as error:
        # An error with a file name, or without a number, does not come from standard output: it is a bug.
        if error.errno is None or error.filename is not None or sys.stdout is None:
            raise
        _output_failed(program, error)


def _output_failed(program: str, error: OSError) -> NoReturn:
    # Otherwise Python reports the error again when it closes the stream.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        raise SystemExit(NO_READER) from error
    fail(program, TileclockError(expected="to write to standard output", found=reason(error), remedy="Send it somewhere else"))


def end_on_sigterm() -> None:
    """Make SIGTERM end the program with its exit code: what is open is closed first."""
    signal.signal(signal.SIGTERM, _terminated)


def _terminated(number: int, frame: FrameType | None) -> None:
    # A second signal must not interrupt the clean-up.
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def printable(text: object) -> str:
    """Return ``text`` with escapes for unprintable characters, which could move the cursor; line feeds stay."""
    return "".join(each if each.isprintable() or each == "\n" else ascii(each)[1:-1] for each in str(text))
