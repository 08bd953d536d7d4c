"""The inbox: one queue for all inputs, from whatever thread they come; whoever puts something in wakes the loop."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import Final, Generic, Protocol, TypeVar

T = TypeVar("T")
_MS: Final = 1_000_000
_S: Final = 1_000_000_000
"""In ns."""


class Sleeper(Protocol):
    """What the loop sleeps in, a screen for instance."""

    @property
    def blocks(self) -> bool:
        """Whether ``wait`` sleeps until something happens; otherwise the loop waits on the inbox, and polls now and then."""
        ...

    def wait(self, timeout_ms: int | None, /) -> None:
        """Sleep until there may be something to poll, ``wake`` is called, or ``timeout_ms`` have passed; None: without limit."""
        ...

    def wake(self) -> None:
        """End a ``wait``, this one or the next. From any thread; harmless once closed."""
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

    def sleep(self, sleeper: Sleeper, left_ns: int | None) -> list[T]:
        """Sleep in ``sleeper``, or here where it does not block, for at most ``left_ns`` (None: for ever); return all inputs that are there then.

        Raises:
            What ``sleeper`` raises, such as ScreenError.
        """
        if not sleeper.blocks:
            return self.wait(None if left_ns is None else left_ns / _S)
        # Rounded up: to wake a moment too early is to wake twice.
        sleeper.wait(None if left_ns is None else -(-left_ns // _MS))
        return self.wait(0)
