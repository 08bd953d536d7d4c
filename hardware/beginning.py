"""A program's start without Python's cyclic garbage collector: what is loaded then stays, and each pass would walk all of it for nothing."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable
from typing import Any


def uncollected(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return the verb with the collector off from its first step, the reading of its settings, until it calls ``begun``."""

    @functools.wraps(verb)
    def begins(*given: Any, **named: Any) -> Any:
        gc.disable()
        try:
            return verb(*given, **named)
        finally:
            # A verb that ended before it called ``begun``: whoever called it here goes on.
            gc.enable()

    return begins


def begun() -> None:
    """Collect once, leave what is there now out of all later passes, and turn the collector on."""
    gc.collect()
    gc.freeze()
    gc.enable()
