"""Where a fill is drawn: over the words of the half of the player who holds, or across the strip for the bar. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from appliance.display.box import Box
from firmware.screens.layout import HalfLayout, Layout, Strip
from rules.side import Side


@dataclass(frozen=True, slots=True)
class FillPlace:
    """Where a fill is drawn."""

    over: Side | None
    """The half under it; None: the strip."""
    box: Box
    """On the screen."""
    readers: tuple[tuple[Box, int], ...]
    """The words' places in the box, each with its rotation in degrees."""

    @property
    def both_ways(self) -> bool:
        """It grows from the middle, the same for two readers; else in the reading direction of the only one."""
        return len(self.readers) > 1

    @property
    def from_right(self) -> bool:
        """Its only reader sits across."""
        return not self.both_ways and self.readers[0][1] != 0


def fill_place(layout: Layout, where: Side | None) -> FillPlace:
    """Return the place of a fill of that half, or of the strip if ``where`` is None or a half that the screen does not show."""
    half = next((each for each in layout.halves if each.side is where), None)
    return _on_strip(layout.strip) if half is None else _on_half(half)


def _on_half(half: HalfLayout) -> FillPlace:
    page, place = half.parts.page, half.place
    x, y = (page.x, page.y) if half.turn == 0 else (place.width - page.right, place.height - page.bottom)
    return FillPlace(half.side, Box(place.x + x, place.y + y, page.width, page.height), ((_inside(page), half.turn),))


def _on_strip(strip: Strip) -> FillPlace:
    box = strip.fill or strip.place
    if len(strip.notes) == 1:
        return FillPlace(None, box, ((_inside(box), 0),))
    readers = tuple((_within(note.place, box), note.turn) for note in strip.notes)
    return FillPlace(None, box, readers)


def _inside(box: Box) -> Box:
    return Box(0, 0, box.width, box.height).inset(max(6, box.height // 8), max(3, box.height // 12))


def _within(note: Box, box: Box) -> Box:
    # The plate's edge stays clear of the words.
    lies = Box(note.x - box.x, note.y - box.y, note.width, note.height)
    return lies.inset(box.height // 8, 0)
