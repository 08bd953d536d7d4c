"""Unexpected errors that end a thread: they are logged, and the self-test reports them.

The program goes on. Judging and logging happen in the main thread and need no other. If the program ended because a list is no longer watched or a
slip not printed, two players would lose their challenge or their verdict. An error in the main thread ends it as usual.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from appliance.log import get_logger


class ThreadCrashes:
    """The threads that have crashed, and their errors.

    Args:
        then: called for each crash as well; Python's own hook writes the traceback.
    """

    def __init__(self, then: Callable[[threading.ExceptHookArgs], object]) -> None:
        self._then = then
        self._crashed: tuple[str, ...] = ()

    @property
    def summary(self) -> str | None:
        """The crashed threads and their errors, as text; None: there are none."""
        return "; ".join(self._crashed) or None

    def record(self, args: threading.ExceptHookArgs) -> None:
        """Record a crash; runs in the crashed thread."""
        if not issubclass(args.exc_type, SystemExit):
            name = "?" if args.thread is None else args.thread.name
            self._crashed = (*self._crashed, f"{name} ({args.exc_type.__name__}: {args.exc_value})")
            get_logger().error("a thread crashed", thread=name, why=repr(args.exc_value))
        self._then(args)


@contextmanager
def watched() -> Iterator[ThreadCrashes]:
    """Record every thread crash within this context."""
    before = threading.excepthook
    crashes = ThreadCrashes(before)
    threading.excepthook = crashes.record
    try:
        yield crashes
    finally:
        threading.excepthook = before
