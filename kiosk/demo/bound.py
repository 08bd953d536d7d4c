"""A program that ends with the one that started it, however that ends: killed too, Linux tells it to (prctl(2), PR_SET_PDEATHSIG)."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def bound() -> Callable[[], None] | None:
    """Return what a child does before it becomes its program, so that it is told to end (SIGTERM) when the thread ends that starts it.

    To be asked, and the child started, by the main thread, before there are others: a fork with threads may hang before that program begins.
    None where the system is no Linux: only an orderly end is heard of there.
    """
    if sys.platform != "linux":
        return None
    # Found before the fork: in the child nothing is loaded any more.
    prctl, parent = ctypes.CDLL(None).prctl, os.getpid()
    prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]

    def bind() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
        # Where that one has ended meanwhile, nobody sends the signal any more.
        if os.getppid() != parent:
            os._exit(0)

    return bind
