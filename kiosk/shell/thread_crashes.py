"""Threads that end by an error which nobody foresaw: the machine's journal has it, and the self-test tells of it.

The program goes on. Judging and logging are the main thread's alone and need no other; to end because a list is no longer watched, or a slip not printed, would take
their challenge from two players, or their verdict off the screen. A lost main thread ends it as ever.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from appliance.log import get_logger


class ThreadCrashes:
    """Which threads died, and of what.

    Args:
        then: told of each as well; Python's own writes the traceback.
    """

    def __init__(self, then: Callable[[threading.ExceptHookArgs], object]) -> None:
        self._then = then
        self._dead: tuple[str, ...] = ()

    @property
    def told(self) -> str | None:
        """The threads and their errors, in words; None: none died."""
        return "; ".join(self._dead) or None

    def hear(self, args: threading.ExceptHookArgs) -> None:
        """Take in that a thread died; in that thread."""
        if not issubclass(args.exc_type, SystemExit):
            name = "?" if args.thread is None else args.thread.name
            self._dead = (*self._dead, f"{name} ({args.exc_type.__name__}: {args.exc_value})")
            get_logger().error("a thread died", thread=name, why=repr(args.exc_value))
        self._then(args)


@contextmanager
def watched() -> Iterator[ThreadCrashes]:
    """Take in every thread's death as long as this lasts."""
    before = threading.excepthook
    deaths = ThreadCrashes(before)
    threading.excepthook = deaths.hear
    try:
        yield deaths
    finally:
        threading.excepthook = before
