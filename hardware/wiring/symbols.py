"""The picture's symbols: drawn outwards from the end of the wire, to the left or right, with text beyond."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final

import schemdraw.elements as elm
from schemdraw import Drawing

from hardware.boards.board import DisplaySpec, PinSpec
from hardware.boards.hookup import Hookup
from hardware.boards.parts import ohms, parts
from hardware.wiring.placing import EDGE, Hand, Place
from hardware.wiring.words import Align, Caption

INK: Final[Mapping[str, str]] = MappingProxyType(
    {
        "blue": "#1f5fd0",
        "green": "#1a8a3a",
        "yellow": "#c79a00",
        "orange": "#e06c00",
        "brown": "#7a4a21",
        "violet": "#8a2fc0",
        "grey": "#7d7d7d",
        "pink": "#e0559b",
        "turquoise": "#0e9c9c",
        "white": "#9fb4c8",
        "cream": "#b09a6a",
        "black": "#000000",
        "red": "#d01818",
    }
)
"""What a wire is drawn in, by its colour; white could not be seen on paper."""
_BLACK: Final = "black"
_SMALL: Final = 9.5
_LARGE: Final = 12.0
_LINE: Final = 0.42
"""From one line of words to the next."""
WORDS: Final = 5.4
"""From a part's wire to where its words begin."""


class SymbolPen:
    """Draws at one place: x counts outwards from the header, whichever side the part is on."""

    def __init__(self, drawing: Drawing, hand: Hand, origin: tuple[float, float], ink: str) -> None:
        self._drawing = drawing
        self._hand = hand
        self._origin = origin
        self.ink = ink

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the drawing's own point."""
        return self._origin[0] + self._hand * x, self._origin[1] + y

    def line(self, *points: tuple[float, float], ink: str | None = None) -> None:
        """Draw a wire from point to point, by default in its colour."""
        for start, end in pairwise(points):
            self._drawing.add(elm.Line().at(self.at(*start)).to(self.at(*end)).color(ink or self.ink).linewidth(1.6 if ink else 2.2))

    def between(self, element: elm.Element2Term, start: tuple[float, float], end: tuple[float, float], words: str = "") -> None:
        """Draw a two-terminal element with its value above or beside it."""
        if words:
            element.label(words, loc="top" if start[1] == end[1] else "bottom", fontsize=_SMALL, ofst=0.12)
        # Always drawn from left to right, so that the text is above.
        first, last = sorted((self.at(*start), self.at(*end))) if start[1] == end[1] else (self.at(*start), self.at(*end))
        self._drawing.add(element.at(first).to(last))

    def outwards(self, element: elm.Element2Term, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Draw a directed element from start to end."""
        self._drawing.add(element.at(self.at(*start)).to(self.at(*end)))

    def ground(self, x: float, y: float) -> None:
        """Draw a connection to ground."""
        self._drawing.add(elm.Ground().theta(0).at(self.at(x, y)))

    def supply(self, x: float, y: float, volts: str = "5 V") -> None:
        """Draw a connection to 5 V, or to 3.3 V."""
        self._drawing.add(elm.Vdd().theta(0).at(self.at(x, y)).color(INK["red"]).label(volts, fontsize=_SMALL, color=INK["red"]))

    def transistor(self, x: float, y: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """Draw an NPN transistor with its base at that point; return its collector and its emitter."""
        shape = elm.BjtNpn(circle=True).theta(0)
        if self._hand < 0:
            shape = shape.reverse()
        drawn = self._drawing.add(shape.anchor("base").at(self.at(x, y)))
        return self._own(drawn.absanchors["collector"]), self._own(drawn.absanchors["emitter"])

    def box(self, near: tuple[float, float], far: tuple[float, float]) -> None:
        """Draw a box between two corners."""
        (left, low), (right, high) = self.at(*near), self.at(*far)
        self._drawing.add(elm.Rect(corner1=(0, 0), corner2=(right - left, high - low)).theta(0).at((left, low)).zorder(1))

    def words(self, x: float, y: float, text: str, align: Align = "left") -> None:
        """Write small text that runs outwards from the point (left), inwards to it (right), or is centred on it."""
        self._drawing.add(Caption(text, self._turned(align), _SMALL, _BLACK).at(self.at(x, y)))

    def title(self, x: float, y: float, text: str) -> None:
        """Write larger text in the wire's colour, outwards from the point."""
        self._drawing.add(Caption(text, self._turned("left"), _LARGE, self.ink).at(self.at(x, y)))

    def _turned(self, align: Align) -> Align:
        if align == "center" or self._hand > 0:
            return align
        return "right" if align == "left" else "left"

    def _own(self, point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] - self._origin[0]) * self._hand, point[1] - self._origin[1]


def draw_part(drawing: Drawing, place: Place) -> None:
    """Draw the part at the end of a wire, with its text."""
    pen = SymbolPen(drawing, place.hand, (place.start, place.y), INK[place.hookup.colour])
    _DRAWN[place.hookup.how](pen, place.hookup)
    _words(pen, place.hookup)


def _series(pen: SymbolPen, hookup: Hookup) -> None:
    """Draw the series resistor or a plain wire, up to x = 2."""
    if hookup.spec.resistor:
        pen.between(elm.Resistor(), (0, 0), (2, 0), ohms(hookup.spec.resistor))
    else:
        pen.line((0, 0), (2, 0), ink=_BLACK)


