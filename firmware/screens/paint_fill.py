"""Draw a fill: its words on an empty and on a full plate once, then for each frame the part of the full one that is reached.

A frame costs one copied rectangle. The words turn from light on dark to dark on light as the fill passes, so length, motion and words all show it.
"""

from __future__ import annotations

from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.colour import Colour
from appliance.display.lettering import Pen
from appliance.display.stencil import framed
from firmware.face.value import FILL_STEPS, FillFace
from firmware.screens.fill_layout import FillPlace
from firmware.screens.palette import AMBER, GROUND, INK, IVORY
from firmware.screens.scribe import Scribe

EMPTY: Final[Colour] = (44, 52, 62)


class FillPlate:
    """One fill's two plates."""

    def __init__(self, scribe: Scribe, place: FillPlace, fill: FillFace) -> None:
        """Draw both plates: ``fill``'s words in ``place``."""
        self.words = (fill.let_go, fill.hold_on)
        self.box = place.box
        self._place = place
        self._empty = _plate(scribe, place, fill, (EMPTY, IVORY))
        self._full = _plate(scribe, place, fill, (AMBER, INK))
        self._done: int | None = None

    def cover(self) -> None:
        """Draw all of it next time: what lies under it was drawn anew."""
        self._done = None

    def draw(self, surface: pygame.Surface, done: int) -> Box | None:
        """Draw it at ``done`` steps; return the box that changed, if any."""
        if done == self._done:
            return None
        box, before = self._place.box, self._done
        self._done = done
        if before is None or done < before:
            surface.blit(self._empty, (box.x, box.y))
        for part in _reached(self._place, done):
            surface.blit(self._full, (box.x + part.x, box.y + part.y), (part.x, part.y, part.width, part.height))
        return box


def _reached(place: FillPlace, done: int) -> tuple[Box, ...]:
    """Return the full part, in the plate's pixels."""
    width, height = place.box.width, place.box.height
    if place.both_ways:
        reach = width // 2 * done // FILL_STEPS
        return (Box(width // 2 - reach, 0, 2 * reach, height),)
    reach = width * done // FILL_STEPS
    return (Box(width - reach if place.from_right else 0, 0, reach, height),)


def _plate(scribe: Scribe, place: FillPlace, fill: FillFace, colours: tuple[Colour, Colour]) -> pygame.Surface:
    ground, words = colours
    plate = pygame.Surface((place.box.width, place.box.height))
    plate.fill(GROUND)
    framed(plate, Box(0, 0, place.box.width, place.box.height), place.box.height // 8, (AMBER, ground), max(2, place.box.height // 30))
    for box, turn in place.readers:
        upright = pygame.Surface((box.width, box.height))
        upright.fill(ground)
        _words(scribe.on(upright), Box(0, 0, box.width, box.height), fill, words)
        plate.blit(pygame.transform.rotate(upright, turn) if turn else upright, (box.x, box.y))
    return plate


def _words(scribe: Scribe, box: Box, fill: FillFace, colour: Colour) -> None:
    """Write what letting go does above what holding on does, which is larger: it is read from across the table."""
    if not fill.hold_on:
        scribe.write([fill.let_go], box, Pen(colour, largest=box.height // 2))
        return
    first = box.height * 2 // 5
    if not scribe.fits([fill.let_go], box.top(first), Pen(colour)):
        first = box.height // 2
    scribe.write([fill.let_go], box.top(first), Pen(colour, largest=first * 8 // 10))
    scribe.write([fill.hold_on], box.below(first), Pen(colour, largest=(box.height - first) * 8 // 10))
