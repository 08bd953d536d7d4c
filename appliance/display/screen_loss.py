"""From a library's failure to the error of the screens: whoever draws says what was lost and what its library raises."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from appliance.errors import ScreenError


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
        raise ScreenError(expected=f"{what} to go on with", found=f"none ({error})", remedy="Connect it again and start anew") from error
