"""The error of the screens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from firmware.errors import TileclockError


class ScreenError(TileclockError, OSError):
    """There is nothing to draw on: the message says what was asked for, what the system answered, and which screen to take instead."""


@contextmanager
def lost(what: str, *failures: type[Exception]) -> Iterator[None]:
    """Make a library's failure the error of the screens: ``what`` names the screen, ``failures`` are what its library raises beside ``OSError``.

    Raises:
        ScreenError: the screen is gone.
    """
    kinds: tuple[type[Exception], ...] = (OSError, *failures)
    try:
        yield
    except ScreenError:
        raise
    except kinds as error:
        raise ScreenError(f"expected {what} to go on with, found none ({error}): connect it again and start anew") from error
