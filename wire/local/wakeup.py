"""Wakes a thread that polls descriptors."""

from __future__ import annotations

import os
import threading
from contextlib import suppress


class Wakeup:
    """A descriptor that becomes readable at ``wake``. Any thread may wake; one thread polls, clears and closes."""

    def __init__(self) -> None:
        self._descriptor = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        # ``wake`` must not write to a descriptor that another thread has closed, or reused since.
        self._lock = threading.Lock()

    def fileno(self) -> int:
        """Return the descriptor; -1: closed."""
        return self._descriptor

    def wake(self) -> None:
        """Make the descriptor readable. No effect once closed; never blocks."""
        with self._lock:
            if self._descriptor >= 0:
                os.eventfd_write(self._descriptor, 1)

    def clear(self) -> None:
        """Make the descriptor unreadable until the next ``wake``."""
        with suppress(BlockingIOError):
            os.eventfd_read(self._descriptor)

    def close(self) -> None:
        """Close the descriptor."""
        with self._lock:
            os.close(self._descriptor)
            self._descriptor = -1