def _to_ground(pen: SymbolPen, element: elm.Element2Term, hookup: Hookup) -> None:
    """Draw the resistor, the element and the ground behind it."""
    _series(pen, hookup)
    pen.line((2, 0), (2.4, 0))
    (pen.outwards if isinstance(element, elm.Diode) else pen.between)(element, (2.4, 0), (4.2, 0))
    pen.line((4.2, 0), (4.7, 0), ink=_BLACK)
    pen.ground(4.7, 0)


def _contact(pen: SymbolPen, hookup: Hookup) -> None:
    spec = hookup.spec
    _to_ground(pen, elm.Button(), hookup)
    if isinstance(spec, PinSpec) and spec.capacitor:
        pen.line((-0.25, 0), (-0.25, -0.2), ink=_BLACK)
        pen.between(elm.Capacitor(), (-0.25, -0.2), (-0.25, -1.1), f"{spec.capacitor} nF")
        pen.ground(-0.25, -1.1)
    if isinstance(spec, PinSpec) and spec.pull_up:
        pen.line((-0.25, 0), (-0.25, 0.2), ink=_BLACK)
        pen.between(elm.Resistor(), (-0.25, 0.2), (-0.25, 1.5), ohms(spec.pull_up))
        pen.supply(-0.25, 1.5, "3.3 V")


def _led(pen: SymbolPen, hookup: Hookup) -> None:
    _to_ground(pen, elm.LED(), hookup)


def _fed(pen: SymbolPen, hookup: Hookup) -> None:
    _to_ground(pen, elm.Lamp(), hookup)


def _driven(pen: SymbolPen, hookup: Hookup) -> None:
    _series(pen, hookup)
    collector, emitter = pen.transistor(2, 0)
    pen.ground(*emitter)
    foot = collector[0], collector[1] + 0.3
    top = foot[0], foot[1] + 1.5
    pen.line(collector, foot)
    buzzer = hookup.part is not None and hookup.part.sort == "buzzer"
    pen.between(elm.RBox() if buzzer else elm.Lamp(), foot, top)
    pen.words(top[0] + 0.22, top[1] - 0.02, "+")
    pen.supply(*top)
    if isinstance(hookup.spec, PinSpec) and hookup.spec.diode:
        pen.line(collector, (collector[0] + 1.1, collector[1]), ink=_BLACK)
        pen.outwards(elm.Diode(), (collector[0] + 1.1, collector[1]), (top[0] + 1.1, top[1]))
        pen.line((top[0] + 1.1, top[1]), top, ink=_BLACK)


def _serial(pen: SymbolPen, hookup: Hookup) -> None:
    _series(pen, hookup)
    pen.line((2, 0), (2.4, 0))
    _module(pen, 2.4)
    pen.supply(3.7, 1.1)
    pen.ground(3.7, -1.1)


def _module(pen: SymbolPen, x: float) -> None:
    """Draw a serial module with RX at ``x`` and its supply above and below its middle."""
    pen.box((x, -1.1), (x + 2.6, 1.1))
    pen.words(x + 0.15, 0, "RX")
    pen.words(x + 2.45, 0, "TX: free", "right")
    pen.words(x + 1.3, 0.75, "VCC", "center")
    pen.words(x + 1.3, -0.85, "GND", "center")


def draw_adaptor(drawing: Drawing, y: float, name: str, display: DisplaySpec) -> None:
    """Draw a display with all three wires on a USB adaptor, below the header and right of the middle."""
    pen = SymbolPen(drawing, 1, (0.0, y), _BLACK)
    near, far, middle = 0.4, EDGE + 0.8, EDGE + 2.1
    pen.box((-2.9, -1.1), (near, 1.1))
    pen.words(-1.6, 0.2, "USB adaptor", "center")
    pen.words(-1.6, -0.25, "3.3 V logic", "center")
    for height, name_of_pin in ((0.75, "5 V"), (0, "TXD"), (-0.75, "GND")):
        pen.words(near - 0.15, height, name_of_pin, "right")
    pen.line((near, 0), (far, 0))
    pen.line((near, 0.75), (near + 0.6, 0.75), (near + 0.6, 1.6), (middle, 1.6), (middle, 1.1), ink=INK["red"])
    pen.line((near, -0.75), (near + 0.6, -0.75), (near + 0.6, -1.6), (middle, -1.6), (middle, -1.1), ink=_BLACK)
    _module(pen, far)
    lines = [f"{display.port}, or its name in /dev/serial/by-id", "all three wires from the adaptor, none from the header"]
    _lines(pen, EDGE + 4.0, f"{name} display", [*lines, *([parts()[display.part].name] if display.part else [])])


def _words(pen: SymbolPen, hookup: Hookup) -> None:
    spec = hookup.spec
    lines = [f"pin {hookup.hole} (GPIO {hookup.gpio}), ground on pin {hookup.ground}"]
    if hookup.part is not None:
        lines.append(hookup.part.name)
    if isinstance(spec, PinSpec):
        lines += [f"{verb} {parts()[name].name}" for verb, name in (("switched by", spec.driver), ("across it", spec.diode)) if name]
    lines.append(f"{hookup.colour} wire, {spec.wire} cm" if spec.wire else f"{hookup.colour} wire")
    _lines(pen, WORDS, hookup.title, lines)


def _lines(pen: SymbolPen, x: float, title: str, lines: Sequence[str]) -> None:
    top = _LINE * len(lines) / 2
    pen.title(x, top, title[:1].upper() + title[1:])
    for number, line in enumerate(lines, start=1):
        pen.words(x, top - number * _LINE, line)


_DRAWN: Final[Mapping[str, Callable[[SymbolPen, Hookup], None]]] = MappingProxyType(
    {"contact": _contact, "led": _led, "fed": _fed, "driven": _driven, "serial": _serial}
)
