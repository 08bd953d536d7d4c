"""A pipe that wakes a sleeping thread: from any thread, before or while it sleeps."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Collection
from typing import Final

CHUNK: Final = 1024


class Alarm:
    """Sleeps on descriptors and on itself. One thread sleeps; any may ring or close."""

    def __init__(self) -> None:
        """Open the pipe."""
        self._woken, self._waker = os.pipe()
        for end in (self._woken, self._waker):
            os.set_blocking(end, False)
        self._open = True
        # Whoever rings must not write into what another thread has closed, or has opened since under the same number.
        self._lock = threading.RLock()

    def sleep(self, sources: Collection[int], timeout_ms: int | None) -> bool:
        """Return when one of ``sources`` can be read, ``ring`` was called, or ``timeout_ms`` have passed (None: without limit); whether it was a source."""
        if not self._open:
            return False
        ready, _, _ = select.select([self._woken, *sources], [], [], None if timeout_ms is None else timeout_ms / 1000)
        if self._woken in ready:
            self._silence()
        return any(source in ready for source in sources)

    def ring(self) -> None:
        """End a ``sleep``, this one or the next. Harmless once closed."""
        with self._lock:
            if not self._open:
                return
            try:
                os.write(self._waker, b"w")
            except BlockingIOError:
                return  # thousands of calls lie there already

    def close(self) -> None:
        """Close the pipe. More than once does no harm; it ends no sleep."""
        with self._lock:
            if self._open:
                self._open = False
                os.close(self._waker)
                os.close(self._woken)

    def _silence(self) -> None:
        with self._lock:
            if self._open:
                os.read(self._woken, CHUNK)
