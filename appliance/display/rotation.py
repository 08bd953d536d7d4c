"""A panel mounted on its side or upside down: the layout is as players see it, pictures are turned, touches turned back. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from appliance.display.box import Box

Rotation: TypeAlias = Literal[0, 90, 180, 270]
"""Clockwise rotation of the picture, in degrees."""
Size: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Turn:
    """The mapping between the layout's pixels and the panel's."""

    degrees: Rotation
    panel: Size
    """Width and height of the panel itself, in pixels."""

    @property
    def size(self) -> Size:
        """Width and height in pixels, as players see it."""
        width, height = self.panel
        return (height, width) if self.degrees in (90, 270) else (width, height)

    def seen(self, x: int, y: int) -> tuple[int, int]:
        """Return the layout's pixel that the panel shows at (x, y)."""
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
        """Return the place of the layout's ``box`` on the panel."""
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
