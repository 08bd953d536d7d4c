"""The station's other threads: what they put into the loop's queue, slow tasks whose result returns as an event, and errors that end a thread.

Errands of one name run one after the other, those of different names in parallel: an export to a hanging USB stick does not delay a list.

An unexpected error is logged, the self-test reports it, and the program goes on. Judging and logging happen in the main thread and need no other. If the
program ended because a list is no longer watched or a slip not printed, two players would lose their challenge or their verdict. An error in the main thread
ends it as usual.
"""

import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Generic, TypeAlias, TypeVar

from appliance.log import get_logger
from appliance.power import Power
from hardware.buttons.board_pins import Edge
from kiosk.context import Value
from kiosk.events import Event
from kiosk.lexicons.loading import LEAVE_S, Fetched
from records.entry import Entry


class EndProgram(Value, frozen=True):
    why: str


class Reported(Value, frozen=True):
    """What another thread has done: the result of an errand, or a signature of the log's head."""

    event: Event | None
    entry: Entry | None = None
    """Its row for the log; only the loop's thread writes there."""
    row: int | None = None
    """The row whose head the station's key has signed; None: it is no signature."""


Input: TypeAlias = Event | Edge | Fetched | Reported | EndProgram | Power


T = TypeVar("T")


class Errands(Generic[T]):
    """Threads that run errands, one thread for each name; ``on_result`` takes each result, in the errand's thread."""

    def __init__(self, on_result: Callable[[T], None]) -> None:
        self._on_result = on_result
        self._waiting: dict[str, SimpleQueue[tuple[Callable[[], T], Callable[[str], T]] | None]] = {}
        self._threads: list[threading.Thread] = []

    def run(self, name: str, do: Callable[[], T], failed: Callable[[str], T]) -> None:
        """Queue an errand; ``failed`` makes a result from the text of an unexpected error.

        Errands of one name share a thread. If one of that name is queued already, it serves for this one too.
        """
        if name not in self._waiting:
            self._waiting[name] = SimpleQueue()
            self._threads.append(threading.Thread(target=self._work, args=(name,), name=f"errands: {name}", daemon=True))
            self._threads[-1].start()
        if self._waiting[name].empty():
            self._waiting[name].put((do, failed))

    def close(self) -> None:
        """Wait briefly for running errands; later results are dropped. Calling it twice is harmless."""
        for waiting in self._waiting.values():
            waiting.put(None)
        # A self-test may be reading a list, an export may hang on a USB stick: the end of the program does not wait for them.
        latest = time.monotonic() + LEAVE_S
        for thread in self._threads:
            thread.join(max(0.0, latest - time.monotonic()))

    def _work(self, name: str) -> None:
        while (errand := self._waiting[name].get()) is not None:
            do, failed = errand
            try:
                result = do()
            except Exception as error:  # noqa: BLE001 - any error becomes a result, so that the next errand still runs
                # Without the values of variables, which may be confidential.
                get_logger().error("an errand of the judge desk failed", errand=name, stack=traceback.format_exc())
                result = failed(f"{type(error).__name__}: {error}")
            self._on_result(result)


@contextmanager
def watched() -> Iterator[list[str]]:
    """Yield the threads that have crashed within this context, with their errors. Python's own hook writes the traceback."""
    before, crashed = threading.excepthook, list[str]()

    def record(args: threading.ExceptHookArgs) -> None:
        if not issubclass(args.exc_type, SystemExit):
            name = "?" if args.thread is None else args.thread.name
            crashed.append(f"{name} ({args.exc_type.__name__}: {args.exc_value})")
            get_logger().error("a thread crashed", thread=name, why=repr(args.exc_value))
        before(args)

    threading.excepthook = record
    try:
        yield crashed
    finally:
        threading.excepthook = before
