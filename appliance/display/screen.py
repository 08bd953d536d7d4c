"""What a shell knows of a screen, whichever program and kind it is."""

from __future__ import annotations

from typing import Protocol, TypeVar

from appliance.inbox import Sleeper

PictureT_contra = TypeVar("PictureT_contra", contravariant=True)
InputT = TypeVar("InputT")


class Screen(Sleeper, Protocol[PictureT_contra, InputT]):
    """Shows pictures and hands over what was pressed on it. One thread draws, polls and waits; any thread may wake it."""

    def draw(self, picture: PictureT_contra, /) -> bool:
        """Show ``picture``; return whether anything had to be drawn, which is only where it differs from what stands there."""
        ...

    def poll(self) -> list[InputT]:
        """Return what was pressed since the last call, oldest first, without waiting."""
        ...

    def close(self) -> None:
        """Give the screen back. More than once does no harm."""
        ...
