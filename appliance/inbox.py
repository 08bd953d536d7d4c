"""The inbox: one queue for all inputs, from whatever thread they come; whoever puts something in wakes the loop."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import Generic, Protocol, TypeVar

T = TypeVar("T")


class Sleeper(Protocol):
    """What the loop sleeps in, a screen for instance."""

    @property
    def blocks(self) -> bool:
        """Whether the loop sleeps in it at all; otherwise the loop waits on the inbox."""
        ...

    def wake(self) -> None:
        """End its sleep, this one or the next. From any thread."""
        ...


class Inbox(Generic[T]):
    """What has come in and is not taken yet."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[T] = SimpleQueue()
        self._sleeper: Sleeper | None = None

    def wakes(self, sleeper: Sleeper) -> None:
        """Wake ``sleeper`` from now on, where the loop sleeps in it; what came before this is not slept over."""
        self._sleeper = sleeper
        sleeper.wake()

    def put(self, item: T) -> None:
        """Take in an input, from any thread; never blocks."""
        self._queue.put(item)
        sleeper = self._sleeper
        if sleeper is not None and sleeper.blocks:
            sleeper.wake()

    def wait(self, timeout_s: float | None) -> list[T]:
        """Return all inputs that are there, waiting for the first at most so long (None: for ever)."""
        items: list[T] = []
        try:
            items.append(self._queue.get(timeout=timeout_s) if timeout_s is None or timeout_s > 0 else self._queue.get_nowait())
            while True:
                items.append(self._queue.get_nowait())
        except Empty:
            return items
