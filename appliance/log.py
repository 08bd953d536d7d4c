"""The log: a line on standard output for whoever looks after the machine, which systemd hands to journald.

Standard library only: structlog loads rich and asyncio at its import, which took a sixth of the clock's whole start.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
import traceback
from typing import Final

_PLAIN: Final = re.compile(r"[^\s\"'=]+")
"""What stands without quotes as a value."""
_PRIORITY: Final = {"error": "<3>", "warning": "<4>", "info": "<6>"}
"""What journald takes off the front of a line as its priority (sd-daemon(3))."""


class Logger:
    """Writes lines of ``event key=value``. To log never raises: a full or closed standard output must not end a game."""

    def info(self, event: str, **values: object) -> None:
        """Log what is as it should be."""
        _write("info", event, values)

    def warning(self, event: str, **values: object) -> None:
        """Log what somebody may have to look at."""
        _write("warning", event, values)

    def error(self, event: str, **values: object) -> None:
        """Log what has failed."""
        _write("error", event, values)

    def exception(self, event: str, **values: object) -> None:
        """Log the exception that is being handled, with its traceback, as an error."""
        _write("error", event, values, traceback.format_exc())


def get_logger() -> Logger:
    """Return the program's logger."""
    return _LOGGER


_LOGGER: Final = Logger()


def _write(level: str, event: str, values: dict[str, object], stack: str = "") -> None:
    # journald notes time and priority itself.
    begin = _PRIORITY[level] if "JOURNAL_STREAM" in os.environ else f"{time.strftime('%Y-%m-%d %H:%M:%S')} {level:<7} "
    line = " ".join([event, *(f"{key}={_worded(value)}" for key, value in values.items())])
    with contextlib.suppress(OSError, ValueError):
        print(f"{begin}{line}\n{stack}", end="", flush=True)  # noqa: T201 - standard output is the log


def _worded(value: object) -> str:
    """Return a value in one line, in quotes where it would not be one word."""
    text = str(value)
    return text if _PLAIN.fullmatch(text) else repr(text)
