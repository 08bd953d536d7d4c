"""A setting that names what cannot be had: its key and the file that sets it, before what is wrong with the thing itself."""

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
    """Look up what the setting ``key`` names, within; one of ``faults`` then tells where it is set.

    An option's fault stays as it is: whoever typed it sees it before them.

    Raises:
        One of ``faults``: the file and the key stand before where it is.
    """
    try:
        yield
    except faults as error:
        origin = layered.origins.get(key, OPTIONS)
        if origin == OPTIONS:
            raise
        # Or the lexicon's, which has the same fields.
        cast("TileclockError", error).locate(f"{origin}: {key}")
        raise
