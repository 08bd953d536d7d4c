"""Draw what the players share: touch bar and notices, and on an upright screen window and details."""

from __future__ import annotations

from dataclasses import dataclass

import pygame

from appliance.display.drawing import Pen, rounded, stamp
from appliance.display.layout import Box, Colour
from firmware.face.value import HalfFace, MenuFace
from firmware.screens.digits import DOWNWARD, UPWARD
from firmware.screens.layout import Note, Strip
from firmware.screens.paint_info import Info, paint_info, paint_notices
from firmware.screens.paint_page import paint_page
from firmware.screens.scribe import AMBER, EMBER, GROUND, INK, IVORY, MIST, STEEL, Coat, Scribe, reading
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
    pages: BySide[MenuFace | None] | None
    """The table menu for each reader, if the halves have no room for it."""
    called: str
    """The call for the director."""
    hint: str
    """In the place of the rulebook's name."""
    other: HalfFace | None
    """The opponent's half, if the screen shows it only here."""
    large_notices: tuple[str, ...] = ()
    """In the place of ``info``: the notes are too small for them."""


def paint_strip(scribe: Scribe, strip: Strip, view: StripView) -> None:
    """Draw the strip on the scribe's surface, which has its size."""
    surface = scribe.surface
    surface.fill(GROUND)
    if strip.pages is not None and view.pages is not None and (view.pages.left or view.pages.right):
        for side, page in view.pages.items():
            if page is not None:
                paint_page(scribe, _within(strip.pages.of(side), strip.place), page, SHARED)
        return
    if strip.fill is not None and view.called:
        # One reader's direction for both: the call may be as large as the strip.
        _paint_call(scribe, _within(strip.fill, strip.place), view.called)
        return
    for note in strip.notes:
        _turned(scribe, _within(note.place, strip.place), note, view)
    if view.runs is not None and not view.info:
        _paint_pointer(surface, strip, view.runs, EMBER if view.overtime else IVORY)
    elif strip.bar is not None:
        bar = _within(strip.bar, strip.place)
        rounded(surface, bar, bar.height // 2, STEEL)
    if strip.info is not None:
        _paint_words(scribe, _within(strip.info, strip.place), view)
    if strip.other is not None and view.other is not None:
        _paint_other(scribe, _within(strip.other, strip.place), view.other)


def _paint_words(scribe: Scribe, box: Box, view: StripView) -> None:
    """Draw banner, details and window, or the notices that have no room elsewhere."""
    if view.large_notices:
        paint_notices(scribe, box, view.large_notices)
    elif view.info:
        paint_info(scribe, box, view.info, SHARED)


def _paint_pointer(surface: pygame.Surface, strip: Strip, side: Side, colour: Colour) -> None:
    """Draw a triangle at the running half: between facing halves it points up or down, under two upright ones up."""
    if strip.pointers is None:
        return
    upward = strip.bar is None or side is Side.LEFT
    stamp(surface, UPWARD if upward else DOWNWARD, _within(strip.pointers.of(side), strip.place), colour)


def _within(box: Box, place: Box) -> Box:
    return Box(box.x - place.x, box.y - place.y, box.width, box.height)


def _turned(scribe: Scribe, box: Box, note: Note, view: StripView) -> None:
    upright = pygame.Surface((box.width, box.height))
    _paint_note(scribe.on(upright), Box(0, 0, box.width, box.height), note, view)
    scribe.surface.blit(pygame.transform.rotate(upright, note.turn) if note.turn else upright, (box.x, box.y))


def _paint_note(scribe: Scribe, box: Box, note: Note, view: StripView) -> None:
    """Draw, in this order of rank: the call for the director, notices, what to do, the rulebook's name."""
    scribe.surface.fill(GROUND)
    if view.called:
        _paint_call(scribe, box, view.called)
    elif view.notices:
        paint_notices(scribe, box, view.notices)
    elif view.hint:
        scribe.write([view.hint], box, Pen(AMBER, largest=box.height // 2, place=1.0, one_line=1.0))
    else:
        named = (view.rulebook,) if note.side is None else (view.names.of(note.side), view.rulebook)
        largest = max(scribe.smallest, min(box.height * 2 // 5, box.width // 12))
        # One size for both notes, whichever name is longer.
        scribe.write_most(named, box, Pen(MIST, largest=largest, place=1.0, one_line=0.0))


def _paint_call(scribe: Scribe, box: Box, called: str) -> None:
    rounded(scribe.surface, box, box.height // 6, AMBER)
    scribe.write([called], box.inset(box.height // 6, 0), Pen(INK, place=0.5))


def _paint_other(scribe: Scribe, box: Box, other: HalfFace) -> None:
    """Draw the opponent's time, small; filled while it runs."""
    if other.runs:
        rounded(scribe.surface, box, box.height // 6, EMBER if other.overtime else IVORY)
    colour = INK if other.runs else EMBER if other.overtime else MIST
    inner, pen = box.inset(box.height // 5), Pen(colour)
    # The reading itself shows overtime; its points are news.
    texts = (" ".join(other.marks[:2]), *other.marks[1:2], other.name) if other.overtime else (other.name,)
    shares = ((50, 55), (40, 43))
    fitting = ((share, text) for share in shares for text in texts if scribe.fits([text], inner.beside(inner.width * share[1] // 100), pen))
    (figures, begins), text = next(fitting, (shares[0], texts[-1]))
    reading(scribe.surface, other.reading, inner.left(inner.width * figures // 100), colour, place=0.0, heavy=other.low)
    scribe.write([text], inner.beside(inner.width * begins // 100), pen)
