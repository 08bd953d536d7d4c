"""A board's wiring picture: the header and its connections, as SVG. The same board always gives the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import schemdraw
import schemdraw.elements as elm

from hardware.boards.board import Board
from hardware.boards.header import on_hole
from hardware.boards.hookup import Hookup, adaptors, hookups
from hardware.boards.parts import parts
from hardware.boards.pis import Pi
from hardware.wiring.placing import EDGE, Place, bottom, hand_of, placed, row_of
from hardware.wiring.symbols import INK, WORDS, draw_adaptor, draw_part
from hardware.wiring.words import Caption

_PAPER: Final = 8.3
"""The width of the longest text."""
_ADAPTOR: Final = 4.0
"""The height of a display on a USB adaptor."""
_TITLE: Final = 1.9
_LEGEND_LINE: Final = 0.5
_FILLS: Final = {"GND": "#222222", "5 V": INK["red"], "3.3 V": "#f6cfa8"}


def picture(board: Board, pis: Sequence[Pi]) -> bytes:
    """Return the picture as SVG in UTF-8 for ``pis``; the first one determines which displays need a USB adaptor."""
    schemdraw.use("svg")
    schemdraw.svgconfig.text = "text"
    drawing = schemdraw.Drawing(show=False, fontsize=10, unit=2, lw=1.6, font="DejaVu Sans, Arial, sans-serif")
    places, beside = placed(hookups(board, pis[0])), adaptors(board, pis[0])
    legend = _legend(board, on_adaptors=bool(beside))
    low = bottom(places) - 1.5 - _ADAPTOR * len(beside)
    _paper(drawing, low - _LEGEND_LINE * len(legend), places)
    drawing.add(Caption(board.title, "center", 15, "black").at((0, _TITLE)))
    drawing.add(Caption(f"for {', '.join(pi.title for pi in pis)}", "center", 10, "black").at((0, _TITLE - 0.6)))
    _header(drawing, {place.hookup.hole: place.hookup for place in places})
    for place in places:
        _wire(drawing, place)
        draw_part(drawing, place)
    for number, (name, display) in enumerate(beside):
        draw_adaptor(drawing, bottom(places) - 2.5 - _ADAPTOR * number, name, display)
    for number, line in enumerate(legend):
        drawing.add(Caption(line, "center", 10, "black").at((0, low - number * _LEGEND_LINE)))
    image: bytes = drawing.get_imagedata("svg")
    return image


def _paper(drawing: schemdraw.Drawing, low: float, places: Sequence[Place]) -> None:
    """Draw a white background first: lines stay visible on dark viewers, and no text is cut off."""
    wide = max((abs(place.start) for place in places), default=EDGE) + WORDS + _PAPER
    drawing.add(elm.Rect(corner1=(-wide, low), corner2=(wide, _TITLE + 0.6), fill="white").color("white").theta(0).at((0, 0)))


def _legend(board: Board, *, on_adaptors: bool) -> list[str]:
    """Return the notes on the whole picture."""
    notes = [
        "Hole 1 has the square pad, at the corner of the Pi by the memory card; odd holes are the inner row, even ones that at the board's edge.",
        "Join every ground symbol with the eight black GND holes on the strip board, and every 5 V with the two red holes: black wire and red wire.",
    ]
    if on_adaptors:
        notes.append(
            "A display on a USB adaptor has its 5 V and its ground from the adaptor alone. Name its port in the settings as /dev/serial/by-id/ has it."
        )
    pins = [pin for _, pin in board.pins()]
    if any(pin.resistor for pin in pins):
        notes.append(
            "What stands beside a wire sits on the strip board, which the ribbon cable joins to the header; from there the coloured wires run to the parts. "
            f"Where: {board.id}-strips.svg."
        )
    if any(pin.driver for pin in pins):
        notes.append("Transistor BC337 with its flat side towards you and its legs down: collector, base, emitter from left to right.")
    if any(pin.part and parts()[pin.part].sort == "led" for pin in pins):
        notes.append("LED: the long leg to the resistor, the short leg to ground.")
    return notes


def _header(drawing: schemdraw.Drawing, used: dict[int, Hookup]) -> None:
    drawing.add(elm.Rect(corner1=(-EDGE, row_of(40) - 0.6), corner2=(EDGE, 0.6), fill="#f4f4ee").theta(0).at((0, 0)))
    for hole in range(1, 41):
        _hole(drawing, hole, used.get(hole))


def _hole(drawing: schemdraw.Drawing, hole: int, hookup: Hookup | None) -> None:
    hand, y, name = hand_of(hole), row_of(hole), on_hole(hole)
    fill = INK[hookup.colour] if hookup else _FILLS.get(name, "white")
    drawing.add(elm.Dot(radius=0.34, fill=fill).theta(0).at((hand * 0.45, y)).zorder(2))
    drawing.add(Caption(str(hole), "center", 10, "#333333" if fill in {"white", _FILLS["3.3 V"]} else "white").at((hand * 0.45, y)))
    strong = hookup is not None or name in _FILLS
    drawing.add(Caption(name, "left" if hand > 0 else "right", 10, "black" if strong else "#999999").at((hand * 0.95, y)))


def _wire(drawing: schemdraw.Drawing, place: Place) -> None:
    edge = place.hand * EDGE
    points = [(edge, place.row), (place.lane, place.row), (place.lane, place.y), (place.start, place.y)]
    for start, end in pairwise(points):
        if start != end:
            drawing.add(elm.Line().at(start).to(end).color(INK[place.hookup.colour]).linewidth(2.2))
