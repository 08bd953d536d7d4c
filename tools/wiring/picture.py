"""A board's wiring picture: the header and its connections, as SVG. The same board always gives the same bytes.

Symbols are drawn outwards from the end of the wire, to the left or right, with text beyond. Text is centred exactly: the library's labels are offset, and viewers
centre them differently.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

import schemdraw
import schemdraw.elements as elm
from schemdraw import Drawing
from schemdraw.elements import Element
from schemdraw.segments import SegmentText

from hardware.boards.board import Board, DisplaySpec, PinSpec
from hardware.boards.hookup import Hookup, adaptors, hookups
from hardware.boards.parts import of_sorts, ohms, on_hole, parts
from hardware.boards.pis import Pi
from tools.wiring.placing import EDGE, Hand, Place, bottom, hand_of, on_pads, placed, row_of

Align: TypeAlias = Literal["left", "center", "right"]

PER_UNIT: Final = 36.0
"""Points to one unit of the drawing."""
_MIDDLE: Final = 0.36
"""From a line's baseline to the middle of its capitals, as a share of its size."""
_FRONT: Final = 10


class Caption(Element):
    """One line of text.

    Args:
        text: what it says.
        align: which end is at the element's place.
        size: in points.
        ink: its colour.
    """

    def __init__(self, text: str, align: Align, size: float, ink: str) -> None:
        super().__init__()
        foot = -_MIDDLE * size / PER_UNIT
        self.segments.append(SegmentText((0, foot), text, align=(align, "base"), fontsize=size, color=ink, zorder=_FRONT))
        self.theta(0)


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
        "lime": "#6a9a00",
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


def draw_part(drawing: Drawing, place: Place, pads: Sequence[Pi]) -> None:
    """Draw the part at the end of a wire, with its text; on the Pis of ``pads`` a power button is not there."""
    pen = SymbolPen(drawing, place.hand, (place.start, place.y), INK[place.hookup.colour])
    _DRAWN[place.hookup.how](pen, place.hookup)
    _words(pen, place.hookup, pads)


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
        pen.line((-0.25, 0), (-0.25, 0.5), ink=_BLACK)
        pen.between(elm.Resistor(), (-0.25, 0.5), (-0.25, 1.8), ohms(spec.pull_up))
        pen.supply(-0.25, 1.8, "3.3 V")


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


def _bus(pen: SymbolPen, hookup: Hookup) -> None:
    """Draw one of the bus's two lines; with the first, the modules' supply."""
    _series(pen, hookup)
    pen.line((2, 0), (2.4, 0))
    if hookup.user.endswith("sda"):
        _module(pen, 2.4, "SDA", "both")
        pen.supply(3.7, 1.1, "3.3 V")
        pen.ground(3.7, -1.1)
    else:
        pen.box((2.4, -0.6), (5.0, 0.6))
        pen.words(2.55, 0, "SCL of these two")


def _module(pen: SymbolPen, x: float, pin: str = "RX", beside: str = "TX: free") -> None:
    """Draw a module with its input at ``x`` and its supply above and below its middle."""
    pen.box((x, -1.1), (x + 2.6, 1.1))
    pen.words(x + 0.15, 0, pin)
    pen.words(x + 2.45, 0, beside, "right")
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


def _words(pen: SymbolPen, hookup: Hookup, pads: Sequence[Pi]) -> None:
    spec = hookup.spec
    lines = [f"pin {hookup.hole} (GPIO {hookup.gpio}), ground on pin {hookup.ground}"]
    if hookup.part is not None:
        lines.append(hookup.part.name)
    if isinstance(spec, PinSpec):
        lines += [f"{verb} {parts()[name].name}" for verb, name in (("switched by", spec.driver), ("across it", spec.diode)) if name]
    lines.append(f"{hookup.colour} wire, {spec.wire} cm" if spec.wire else f"{hookup.colour} wire")
    lines += [f"NOT on a {pi.title}: see below" for pi in pads if hookup.user == "power"]
    _lines(pen, WORDS, hookup.title, lines)


def _lines(pen: SymbolPen, x: float, title: str, lines: Sequence[str]) -> None:
    top = _LINE * len(lines) / 2
    pen.title(x, top, title[:1].upper() + title[1:])
    for number, line in enumerate(lines, start=1):
        pen.words(x, top - number * _LINE, line)


_DRAWN: Final[Mapping[str, Callable[[SymbolPen, Hookup], None]]] = MappingProxyType(
    {"contact": _contact, "led": _led, "fed": _fed, "driven": _driven, "serial": _serial, "bus": _bus}
)


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
    pads = on_pads(pis) if board.power is not None else ()
    legend += [f"{pi.title}: the power button's two wires go to {pi.power_pads}, and hole 5 stays free." for pi in pads]
    low = bottom(places) - 1.5 - _ADAPTOR * len(beside)
    _paper(drawing, low - _LEGEND_LINE * len(legend), places)
    drawing.add(Caption(board.title, "center", 15, "black").at((0, _TITLE)))
    drawing.add(Caption(f"for {', '.join(pi.title for pi in pis)}", "center", 10, "black").at((0, _TITLE - 0.6)))
    _header(drawing, {place.hookup.hole: place.hookup for place in places})
    for place in places:
        _wire(drawing, place)
        draw_part(drawing, place, pads)
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
    fuse = next((f" through the {parts()[name].name}" for name in board.parts if name in of_sorts("fuse")), "")
    notes = [
        "Hole 1 has the square pad, at the corner of the Pi by the memory card; odd holes are the inner row, even ones that at the board's edge.",
        f"Join every ground symbol with the eight black GND holes on the strip board, and every 5 V with the red holes{fuse}: black wire and red wire.",
    ]
    if on_adaptors:
        notes.append(
            "A display on a USB adaptor has its 5 V and its ground from the adaptor alone. Name its port in the settings as /dev/serial/by-id/ has it."
        )
    if any(board.bus()):
        notes.append(
            "Both displays hang on the same two lines; 3.3 V is the lime wire. Close the right module's jumper A0: its address is 0x71."
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
