"""The table clock beside the station: a program with its own window, started with the station's and ended with it at the latest, and never imported."""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from faults.errors import TileclockError, reason

_PR_SET_PDEATHSIG: Final = 1


def bound() -> Callable[[], None] | None:
    """Return the function for a child to run before its program, so that it gets SIGTERM when the thread that started it ends.

    Call this and start the child in the main thread, before there are others: a fork with threads may hang before the program begins. None if the
    system is not Linux: there the child notices only a normal end.
    """
    if sys.platform != "linux":
        return None
        # Load before the fork: the child must not load anything.
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()
    prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]

    def bind() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        # If the parent has ended meanwhile, there will be no signal.
        if os.getppid() != parent:
            os._exit(0)

    return bind


PATIENCE_S: Final = 10.0


class ClockMissing(TileclockError, OSError):
    """The table clock's program cannot be started."""


class Beside:
    """The clock's running demo."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self._child = child

    def wait(self) -> None:
        """Wait until the process has ended by itself."""
        self._child.wait()

    def end(self) -> None:
        """End the process, if possible normally."""
        self._child.terminate()
        try:
            self._child.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()


@contextmanager
def clock(arguments: Sequence[str], environment: Mapping[str, str]) -> Iterator[Beside]:
    """Run the clock's demo within this context; it ends with this program, even if this is killed.

    Enter it in the main thread, before signals are blocked, which the clock would inherit, and before other threads exist.

    Args:
        arguments: for ``tileclock demo``.
        environment: additional environment variables.

    Raises:
        ClockMissing: it cannot be started.
    """
    running = Beside(_started(arguments, environment))
    try:
        yield running
    finally:
        running.end()


def play_scripted(arguments: Sequence[str]) -> int:
    """Run the clock's demo to its end, and return its exit code.

    Raises:
        ClockMissing: it cannot be started.
    """
    return _started(arguments, {}).wait()


def _started(arguments: Sequence[str], environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    # Beside this Python, where it was installed with the station: one on the PATH may have another version.
    program = Path(sys.executable).with_name("tileclock")
    try:
        program.stat()
        return subprocess.Popen(  # noqa: S603 - our own other program
            # Not by its own first line: in packages that are only unpacked this names a Python that is not there.
            [sys.executable, "-sP", program, "demo", *arguments],
            env={**os.environ, **environment},
            preexec_fn=bound(),  # noqa: PLW1509 - there are no other threads yet
        )
    except OSError as error:
        raise ClockMissing(
            expected=f"the table clock's program at {program}", found=reason(error), remedy="Install it there, or leave --beside out"
        ) from error
