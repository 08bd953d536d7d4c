"""The screen interface of all programs and kinds of screen."""

from __future__ import annotations

from typing import Protocol, TypeVar

from appliance.inbox import Sleeper

PictureT_contra = TypeVar("PictureT_contra", contravariant=True)
InputT = TypeVar("InputT")


class Screen(Sleeper, Protocol[PictureT_contra, InputT]):
    """Shows pictures and returns inputs. One thread draws, polls and waits; any thread may wake it."""

    def draw(self, picture: PictureT_contra, /) -> bool:
        """Show ``picture``; return whether it differed from the one shown and had to be drawn."""
        ...

    def poll(self) -> list[InputT]:
        """Return the inputs since the last call, oldest first, without waiting."""
        ...

    def close(self) -> None:
        """Release the screen. Idempotent."""
        ...
