"""A pipe that wakes a thread sleeping on descriptors."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Collection
from typing import Final

CHUNK: Final = 1024


class WakePipe:
    """Sleeps on descriptors and on a pipe. One thread sleeps; any may wake or close."""

    def __init__(self) -> None:
        """Open the pipe."""
        self._woken, self._waker = os.pipe()
        for end in (self._woken, self._waker):
            os.set_blocking(end, False)
        self._open = True
        # ``wake`` must not write to a descriptor that another thread has closed, or reused since.
        self._lock = threading.RLock()

    def sleep(self, sources: Collection[int], timeout_ms: int | None) -> bool:
        """Sleep until one of ``sources`` is readable, ``wake`` is called, or ``timeout_ms`` pass (None: no limit); return whether a source is readable."""
        if not self._open:
            return False
        ready, _, _ = select.select([self._woken, *sources], [], [], None if timeout_ms is None else timeout_ms / 1000)
        if self._woken in ready:
            self._drain()
        return any(source in ready for source in sources)

    def wake(self) -> None:
        """End this ``sleep`` or the next. No effect once closed."""
        with self._lock:
            if not self._open:
                return
            try:
                os.write(self._waker, b"w")
            except BlockingIOError:
                return  # the pipe is full: the sleep ends anyway

    def close(self) -> None:
        """Close the pipe. Idempotent; does not end a sleep."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._waker)
                os.close(self._woken)

    def _drain(self) -> None:
        with self._lock:
            if self._open:
                os.read(self._woken, CHUNK)
