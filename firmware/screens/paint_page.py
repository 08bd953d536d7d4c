"""Draw a page of rows, with the cursor's as a filled plate: the rows of every menu, and the whole page of the table menu.

The director's page replaces everything else; both times remain visible at its top.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from appliance.display.drawing import Pen, framed, measure, rounded, stamp
from appliance.display.layout import Box, Colour
from firmware.face.value import HalfFace, MenuFace
from firmware.screens.digits import DOWNWARD, UPWARD
from firmware.screens.page_layout import PageParts, menu_parts, page_parts, triangle_in, words_in
from firmware.screens.paint_info import paint_notices
from firmware.screens.scribe import AMBER, GROUND, INK, IVORY, MIST, SLATE, STEEL, Coat, Scribe, reading
from rules.side import BySide


@dataclass(frozen=True, slots=True)
class PageColours:
    """The colours of a page's rows."""

    words: Colour
    plate: Colour
    """Behind the chosen row."""
    chosen: Colour
    """The chosen row's words."""
    accent: Colour


def paint_page(scribe: Scribe, box: Box, page: MenuFace, coat: Coat) -> None:
    """Draw a page of the table menu into ``box``, on a ground of ``coat``."""
    parts = page_parts(box, page, scribe.smallest, measure)
    scribe.write([page.title], parts.title, Pen(coat.accent))
    paint_rows(scribe, parts, page, PageColours(coat.words, coat.digits, coat.panel, coat.accent))
    scribe.write([page.hint], parts.hint, Pen(coat.quiet))


def paint_rows(scribe: Scribe, parts: PageParts, menu: MenuFace, colours: PageColours) -> None:
    """Draw the sentence, the lines and the rows of a page."""
    if menu.sentence:
        scribe.write([menu.sentence], parts.sentence, Pen(colours.words, largest=parts.sentence.height * 45 // 100, one_line=0.8))
    if parts.lines.height:
        box = parts.lines.inset(0, parts.lines.height // 12)
        scribe.write_most(menu.lines, box, Pen(colours.accent, largest=min(box.height * 3 // 4, scribe.smallest * 2), drop=0.0))
    if not parts.rows:
        return
    tall = parts.rows[0][1].height
    size = _common_size(menu, tall, parts.rows[0][1].width, scribe.smallest)
    for index, place in parts.rows:
        row = place.inset(0, max(1, tall // 14))
        chosen = index == menu.chosen
        if chosen:
            rounded(scribe.surface, row, row.height // 5, colours.plate)
        colour = colours.chosen if chosen else colours.words
        pen, inner = Pen(colour, largest=size), row.inset(row.height // 3, 0)
        words = inner.left(words_in(row.width, row.height))
        # Without more rows there is no triangle: a long row may have its place.
        fits = len(parts.rows) < len(menu.rows) or scribe.fits([menu.rows[index]], words, pen)
        scribe.write([menu.rows[index]], words if fits else inner, pen)
    _paint_more(scribe, parts, menu, colours)


def _paint_more(scribe: Scribe, parts: PageParts, menu: MenuFace, colours: PageColours) -> None:
    """Mark the first and the last visible row with a triangle if more rows follow."""
    (first, top), (last, foot) = parts.rows[0], parts.rows[-1]
    for index, box, shape, more in ((first, top, UPWARD, first > 0), (last, foot, DOWNWARD, last < len(menu.rows) - 1)):
        if more:
            edge = triangle_in(box.width, box.height)
            place = Box(box.right - edge, box.y + (box.height - edge) // 2, edge, edge).inset(edge // 4)
            stamp(scribe.surface, shape, place, colours.chosen if index == menu.chosen else colours.words)


def _common_size(menu: MenuFace, tall: int, width: int, smallest: int) -> int:
    size = tall * 11 // 20
    while size > tall * 3 // 10 and any(measure(row, size) > words_in(width, tall) for row in menu.rows):
        size -= 1
    return max(smallest, size)


UPRIGHT: Final = 5
"""Below this ratio of width to height, the title is above the times."""
_COLOURS: Final = PageColours(IVORY, IVORY, INK, AMBER)


@dataclass(frozen=True, slots=True)
class MenuView:
    """The content of the menu; equal views give equal pictures."""

    menu: MenuFace
    halves: BySide[HalfFace]
    notices: tuple[str, ...] = ()


def paint_menu(scribe: Scribe, box: Box, view: MenuView) -> None:
    """Draw the menu on the scribe's surface; ``box`` is all of it."""
    scribe.surface.fill(GROUND)
    edge = max(2, box.height // 160)
    framed(scribe.surface, box, box.height // 24, (AMBER, SLATE), edge)
    parts = menu_parts(box, view.menu, warned=bool(view.notices))
    _paint_head(scribe, parts.title, view)
    rule = parts.title.below(parts.title.height)
    scribe.surface.fill(STEEL, (rule.x, rule.y + box.height // 45, rule.width, max(1, edge // 2)))
    if view.notices:
        paint_notices(scribe, parts.notices, view.notices)
    paint_rows(scribe, parts, view.menu, _COLOURS)
    scribe.write([view.menu.hint], parts.hint, Pen(MIST, largest=parts.hint.height * 2 // 3))


def _paint_head(scribe: Scribe, box: Box, view: MenuView) -> None:
    if box.width < UPRIGHT * box.height:
        title, times = box.top(box.height * 2 // 5), box.below(box.height * 9 // 20)
    else:
        title, times = box.left(box.width * 2 // 5), box.beside(box.width * 11 // 25)
    scribe.write([view.menu.title], title, Pen(AMBER, largest=box.height * 3 // 4))
    half = times.width // 2
    for place, (_, shown) in zip((times.left(half), times.beside(half)), view.halves.items(), strict=True):
        if shown.runs:
            rounded(scribe.surface, place.inset(half // 24, 0), place.height // 6, IVORY)
        colour = INK if shown.runs else IVORY
        inner = place.inset(half // 12, place.height // 12)
        named = inner.height * 2 // 5
        scribe.write([shown.name], inner.top(named), Pen(colour, largest=named * 3 // 4))
        reading(scribe.surface, shown.reading, inner.below(named), colour, place=0.0)
