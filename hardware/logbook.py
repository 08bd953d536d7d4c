"""The log: a line on standard output for whoever looks after the machine, which systemd hands to journald."""

from __future__ import annotations

import contextlib
import sys
from typing import TextIO, cast

import structlog


class _Careful:
    """Standard output that may fail: a full or closed one must not end a game."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError, ValueError):
            return self._stream.write(text)
        return 0

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.flush()


def log() -> structlog.typing.FilteringBoundLogger:
    """Return the program's logger; to log never raises."""
    printer = structlog.PrintLogger(cast(TextIO, _Careful(sys.stdout)))
    return cast(structlog.typing.FilteringBoundLogger, structlog.wrap_logger(printer))
