"""Draw the director's page, which replaces everything else: rows, with the cursor's as a filled plate. Both times remain visible at the top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.colour import Colour
from appliance.display.lettering import Pen, measure, write
from appliance.display.stencil import framed, rounded, stamp
from firmware.face.value import HalfFace, MenuFace
from firmware.screens.digits import DOWNWARD, UPWARD
from firmware.screens.paint_notices import paint_notices
from firmware.screens.palette import AMBER, GROUND, INK, IVORY, MIST, SLATE, STEEL
from firmware.screens.scrolling import shown_rows
from firmware.screens.stencil import reading
from rules.side import BySide

MOST_ROWS: Final = 8
MOST_LINES: Final = 4
"""The number of lines in normal size; more are set smaller in the same room."""
MOST_BESIDE_NOTICES: Final = 6
"""The number of rows beside notices, so that these keep their size."""


@dataclass(frozen=True, slots=True)
class MenuView:
    """The content of the menu; equal views give equal pictures."""

    menu: MenuFace
    halves: BySide[HalfFace]
    notices: tuple[str, ...] = ()


def paint_menu(surface: pygame.Surface, box: Box, view: MenuView) -> None:
    """Draw the menu on ``surface``; ``box`` is all of it."""
    surface.fill(GROUND)
    edge = max(2, box.height // 160)
    framed(surface, box, box.height // 24, (AMBER, SLATE), edge)
    inner = box.inset(box.height // 20 + edge)
    head, foot = inner.height * 15 // 100, inner.height * 10 // 100
    _paint_head(surface, inner.top(head), view)
    rule = Box(inner.x, inner.y + head + inner.height // 40, inner.width, max(1, edge // 2))
    surface.fill(STEEL, (rule.x, rule.y, rule.width, rule.height))
    rows = inner.below(head + inner.height // 20).top(inner.height - head - foot - inner.height // 10)
    if view.notices:
        warned = inner.height * 13 // 100
        paint_notices(surface, rows.below(rows.height - warned), view.notices)
        rows = rows.top(rows.height - warned - inner.height // 40)
    most = MOST_BESIDE_NOTICES if view.notices else MOST_ROWS
    lines = min(len(view.menu.lines), MOST_LINES)
    if lines:
        lines_height = rows.height * lines // most
        write(surface, view.menu.lines, rows.top(lines_height).inset(rows.height // 40, 0), Pen(AMBER, largest=rows.height // 12))
        rows, most = rows.below(lines_height), most - lines
    _paint_rows(surface, rows, view.menu, most)
    write(surface, [view.menu.hint], inner.below(inner.height - foot), Pen(MIST, largest=foot * 2 // 3))


def _paint_head(surface: pygame.Surface, box: Box, view: MenuView) -> None:
    write(surface, [view.menu.title], box.left(box.width * 2 // 5), Pen(AMBER, largest=box.height * 3 // 4))
    times = box.beside(box.width * 11 // 25)
    half = times.width // 2
    for place, (_, shown) in zip((times.left(half), times.beside(half)), view.halves.items(), strict=True):
        if shown.runs:
            rounded(surface, place.inset(half // 24, 0), place.height // 6, IVORY)
        colour = INK if shown.runs else IVORY
        inner = place.inset(half // 12, place.height // 6)
        write(surface, [shown.name], inner.left(inner.width * 3 // 10), Pen(colour, largest=inner.height * 2 // 5))
        reading(surface, shown.reading, inner.beside(inner.width * 3 // 10), colour)


def _paint_rows(surface: pygame.Surface, box: Box, menu: MenuFace, most: int) -> None:
    if not menu.rows:
        return
    room = max(1, min(most, len(menu.rows)))
    tall = min(box.height // room, box.height // 5)
    size = _common_size(menu, tall, box.width)
    shown = shown_rows(len(menu.rows), menu.chosen, room)
    for line, index in enumerate(shown):
        row = Box(box.x, box.y + line * tall, box.width, tall).inset(0, max(1, tall // 14))
        chosen = index == menu.chosen
        if chosen:
            rounded(surface, row, row.height // 5, IVORY)
        colour = INK if chosen else IVORY
        write(surface, [menu.rows[index]], row.inset(row.height // 3, 0).left(row.width - 2 * row.height), Pen(colour, largest=size))
        _paint_more(surface, row, colour, above=index == shown.start > 0, below=index == shown.stop - 1 < len(menu.rows) - 1)


def _paint_more(surface: pygame.Surface, row: Box, colour: Colour, *, above: bool, below: bool) -> None:
    """Mark the first and the last row with a triangle if more rows follow."""
    place = row.beside(row.width - row.height).inset(row.height // 4)
    if above or below:
        stamp(surface, UPWARD if above else DOWNWARD, place, colour)


def _common_size(menu: MenuFace, tall: int, width: int) -> int:
    """Return one size for all rows that fit at it."""
    size = tall * 11 // 20
    while size > tall * 3 // 10 and any(measure(row, size) > width - 2 * tall for row in menu.rows):
        size -= 1
    return max(10, size)
