"""The far end of a pseudo-terminal that answers from a script, byte by byte: what no printer that is well would do."""

from __future__ import annotations

import os
import select
import threading
import tty
from collections.abc import Callable
from typing import Self

READY = bytes([0b0001_0010])
NO_PAPER = bytes([0b0111_1110])

Script = Callable[[int], bytes]
"""What is answered to the question with that number, from 1; it may take its time."""


class FarEnd:
    """It answers each question with what its script says; ``port`` is the near end's device."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._asked = 0
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        self.port = os.ttyname(self._near)
        self._ends, self._end = os.pipe()
        self._thread = threading.Thread(target=self._run, name="far end", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._end, b"x")
        self._thread.join()
        for handle in (self._near, self._far, self._ends, self._end):
            os.close(handle)

    def say(self, data: bytes) -> None:
        """Send something that nobody asked for; return once it lies at the near end."""
        os.write(self._far, data)
        select.select([self._near], [], [], 10)

    def _run(self) -> None:
        while self._ends not in (ready := select.select([self._ends, self._far], [], [])[0]):
            if ready:
                for _ in range(os.read(self._far, 4096).count(b"\x10\x04")):
                    self._asked += 1
                    os.write(self._far, self._script(self._asked))
