"""Adds the key and its file to an error about the thing that a setting names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar, cast

from pydantic import BaseModel

from appliance.errors import TileclockError
from appliance.settings.layers import OPTIONS, Layered

M = TypeVar("M", bound=BaseModel)


@contextmanager
def blame_setting(layered: Layered[M], key: str, faults: tuple[type[Exception], ...] = (TileclockError,)) -> Iterator[None]:
    """Within the block, look up what the setting ``key`` names; one of ``faults`` then says where it is set.

    The error of an option stays as it is: the user has just typed it.

    Raises:
        One of ``faults``: with file and key prepended to its place.
    """
    try:
        yield
    except faults as error:
        origin = layered.origins.get(key, OPTIONS)
        if origin == OPTIONS:
            raise
        # The lexicon's errors have the same method.
        cast("TileclockError", error).locate(f"{origin}: {key}")
        raise
