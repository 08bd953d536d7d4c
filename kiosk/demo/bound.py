"""Bind a child to its parent: if the parent ends in any way, even killed, Linux ends the child (prctl(2), PR_SET_PDEATHSIG)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def bound() -> Callable[[], None] | None:
    """Return the function for a child to run before its program, so that it gets SIGTERM when the thread that started it ends.

    Call this and start the child in the main thread, before there are others: a fork with threads may hang before the program begins. None if the
    system is not Linux: there the child notices only a normal end.
    """
    if sys.platform != "linux":
        return None
        # Load before the fork: the child must not load anything.
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()
    prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]

    def bind() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        # If the parent has ended meanwhile, there will be no signal.
        if os.getppid() != parent:
            os._exit(0)

    return bind
