"""The text console of a service: hidden behind the picture, and used for the error sentence when nothing can be drawn."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from faults.errors import TileclockError

_KDSETMODE: Final = 0x4B3A
_KDGETMODE: Final = 0x4B3B
_TEXT: Final = 0
_GRAPHICS: Final = 1
SERVICE: Final = "JOURNAL_STREAM"
"""systemd sets it when output goes to its journal."""
_CRITICAL: Final = "<2>"
"""Line prefix for journald's priority; with StandardError=journal+console the line also reaches the machine's console."""


def blank(descriptor: int = 0) -> None:
    """Stop the kernel from drawing console text over the picture. No effect if ``descriptor`` is not our own console."""
    with suppress(OSError):
        fcntl.ioctl(descriptor, _KDSETMODE, _GRAPHICS)


@contextmanager
def errors_on_console(program: str, descriptor: int = 0) -> Iterator[None]:
    """Within the block, print a service's fatal error on the consoles, where people may see it without a picture. Outside a service, let the error through.

    It goes to the service's own console screen and to the machine's console, which may be a serial line.

    Raises:
        SystemExit: with 2, after printing.
    """
    try:
        yield
    except TileclockError as error:
        if SERVICE not in os.environ:
            raise
        _print_everywhere(f"{program}: {error}", descriptor)
        raise SystemExit(2) from error


def _print_everywhere(sentence: str, descriptor: int) -> None:
    sys.stderr.write(f"{_CRITICAL}{sentence}\n")
    with suppress(OSError):
        fcntl.ioctl(descriptor, _KDGETMODE, bytes(4))
        fcntl.ioctl(descriptor, _KDSETMODE, _TEXT)
        os.write(descriptor, f"\033[2J\033[H\r\n{sentence}\r\n".encode())
