"""SIGTERM, SIGINT and SIGHUP as ordinary inputs: the program closes its files and exits.

A thread of its own waits for them: the main thread may sleep inside the display's library, where Python runs no handlers.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn, Protocol

ENDING: Final = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


class EndOnSignals(Protocol):
    """Connects the signals to the program's end."""

    def __call__(self, leave: Callable[[], None], *, outlives_session: bool) -> None:
        """Call ``leave`` from the signal thread at the first signal.

        Args:
            leave: queues an input that ends the program.
            outlives_session: ignore SIGHUP: a dropped session closes its terminal, but the program has other inputs.
        """
        ...


@contextmanager
def termination_signals() -> Iterator[EndOnSignals]:
    """Block the signals in this and every later thread; yield the function that connects them.

    Enter it before any other thread starts.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield _wait_for_them
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Within the block, the signals blocked by ``termination_signals`` raise SystemExit(0): for long work before there is an inbox.

    Use it in the main thread only, and start no other thread within. No effect if they are not blocked.
    """
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ()) & ENDING
    before = {each: signal.signal(each, _exit) for each in blocked}
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, blocked)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
        for each, handler in before.items():
            signal.signal(each, handler)


def _exit(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(0)


def _wait_for_them(leave: Callable[[], None], *, outlives_session: bool) -> None:
    threading.Thread(target=_wait, args=(leave, outlives_session), name="signals", daemon=True).start()


def _wait(leave: Callable[[], None], outlives_session: bool) -> None:
    while signal.sigwait(ENDING) == signal.SIGHUP and outlives_session:
        pass
    leave()
