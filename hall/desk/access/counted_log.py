"""What uvicorn and asyncio have to say: mostly of strangers' requests, which must not fill the log."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from appliance.log import get_logger
from rules.duration import NS

_EVERY_NS: Final = 60 * NS


class CountedLog(logging.Handler):
    """Writes the first record of a minute, with how many came since the last written one: a line, or a traceback, for each logger and level."""

    def __init__(self, now: Callable[[], int] = time.monotonic_ns) -> None:
        super().__init__()
        self._now = now
        self._counts: Counter[tuple[str, int]] = Counter()
        self._next: dict[tuple[str, int], int] = {}

    def emit(self, record: logging.LogRecord) -> None:
        kind, now = (record.name, record.levelno), self._now()
        self._counts[kind] += 1
        if now < self._next.get(kind, now):
            return
        self._next[kind] = now + _EVERY_NS
        said, count = record.getMessage().partition("\n")[0], self._counts.pop(kind)
        if record.exc_info:
            get_logger().exception(said, source=record.name, times=count, error=repr(record.exc_info[1]))
        else:
            get_logger().warning(said, source=record.name, times=count)


_COUNTED: Final = CountedLog()


def count_server_log() -> None:
    """Let the log have what uvicorn and asyncio say, counted; else Python writes each record to the standard error output."""
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addHandler(_COUNTED)
