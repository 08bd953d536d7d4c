"""A panel that is mounted on its side or upside down: the layout keeps to how players see it, the picture is turned, and touches are turned back. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from appliance.display.box import Box

Rotation: TypeAlias = Literal[0, 90, 180, 270]
"""By how many degrees the picture is turned clockwise."""
Size: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Turn:
    """How the layout's pixels lie on the panel's."""

    degrees: Rotation
    panel: Size
    """Width and height in pixels, as the panel itself counts."""

    @property
    def size(self) -> Size:
        """Width and height in pixels, as the players see it."""
        width, height = self.panel
        return (height, width) if self.degrees in (90, 270) else (width, height)

    def seen(self, x: int, y: int) -> tuple[int, int]:
        """Return which pixel of the layout the panel shows at (x, y)."""
        width, height = self.panel
        match self.degrees:
            case 0:
                return x, y
            case 90:
                return y, width - 1 - x
            case 180:
                return width - 1 - x, height - 1 - y
            case 270:
                return height - 1 - y, x

    def placed(self, box: Box) -> Box:
        """Return where on the panel the layout's ``box`` lies."""
        width, height = self.panel
        match self.degrees:
            case 0:
                return box
            case 90:
                return Box(width - box.bottom, box.x, box.height, box.width)
            case 180:
                return Box(width - box.right, height - box.bottom, box.width, box.height)
            case 270:
                return Box(box.y, height - box.right, box.height, box.width)
