"""A pipe that wakes a sleeping thread: from any thread, before or while it sleeps."""

from __future__ import annotations

import os
import select
from collections.abc import Collection
from typing import Final

CHUNK: Final = 1024


class Alarm:
    """Sleeps on descriptors and on itself."""

    def __init__(self) -> None:
        """Open the pipe."""
        self._woken, self._waker = os.pipe()
        for end in (self._woken, self._waker):
            os.set_blocking(end, False)
        self._open = True

    def sleep(self, sources: Collection[int], timeout_ms: int | None) -> None:
        """Return when one of ``sources`` can be read, ``ring`` was called, or ``timeout_ms`` have passed; None: without limit."""
        if not self._open:
            return
        ready, _, _ = select.select([self._woken, *sources], [], [], None if timeout_ms is None else timeout_ms / 1000)
        if self._woken in ready:
            os.read(self._woken, CHUNK)

    def ring(self) -> None:
        """End a ``sleep``, this one or the next. Harmless once closed."""
        if self._open:
            try:
                os.write(self._waker, b"w")
            except BlockingIOError:
                return  # thousands of calls lie there already

    def close(self) -> None:
        """Close the pipe. More than once does no harm."""
        if self._open:
            self._open = False
            os.close(self._waker)
            os.close(self._woken)
