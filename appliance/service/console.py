"""The text console that a service has as its controlling terminal: nothing of it under a picture, and a sentence where the service cannot draw one."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from appliance.errors import TileclockError

_KDSETMODE: Final = 0x4B3A
_KDGETMODE: Final = 0x4B3B
_TEXT: Final = 0
_GRAPHICS: Final = 1
SERVICE: Final = "JOURNAL_STREAM"
"""systemd sets it where output goes to its journal."""
_CRITICAL: Final = "<2>"
"""Before a line: journald passes it on to the machine's console, where the unit has StandardError=journal+console."""


def blank(descriptor: int = 0) -> None:
    """Have the kernel draw none of the console's text: a picture stands there. Does nothing where ``descriptor`` is no console of one's own."""
    with suppress(OSError):
        fcntl.ioctl(descriptor, _KDSETMODE, _GRAPHICS)


@contextmanager
def told(program: str, descriptor: int = 0) -> Iterator[None]:
    """Have an error that ends a service say its sentence where people may see it though nothing can be drawn; one that a person has started lets it through.

    That is the console's own screen, as far as the kernel draws that, and the machine's console, which may be a serial line.

    Raises:
        SystemExit: with 2, once it is said.
    """
    try:
        yield
    except TileclockError as error:
        if SERVICE not in os.environ:
            raise
        _say(f"{program}: {error}", descriptor)
        raise SystemExit(2) from error


def _say(sentence: str, descriptor: int) -> None:
    sys.stderr.write(f"{_CRITICAL}{sentence}\n")
    with suppress(OSError):
        fcntl.ioctl(descriptor, _KDGETMODE, bytes(4))
        fcntl.ioctl(descriptor, _KDSETMODE, _TEXT)
        os.write(descriptor, f"\033[2J\033[H\r\n{sentence}\r\n".encode())
