"""Draw the director's page, which replaces everything else. Both times remain visible at the top."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from appliance.display.box import Box
from appliance.display.lettering import Pen
from appliance.display.stencil import framed, rounded
from firmware.face.value import HalfFace, MenuFace
from firmware.screens.page_layout import menu_parts
from firmware.screens.paint_notices import paint_notices
from firmware.screens.paint_page import PageColours, paint_rows
from firmware.screens.palette import AMBER, GROUND, INK, IVORY, MIST, SLATE, STEEL
from firmware.screens.scribe import Scribe
from firmware.screens.stencil import reading
from rules.side import BySide

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
