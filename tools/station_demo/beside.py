"""The table clock beside the station: a program with its own window, started with the station's and ended with it at the latest, and never imported."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from appliance.display.layout import Box
from appliance.display.probe import probe_display
from appliance.errors import Diagnosis, ScreenError
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


SIZE: Final = (1024, 600)
"""The size of the clock's window, in pixels."""
STATION: Final = (800, 600)
"""The size of the station's window beside it: both fit on a screen of 1920 pixels."""
EDGE: Final = 32
"""Space above and beside windows for their frames."""
SMALLEST: Final = 320
"""No window is narrower or lower, in pixels."""
PATIENCE_S: Final = 10.0
POSITION: Final = "SDL_VIDEO_WINDOW_POS"
"""SDL reads it when it opens a window."""


class ClockMissing(TileclockError, OSError):
    """The table clock's program cannot be started."""


def windows(desktop: tuple[int, int]) -> tuple[Box, Box]:
    """Return the clock's window and the station's on a screen of ``desktop`` pixels: side by side or stacked, whichever leaves them larger; at most their usual sizes."""
    (wide, high), sizes = desktop, (SIZE, STATION)
    beside = min((wide - 3 * EDGE) / sum(size[0] for size in sizes), (high - 2 * EDGE) / max(size[1] for size in sizes))
    stacked = min((wide - 2 * EDGE) / max(size[0] for size in sizes), (high - 3 * EDGE) / sum(size[1] for size in sizes))
    scale = min(1.0, max(beside, stacked))
    clock, station = (scaled(size, scale) for size in sizes)
    second = (clock[0] + 2 * EDGE, EDGE) if beside >= min(stacked, 1.0) else (EDGE, clock[1] + 2 * EDGE)
    return Box(EDGE, EDGE, *clock), Box(*second, *station)


def scaled(size: tuple[int, int], scale: float) -> tuple[int, int]:
    """Return a window's size made smaller."""
    wide, high = (max(SMALLEST, int(each * scale)) for each in size)
    return wide, high


def desktop() -> tuple[int, int]:
    """Return width and height of the screen, in pixels.

    Raises:
        ScreenError: there is no screen.
    """
    found = probe_display()
    if isinstance(found, Diagnosis):
        raise ScreenError(expected="a display for two windows", found=f"none ({found.problem})", remedy="Connect a screen, or set DISPLAY")
    return found.width, found.height


def position(x: int, y: int) -> str:
    """Return a window's place in SDL's format."""
    return f"{x},{y}"


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
        return subprocess.Popen(  # noqa: S603 - our own other program
            [program, "demo", *arguments],
            env={**os.environ, **environment},
            preexec_fn=bound(),  # noqa: PLW1509 - there are no other threads yet
        )
    except OSError as error:
        raise ClockMissing(
            expected=f"the table clock's program at {program}", found=reason(error), remedy="Install it there, or leave --beside out"
        ) from error
