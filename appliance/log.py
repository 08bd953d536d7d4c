"""The log: lines on standard output, which systemd passes to journald.

Standard library only: importing structlog loads rich and asyncio, a sixth of the clock's start time.
"""

import contextlib
import os
import re
import time
import traceback
from typing import Final

_PLAIN: Final = re.compile(r"[^\s\"'=]+")
_PRIORITY: Final = {"error": "<3>", "warning": "<4>", "info": "<6>"}
"""Line prefixes that journald reads as priority (sd-daemon(3))."""


class Logger:
    """Writes lines of ``event key=value``. Never raises: a full or closed standard output must not end a game."""

    def info(self, event: str, **values: object) -> None:
        _write("info", event, values)

    def warning(self, event: str, **values: object) -> None:
        _write("warning", event, values)

    def error(self, event: str, **values: object) -> None:
        _write("error", event, values)

    def exception(self, event: str, **values: object) -> None:
        _write("error", event, values, traceback.format_exc())


def get_logger() -> Logger:
    return _LOGGER


_LOGGER: Final = Logger()


def _write(level: str, event: str, values: dict[str, object], stack: str = "") -> None:
    # journald adds time and priority itself.
    begin = _PRIORITY[level] if "JOURNAL_STREAM" in os.environ else f"{time.strftime('%Y-%m-%d %H:%M:%S')} {level:<7} "
    line = " ".join([event, *(f"{key}={_quoted(value)}" for key, value in values.items())])
    with contextlib.suppress(OSError, ValueError):
        print(f"{begin}{line}\n{stack}", end="", flush=True)  # noqa: T201 - standard output is the log


def _quoted(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else repr(text)
