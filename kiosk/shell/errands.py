"""Slow tasks in threads of their own, so that the screen stays responsive; each result returns as an event.

Errands of one name run one after the other, those of different names in parallel: an export to a hanging USB stick does not delay a list.
"""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Final, Generic, Self, TypeVar

from appliance.log import get_logger

T = TypeVar("T")
LEAVE_S: Final = 2.0
"""How long the end of the program waits for running errands."""


@dataclass(frozen=True, slots=True)
class Errand(Generic[T]):
    """A task."""

    name: str
    do: Callable[[], T]
    failed: Callable[[str], T]
    """Makes a result from the text of an unexpected error."""


class Errands(Generic[T]):
    """Threads that run errands, one thread for each name.

    Args:
        on_result: takes each errand's result, in the errand's thread.
    """

    def __init__(self, on_result: Callable[[T], None]) -> None:
        self._on_result = on_result
        self._waiting: dict[str, SimpleQueue[Errand[T] | None]] = {}
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, errand: Errand[T]) -> None:
        """Queue ``errand``; errands of one name share a thread. If one of that name is queued already, it serves for this one too."""
        if errand.name not in self._waiting:
            self._begin(errand.name)
        waiting = self._waiting[errand.name]
        if waiting.empty():
            waiting.put(errand)

    def close(self) -> None:
        """Wait briefly for running errands; later results are dropped. Calling it twice is harmless."""
        for waiting in self._waiting.values():
            waiting.put(None)
        # A self-test may be reading a list, an export may hang on a USB stick: the end of the program does not wait for them.
        latest = time.monotonic() + LEAVE_S
        for thread in self._threads:
            thread.join(max(0.0, latest - time.monotonic()))

    def _begin(self, name: str) -> None:
        waiting = self._waiting[name] = SimpleQueue()
        self._threads.append(threading.Thread(target=self._work, args=(waiting,), name=f"errands: {name}", daemon=True))
        self._threads[-1].start()

    def _work(self, waiting: SimpleQueue[Errand[T] | None]) -> None:
        while (errand := waiting.get()) is not None:
            self._on_result(_done(errand))


def _done(errand: Errand[T]) -> T:
    try:
        return errand.do()
    except Exception as error:  # noqa: BLE001 - any error becomes a result, so that the next errand still runs
        # Without the values of variables, which may be confidential.
        get_logger().error("errand failed", errand=errand.name, stack=traceback.format_exc())
        return errand.failed(f"{type(error).__name__}: {error}")
