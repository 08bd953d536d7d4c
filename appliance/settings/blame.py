"""A setting that names what cannot be had: its key and the file that sets it, before what is wrong with the thing itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from pydantic import BaseModel

from appliance.errors import SettingsError, TileclockError
from appliance.settings.layers import OPTIONS, Layered

M = TypeVar("M", bound=BaseModel)


@contextmanager
def blame_setting(layered: Layered[M], key: str, faults: tuple[type[Exception], ...] = (TileclockError,)) -> Iterator[None]:
    """Look up what the setting ``key`` names, within; one of ``faults`` then tells where it is set.

    An option's fault stays as it is: whoever typed it sees it before them.

    Raises:
        SettingsError: the fault, after the file and the key.
    """
    try:
        yield
    except faults as error:
        origin = layered.origins.get(key, OPTIONS)
        if origin == OPTIONS:
            raise
        raise SettingsError(f"{origin}: {key}: {error}") from error
