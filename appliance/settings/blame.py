"""Loads what settings name; an error about it says which key of which file names it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from operator import attrgetter
from typing import TypeVar

from pydantic import BaseModel

from appliance.settings.layers import OPTIONS, Layered
from faults.errors import TileclockError

M = TypeVar("M", bound=BaseModel)


@contextmanager
def blame_setting(layered: Layered[M], key: str) -> Iterator[None]:
    """Within the block, look up what the setting ``key`` names; its error then says where it is set.

    The error of an option stays as it is: the user has just typed it.

    Raises:
        TileclockError: with file and key prepended to its place.
    """
    try:
        yield
    except TileclockError as error:
        origin = layered.origins.get(key, OPTIONS)
        if origin == OPTIONS:
            raise
        error.locate(f"{origin}: {key}")
        raise


def load_named(layered: Layered[M], loaders: Mapping[str, Callable[[str], object]]) -> None:
    """Load everything that the settings name.

    Args:
        layered: the settings.
        loaders: for each key whose value is a name, or a sequence of names, what loads one; raises ``TileclockError`` if it is unusable.

    Raises:
        TileclockError: something is unusable.
    """
    for key, load in loaders.items():
        with blame_setting(layered, key):
            for name in names_in(layered.settings, key):
                load(name)


def names_in(settings: BaseModel, key: str) -> tuple[str, ...]:
    """Return the names in the value of the dotted ``key``: a text or a sequence of texts."""
    value = attrgetter(key)(settings)
    return (value,) if isinstance(value, str) else tuple(value)
