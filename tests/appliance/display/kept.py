"""What the program's caches hold: every text that can be reached from one."""

import gc
import sys
from collections.abc import Iterator
from functools import lru_cache
from types import ModuleType
from typing import Final

_CACHE: Final = type(lru_cache(lambda: None))
_PRODUCT: Final = ("appliance.", "faults.", "kiosk.", "lexicon.", "records.", "rules.", "wire.")


def texts_kept() -> set[str]:
    """Return the texts that any ``functools`` cache of a module of the station holds, as an argument, as a result or within one."""
    # After ``gc.freeze`` the collector lists none of the older objects, so the modules are searched.
    caches = [
        each
        for name, module in list(sys.modules.items())
        if name.startswith(_PRODUCT) and isinstance(module, ModuleType)
        for each in vars(module).values()
        if isinstance(each, _CACHE)
    ]
    return {text for cache in caches for text in _within(cache)}


def _within(cache: object) -> Iterator[str]:
    # A cache's own dictionaries: of what it kept, and of what it is (its name, the function that it wraps), which are no results.
    waiting: list[object] = [each for each in gc.get_referents(cache) if isinstance(each, dict) and each is not vars(cache)]
    seen = set()
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            yield found
        elif id(found) not in seen and not callable(found) and not isinstance(found, ModuleType):
            seen.add(id(found))
            # The garbage collector passes over the keys of a dictionary that has none but texts.
            waiting += [*gc.get_referents(found), *(found if isinstance(found, dict) else ())]
