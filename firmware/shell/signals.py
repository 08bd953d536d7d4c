"""SIGTERM, SIGINT and SIGHUP as an input like any other: the clock closes its journal and goes.

A thread of their own waits for them: the main thread may sleep in the display's own wait, where Python runs no handler.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from firmware.screens.keys import Quit
from firmware.shell.loop import Loop

ENDING: Final = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})


@contextmanager
def ending() -> Iterator[Callable[[Loop], None]]:
    """Block the signals in this and every later thread; give what makes them end a loop.

    To be entered before any other thread is started.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield _wait_for_them
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait_for_them(loop: Loop) -> None:
    threading.Thread(target=_quit, args=(loop,), name="signals", daemon=True).start()


def _quit(loop: Loop) -> None:
    # A dropped session takes its terminal along, not a game that is played on pins.
    while signal.sigwait(ENDING) == signal.SIGHUP and loop.plays_without_a_screen:
        pass
    loop.inbox.put(Quit())
