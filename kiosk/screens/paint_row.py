"""Draw a row of a list: its text, its detail, and its icon. One of the painters of ``paint_items``."""

from __future__ import annotations

from dataclasses import replace

import pygame

from appliance.display.box import Box
from appliance.display.lettering import Pen, measure, write
from kiosk.face.page import Icon
from kiosk.layout.placed import Placed
from kiosk.screens.brushes import labelled, plate, sentence, sign
from kiosk.screens.palette import Coat


def row(surface: pygame.Surface, item: Placed, coat: Coat) -> None:
    """Draw the text and its detail in one line, or in two if they do not fit side by side."""
    text, detail = item.texts
    if item.target is not None:
        plate(surface, item.box, coat)
    inner = item.box.inset(max(4, item.box.height // 5) if item.target else 0, item.box.height // 10)
    if item.hint and item.target is not None:
        write(surface, [item.target.key], inner.left(item.hint), Pen(coat.quiet, item.hint))
        inner = inner.beside(item.hint + item.hint // 3)
    if item.icon is Icon.RIGHT:
        # A row that leads on has its icon at the end.
        sign(surface, item.icon, inner.beside(inner.width - item.size), coat.quiet)
        item, inner = replace(item, icon=None), inner.left(inner.width - item.size * 2)
    if not detail and (item.target is not None or measure(text, item.size) < inner.width // 2):
        labelled(surface, inner, text, item.icon, Pen(coat.text, item.size, 0.0))
        return
    if not detail or measure(text + detail, item.size) + 3 * item.size > inner.width:
        _two_lines(surface, item, inner, coat)
        return
    # A row without a target is a short word with its detail.
    narrow = item.target is None and measure(text, item.size) < inner.width // 4 - item.size
    first = inner.width // 4 if narrow else inner.width * 11 // 20
    labelled(surface, inner.left(first), text, item.icon, Pen(coat.text, item.size, 0.0))
    rest = inner.beside(first + inner.height // 4)
    write(surface, [detail], rest, Pen(coat.quiet, item.size * 9 // 10, 1.0 if item.target else 0.0))


def _two_lines(surface: pygame.Surface, item: Placed, box: Box, coat: Coat) -> None:
    text, detail = item.texts
    half = box.height * 11 // 20
    if item.icon is None:
        write(surface, [text], box.top(half), Pen(coat.text, item.size))
    else:
        labelled(surface, box.top(half), text, item.icon, Pen(coat.text, item.size, 0.0))
    if detail:
        sentence(surface, [detail], box.below(half), Pen(coat.quiet, item.size * 8 // 10))
