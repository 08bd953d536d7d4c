"""Draw an arrangement on a surface, but only the parts that have changed."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

import pygame

from appliance.display.box import Box
from kiosk.layout.placed import Arranged, Placed
from kiosk.screens.paint_items import paint
from kiosk.screens.palette import GROUND


class Painter:
    """Draws arrangements of one size and stores what the surface shows."""

    def __init__(self) -> None:
        """Start with an unknown surface."""
        self._there: dict[tuple[Placed, bool], None] | None = None

    def draw(self, surface: pygame.Surface, arranged: Arranged, pressed: AbstractSet[str] = frozenset()) -> list[Box]:
        """Draw what has changed on ``surface``; return the boxes drawn.

        Args:
            surface: has the arrangement's size; the same each time.
            arranged: the new arrangement.
            pressed: the ids of the targets that are down.
        """
        wanted = dict.fromkeys((item, item.target is not None and item.target.id in pressed) for item in arranged.items)
        there, self._there = self._there, wanted
        if there is None:
            surface.fill(GROUND)
            drawn, fresh = [Box(0, 0, *arranged.size)], list(wanted)
        else:
            removed = [item.box for item, _ in there.keys() - wanted.keys()]
            fresh = [each for each in wanted if each not in there]
            for box in removed:
                surface.fill(GROUND, (box.x, box.y, box.width, box.height))
            drawn = list(dict.fromkeys([*removed, *(item.box for item, _ in fresh)]))
        for item, down in fresh:
            paint(surface, item, pressed=down)
        return drawn
