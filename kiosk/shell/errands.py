"""What takes a while and nobody waits for: done one after the other in a thread of its own, so that the screen stays alive; each comes back with an event."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final, Generic, Self, TypeVar

T = TypeVar("T")
LEAVE_S: Final = 2.0
"""How long the end of the program waits for an errand that is being run."""


class Errands(Generic[T]):
    """A thread that runs errands.

    Args:
        heard: takes what each errand comes back with, in that thread.
    """

    def __init__(self, heard: Callable[[T], None]) -> None:
        self._heard = heard
        self._queue: SimpleQueue[Callable[[], T] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="errands", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._queue.put(None)
        # A self-test may be in the middle of reading a list, an export on a stick that hangs: the end of the program does not wait for that.
        self._thread.join(LEAVE_S)

    def run(self, errand: Callable[[], T]) -> None:
        """Have ``errand`` done; it raises nothing, and says itself what went wrong."""
        self._queue.put(errand)

    def _work(self) -> None:
        while (errand := self._queue.get()) is not None:
            self._heard(errand())
