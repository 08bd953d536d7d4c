"""The base of our fake serial devices: the far end of a pseudo-terminal, read in a thread until unplugged.

Everything above the port is the real driver; a fake interprets the bytes like its device.
"""

from __future__ import annotations

import os
import select
import threading
import tty
from abc import ABC, abstractmethod
from typing import Self


class FakeSerialDevice(ABC):
    """A device on a pseudo-terminal; ``port`` is the near end's device.

    Args:
        name: of its thread.
        reads: whether it reads; if not, the line blocks until ``resume``.
    """

    def __init__(self, name: str, *, reads: bool) -> None:
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        self.port = os.ttyname(self._near)
        self._more = threading.Condition()
        self._ends, self._end = os.pipe()
        self._reads = threading.Event()
        if reads:
            self._reads.set()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()

    def resume(self) -> None:
        """Start reading, if blocked."""
        self._reads.set()

    def unplug(self) -> None:
        """Pull the cable. Idempotent."""
        if self._end >= 0:
            os.write(self._end, b"x")
            self._reads.set()
            self._thread.join()
            for handle in (self._near, self._far, self._ends, self._end):
                os.close(handle)
            self._end = -1

    def _run(self) -> None:
        self._reads.wait()
        while self._ends not in select.select([self._ends, self._far], [], [])[0]:
            self._take(os.read(self._far, 4096))

    @abstractmethod
    def _take(self, data: bytes) -> None:
        """Interpret the bytes like the device, in the thread."""
