"""What takes a while and nobody waits for: done in threads of its own, so that the screen stays alive; each comes back with an event.

Errands of one name are done one after the other, those of another name beside them: a stick that hangs in an export keeps no list from the director.
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
"""How long the end of the program waits for errands that are being run."""


@dataclass(frozen=True, slots=True)
class Errand(Generic[T]):
    """Something to do."""

    name: str
    do: Callable[[], T]
    failed: Callable[[str], T]
    """Makes of an error that nobody expected, in words, what it comes back with then."""


class Errands(Generic[T]):
    """Threads that run errands, one for each name.

    Args:
        heard: takes what each errand comes back with, in the errand's thread.
    """

    def __init__(self, heard: Callable[[T], None]) -> None:
        self._heard = heard
        self._waiting: dict[str, SimpleQueue[Errand[T] | None]] = {}
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def run(self, errand: Errand[T]) -> None:
        """Have ``errand`` done, from one and the same thread always. Where one of its name waits already, that will find all that this one would."""
        if errand.name not in self._waiting:
            self._begin(errand.name)
        waiting = self._waiting[errand.name]
        if waiting.empty():
            waiting.put(errand)

    def close(self) -> None:
        """Wait a little for what is being run; what comes back after that nobody needs. Harmless when done twice."""
        for waiting in self._waiting.values():
            waiting.put(None)
        # A self-test may be in the middle of reading a list, an export on a stick that hangs: the end of the program does not wait for that.
        latest = time.monotonic() + LEAVE_S
        for thread in self._threads:
            thread.join(max(0.0, latest - time.monotonic()))

    def _begin(self, name: str) -> None:
        waiting = self._waiting[name] = SimpleQueue()
        self._threads.append(threading.Thread(target=self._work, args=(waiting,), name=f"errands: {name}", daemon=True))
        self._threads[-1].start()

    def _work(self, waiting: SimpleQueue[Errand[T] | None]) -> None:
        while (errand := waiting.get()) is not None:
            self._heard(_done(errand))


def _done(errand: Errand[T]) -> T:
    try:
        return errand.do()
    except Exception as error:  # noqa: BLE001 - whatever it is: the next errand is to be done, and whoever waits for this one hears what became of it
        # Not with the values of its variables: they may be what nobody is to read.
        get_logger().error("errand failed", errand=errand.name, stack=traceback.format_exc())
        return errand.failed(f"{type(error).__name__}: {error}")
