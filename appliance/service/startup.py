"""A program's start without what costs time and gives it nothing: Python's cyclic garbage collector, and numpy.

What is loaded then stays, and each pass of the collector would walk all of it. pygame loads numpy wherever it is installed, as it is with Debian's pygame: two thirds
of pygame's own start and 12 MiB, for arrays of pixels that nothing here uses.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


def lean(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return the verb with neither from its first step, the reading of its settings, until it calls ``begun``."""

    @functools.wraps(verb)
    def begins(*given: Any, **named: Any) -> Any:
        gc.disable()
        # None: it cannot be imported (The Python Language Reference, 5.3.1).
        sys.modules.setdefault("numpy", None)  # type: ignore[arg-type] # typeshed knows modules only
        try:
            return verb(*given, **named)
        finally:
            # A verb that ended before it called ``begun``: whoever called it here goes on.
            _over()

    return begins


def begun() -> None:
    """Collect once, leave what is there now out of all later passes, and turn the collector on; numpy can be imported again."""
    gc.collect()
    gc.freeze()
    _over()


def _over() -> None:
    gc.enable()
    # A test's libraries ask for it by its name there.
    numpy: ModuleType | None = sys.modules.get("numpy")
    if numpy is None:
        sys.modules.pop("numpy", None)
