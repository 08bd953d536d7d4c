"""Draw one player's half, upright, on its own surface."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.lettering import Pen, measure, write
from appliance.display.shapes import Shape
from appliance.display.stencil import framed, rounded, stamp
from firmware.core.game import Phase
from firmware.face.value import HalfFace
from firmware.screens.chips import chips
from firmware.screens.digits import ENDED, RUNNING, STOPPED
from firmware.screens.half_layout import HalfParts
from firmware.screens.paint_info import Info, paint_info
from firmware.screens.palette import GROUND, STEEL, Coat, coat
from firmware.screens.stencil import reading

HALTED: Final = (Phase.NEUTRAL, Phase.OUT_PLAY, Phase.ADJUDICATION)


@dataclass(frozen=True, slots=True)
class HalfView:
    """The content of a half; equal views give equal pictures."""

    half: HalfFace
    phase: Phase
    info: Info | None


def paint_half(surface: pygame.Surface, parts: HalfParts, view: HalfView) -> None:
    """Draw the half on ``surface``, which has its size."""
    half = view.half
    worn = coat(runs=half.runs, overtime=half.overtime)
    surface.fill(GROUND)
    edge = max(2, parts.frame.height // 110)
    framed(surface, parts.frame, max(6, parts.frame.height // 16), (worn.edge, worn.panel), edge)
    _paint_pointer(surface, parts, view, worn)
    write(surface, [half.status], _status_box(parts, view), Pen(worn.words))
    reading(surface, half.reading, parts.digits, worn.digits)
    write(surface, [half.prompt], parts.prompt, Pen(worn.quiet, largest=parts.prompt.height * 3 // 4, place=parts.words_place))
    _paint_marks(surface, parts, half.marks, worn, filled=half.overtime)
    if parts.info is not None and view.info is not None:
        paint_info(surface, parts.info, view.info, worn)


def pointer(view: HalfView) -> Shape | None:
    """Return the clock's symbol: a triangle for running, two bars for stopped, a square for over, none for waiting."""
    if view.half.runs:
        return RUNNING
    if view.phase is Phase.OVER:
        return ENDED
    return STOPPED if view.phase in HALTED else None


def _status_box(parts: HalfParts, view: HalfView) -> Box:
    """Return the status' box, extended to the edge if its row has no symbol."""
    indented = parts.pointer.y == parts.status.y and pointer(view) is None
    return Box(parts.pointer.x, parts.status.y, parts.status.right - parts.pointer.x, parts.status.height) if indented else parts.status


def _paint_pointer(surface: pygame.Surface, parts: HalfParts, view: HalfView, worn: Coat) -> None:
    shape = pointer(view)
    if shape is not None:
        stamp(surface, shape, parts.pointer, worn.digits if view.half.runs else STEEL)


def _paint_marks(surface: pygame.Surface, parts: HalfParts, texts: tuple[str, ...], worn: Coat, *, filled: bool) -> None:
    for chip in chips(texts, parts.marks, measure, parts.marks_place):
        radius = chip.box.height // 4
        if filled:
            rounded(surface, chip.box, radius, worn.chip)
        else:
            framed(surface, chip.box, radius, (worn.quiet, worn.panel), max(1, chip.box.height // 16))
        colour = worn.chip_words if filled else worn.words
        write(surface, [chip.text], chip.box.inset(chip.size // 2, 0), Pen(colour, largest=chip.size, place=0.5))
