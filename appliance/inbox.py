"""The inbox: one queue for the inputs of all threads; each ``put`` wakes the loop."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import Final, Generic, Protocol, TypeVar

T = TypeVar("T")
_MS: Final = 1_000_000
_S: Final = 1_000_000_000
"""In ns."""


class Sleeper(Protocol):
    """An object in which the loop sleeps, for instance a screen."""

    @property
    def blocks(self) -> bool:
        """Whether ``wait`` sleeps until an event; otherwise the loop waits on the inbox and polls."""
        ...

    def wait(self, timeout_ms: int | None, /) -> None:
        """Sleep until there may be something to poll, ``wake`` is called, or ``timeout_ms`` pass (None: no limit)."""
        ...

    def wake(self) -> None:
        """End this ``wait`` or the next. Thread-safe; no effect once closed."""
        ...


class Inbox(Generic[T]):
    """A queue of inputs that the loop has not handled yet."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[T] = SimpleQueue()
        self._sleeper: Sleeper | None = None

    def wake_on_put(self, sleeper: Sleeper) -> None:
        """Wake ``sleeper`` at each ``put`` from now on, and once now for items already queued."""
        self._sleeper = sleeper
        sleeper.wake()

    def put(self, item: T) -> None:
        """Queue an item. Thread-safe; never blocks."""
        self._queue.put(item)
        sleeper = self._sleeper
        if sleeper is not None and sleeper.blocks:
            sleeper.wake()

    def wait(self, timeout_s: float | None) -> list[T]:
        """Return all queued items; wait at most ``timeout_s`` for the first (None: no limit)."""
        items: list[T] = []
        try:
            items.append(self._queue.get(timeout=timeout_s) if timeout_s is None or timeout_s > 0 else self._queue.get_nowait())
            while True:
                items.append(self._queue.get_nowait())
        except Empty:
            return items

    def sleep(self, sleeper: Sleeper, left_ns: int | None) -> list[T]:
        """Sleep in ``sleeper``, or here if it does not block, for at most ``left_ns`` (None: no limit); return all items queued then.

        Raises:
            The errors of ``sleeper``, such as ScreenError.
        """
        if not sleeper.blocks:
            return self.wait(None if left_ns is None else left_ns / _S)
        # Round up: waking early means waking twice.
        sleeper.wait(None if left_ns is None else -(-left_ns // _MS))
        return self.wait(0)
