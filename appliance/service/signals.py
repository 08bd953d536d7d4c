"""SIGTERM, SIGINT and SIGHUP as an input like any other: the program closes its files and goes.

A thread of their own waits for them: the main thread may sleep in the display's own wait, where Python runs no handler.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final, NoReturn, Protocol

ENDING: Final = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


class Asked(Protocol):
    """What makes the signals end a program."""

    def __call__(self, leave: Callable[[], None], *, outlives_session: bool) -> None:
        """Call ``leave``, from the signals' own thread, when the first of them comes.

        Args:
            leave: puts the wish to leave where the program takes its inputs.
            outlives_session: SIGHUP ends nothing: a dropped session takes its terminal along, not a program that has other inputs.
        """
        ...


@contextmanager
def ending() -> Iterator[Asked]:
    """Block the signals in this and every later thread; give what makes them end a program.

    To be entered before any other thread is started.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield _wait_for_them
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def at_once() -> Iterator[None]:
    """Have the signals that ``ending`` blocks end the main thread where it is, by SystemExit 0: while what takes long is done before there is an input to put them in.

    Only in the main thread, and with no other thread started meanwhile. Where they are not blocked nothing changes.
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
