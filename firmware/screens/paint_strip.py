"""Draw what the players share: touch bar and notices, and on an upright screen window and details."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from appliance.display.box import Box
from appliance.display.colour import Colour
from appliance.display.lettering import Pen, write
from appliance.display.stencil import rounded, stamp
from firmware.face.value import HalfFace
from firmware.screens.digits import DOWNWARD, UPWARD
from firmware.screens.layout import Note, Strip
from firmware.screens.paint_info import Info, paint_info
from firmware.screens.paint_notices import paint_notices
from firmware.screens.palette import AMBER, EMBER, GROUND, INK, IVORY, MIST, STEEL, Coat
from firmware.screens.stencil import reading
from rules.side import BySide, Side

SHARED = Coat(GROUND, STEEL, IVORY, IVORY, MIST, AMBER, IVORY, INK)


@dataclass(frozen=True, slots=True)
class StripView:
    """The content of the strip; equal views give equal pictures."""

    notices: tuple[str, ...]
    rulebook: str
    names: BySide[str]
    info: Info | None
    """None if the halves show it."""
    runs: Side | None
    """The running side."""
    overtime: bool
    """The running clock is below zero."""
    other: HalfFace | None
    """The opponent's half, if the screen shows it only here."""


def paint_strip(surface: pygame.Surface, strip: Strip, view: StripView) -> None:
    """Draw the strip on ``surface``, which has its size."""
    surface.fill(GROUND)
    for note in strip.notes:
        _turned(surface, _within(note.place, strip.place), note, view)
    if view.runs is not None and not view.info:
        _paint_pointer(surface, strip, view.runs, EMBER if view.overtime else IVORY)
    elif strip.bar is not None:
        bar = _within(strip.bar, strip.place)
        rounded(surface, bar, bar.height // 2, STEEL)
    if strip.info is not None and view.info:
        paint_info(surface, _within(strip.info, strip.place), view.info, SHARED)
    if strip.other is not None and view.other is not None:
        _paint_other(surface, _within(strip.other, strip.place), view.other)


def _paint_pointer(surface: pygame.Surface, strip: Strip, side: Side, colour: Colour) -> None:
    """Draw a triangle at the running half: between facing halves it points up or down, under two upright ones up."""
    if strip.pointers is None:
        return
    upward = strip.bar is None or side is Side.LEFT
    stamp(surface, UPWARD if upward else DOWNWARD, _within(strip.pointers.of(side), strip.place), colour)


def _within(box: Box, place: Box) -> Box:
    return Box(box.x - place.x, box.y - place.y, box.width, box.height)


def _turned(surface: pygame.Surface, box: Box, note: Note, view: StripView) -> None:
    upright = pygame.Surface((box.width, box.height))
    named = view.rulebook if note.side is None else f"{view.names.of(note.side)} · {view.rulebook}"
    _paint_note(upright, Box(0, 0, box.width, box.height), named, view.notices)
    surface.blit(pygame.transform.rotate(upright, note.turn) if note.turn else upright, (box.x, box.y))


def _paint_note(surface: pygame.Surface, box: Box, named: str, notices: tuple[str, ...]) -> None:
    surface.fill(GROUND)
    if not notices:
        write(surface, [named], box, Pen(MIST, largest=max(10, min(box.height * 2 // 5, box.width // 12)), place=1.0))
        return
    paint_notices(surface, box, notices)


def _paint_other(surface: pygame.Surface, box: Box, other: HalfFace) -> None:
    """Draw the opponent's time, small; filled while it runs."""
    if other.runs:
        rounded(surface, box, box.height // 6, EMBER if other.overtime else IVORY)
    colour = INK if other.runs else EMBER if other.overtime else MIST
    inner = box.inset(box.height // 5)
    reading(surface, other.reading, inner.left(inner.width // 2), colour, place=0.0)
    words = inner.beside(inner.width * 11 // 20)
    write(surface, [" ".join(other.marks[:2])] if other.overtime else [other.name], words, Pen(colour))
