"""Turns a display library's failure into ``ScreenError``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from appliance.errors import ScreenError


@contextmanager
def lost(what: str, *failures: type[Exception]) -> Iterator[None]:
    """Within the block, turn ``OSError`` and the library's ``failures`` into ``ScreenError``; ``what`` names the screen.

    Raises:
        ScreenError: the screen was lost.
    """
    kinds: tuple[type[Exception], ...] = (OSError, *failures)
    try:
        yield
    except ScreenError:
        raise
    except kinds as error:
        raise ScreenError(
            expected=f"{what} to stay connected", found=f"that it was lost ({error})", remedy="Reconnect it and restart"
        ) from error
