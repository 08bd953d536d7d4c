"""The screen interface of all programs and kinds of screen, and what its loss is. Loads no display library."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from appliance.errors import ScreenError
from appliance.program import Sleeper

PictureT_contra = TypeVar("PictureT_contra", contravariant=True)
InputT = TypeVar("InputT")


class Screen(Sleeper, Protocol[PictureT_contra, InputT]):
    """Shows pictures and returns inputs. One thread draws, polls and waits; any thread may wake it."""

    def draw(self, picture: PictureT_contra, /) -> bool:
        """Show ``picture``; return whether it differed from the one shown and had to be drawn."""

    def warm(self, pictures: Iterable[PictureT_contra], /) -> None:
        """Prepare ``pictures``, so that none is late. Called after the first picture."""

    def poll(self) -> list[InputT]:
        """Return the inputs since the last call, oldest first, without waiting."""

    def close(self) -> None:
        """Release the screen. Idempotent."""


class BlankScreen:
    blocks = True

    def __init__(self) -> None:
        self._woken = threading.Event()

    def draw(self, _picture: object) -> bool:
        return False

    def warm(self, pictures: Iterable[object]) -> None:
        """Do nothing: nothing is drawn."""

    def poll(self) -> list[Any]:
        return []

    def wait(self, timeout_ms: int | None) -> None:
        self._woken.wait(None if timeout_ms is None else timeout_ms / 1000)
        self._woken.clear()

    def wake(self) -> None:
        self._woken.set()

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


@contextmanager
def lost(what: str, *failures: type[Exception]) -> Iterator[None]:
    """Within the block, turn ``OSError`` and the library's ``failures`` into ``ScreenError``; ``what`` names the screen."""
    kinds: tuple[type[Exception], ...] = (OSError, *failures)
    try:
        yield
    except ScreenError:
        raise
    except kinds as error:
        raise ScreenError(
            expected=f"{what} to stay connected", found=f"that it was lost ({error})", remedy="Reconnect it and restart"
        ) from error
