"""Faster program start: without Python's cyclic garbage collector and without numpy.

Everything loaded at start stays loaded, and each collection would walk all of it. pygame imports numpy if installed, as with Debian's pygame: two thirds of
pygame's import time and 12 MiB, for pixel arrays that nothing here uses.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def fast_startup(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a verb to run without both from its first step until it calls ``startup_done``."""

    @functools.wraps(verb)
    def started(*given: Any, **named: Any) -> Any:
        gc.disable()
        # None blocks the import (The Python Language Reference, 5.3.1).
        sys.modules.setdefault("numpy", None)  # type: ignore[arg-type] # typeshed knows modules only
        try:
            return verb(*given, **named)
        finally:
            # The verb may end before it calls ``startup_done``, and its caller may go on.
            _restore()

    return started


def startup_done() -> None:
    """Collect once, exclude all current objects from later collections, enable the collector, and allow numpy again."""
    gc.collect()
    gc.freeze()
    _restore()


def _restore() -> None:
    gc.enable()
    # Test libraries look it up by name in sys.modules.
    numpy: ModuleType | None = sys.modules.get("numpy")
    if numpy is None:
        sys.modules.pop("numpy", None)
