"""Draw a face on a surface, but only the parts that have changed."""

from __future__ import annotations

import pygame

from appliance.display.box import Box
from appliance.display.stencil import stencil
from firmware.face.value import Face
from firmware.screens.digits import NUMERALS
from firmware.screens.layout import HalfLayout, Layout
from firmware.screens.paint_half import HalfView, paint_half
from firmware.screens.paint_info import Info
from firmware.screens.paint_menu import MenuView, paint_menu
from firmware.screens.paint_strip import StripView, paint_strip
from firmware.screens.palette import GROUND, INK, IVORY
from rules.side import Side


class Painter:
    """Draws faces in one layout and stores what it drew."""

    def __init__(self, layout: Layout) -> None:
        """Draw in ``layout``; the surface is empty at first."""
        self._layout = layout
        self._halves: dict[Side, HalfView] = {}
        self._strip: StripView | None = None
        self._menu: MenuView | None = None

    def warm(self) -> None:
        """Draw the numerals in advance, so that no picture of a game is late."""
        heights = {parts.digits.height for place in self._layout.halves for parts in (place.with_info, place.bare)}
        for height in heights:
            for shape in NUMERALS.values():
                for colour in (IVORY, INK):
                    stencil(shape, height, colour)

    def draw(self, surface: pygame.Surface, face: Face) -> list[Box]:
        """Draw what has changed since the last face; return the boxes drawn."""
        if face.menu is not None:
            return self._draw_menu(surface, MenuView(face.menu, face.halves, face.notices))
        drawn: list[Box] = []
        if self._menu is not None or self._strip is None:
            self._forget()
            surface.fill(GROUND)
            drawn.append(Box(0, 0, *self._layout.size))
        return drawn + self._draw_halves(surface, face) + self._draw_strip(surface, face)

    def _forget(self) -> None:
        self._halves.clear()
        self._strip = None
        self._menu = None

    def _draw_menu(self, surface: pygame.Surface, view: MenuView) -> list[Box]:
        if view == self._menu:
            return []
        self._forget()
        self._menu = view
        box = self._layout.menu
        paint_menu(surface.subsurface(_rect(box)), Box(0, 0, box.width, box.height), view)
        return [box]

    def _draw_halves(self, surface: pygame.Surface, face: Face) -> list[Box]:
        drawn = []
        for place in self._layout.halves:
            view = HalfView(face.halves.of(place.side), face.phase, None if self._layout.strip.info else _info(face))
            if self._halves.get(place.side) != view:
                self._halves[place.side] = view
                drawn.append(_draw_half(surface, place, view))
        return drawn

    def _draw_strip(self, surface: pygame.Surface, face: Face) -> list[Box]:
        strip = self._layout.strip
        runs = next((half for _, half in face.halves.items() if half.runs), None) if strip.pointers else None
        other = face.halves.of(self._layout.halves[0].side.other) if strip.other else None
        view = StripView(
            face.notices,
            face.rulebook,
            face.halves.map(lambda half: half.name),
            _info(face) if strip.info else None,
            runs.side if runs else None,
            bool(runs and runs.overtime),
            other,
        )
        if self._strip == view:
            return []
        self._strip = view
        paint_strip(surface.subsurface(_rect(strip.place)), strip, view)
        return [strip.place]


def _draw_half(surface: pygame.Surface, place: HalfLayout, view: HalfView) -> Box:
    part = surface.subsurface(_rect(place.place))
    paint_half(part, place.with_info if view.info else place.bare, view)
    if place.turn:
        part.blit(pygame.transform.rotate(part, place.turn), (0, 0))
    return place.place


def _rect(box: Box) -> pygame.Rect:
    return pygame.Rect(box.x, box.y, box.width, box.height)


def _info(face: Face) -> Info:
    return Info(face.banner, face.details, face.window)
