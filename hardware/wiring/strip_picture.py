"""The strip board as SVG: the component side, and below it the copper side with its cuts, mirrored as seen when cutting."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from hardware.boards.board import Board
from hardware.boards.hookup import adaptors
from hardware.wiring.strips import FIRST, HOLES, ODD, STRIPS, Component, Hole, Lead, StripLayout, layout, place
from hardware.wiring.symbols import INK
from hardware.wiring.variants import variants

_PITCH: Final = 25.0
_LEFT: Final = 330.0
_TOP: Final = 175.0
_WIDE: Final = 2 * _LEFT + HOLES * _PITCH
_COPPER: Final = _TOP + (STRIPS + 5) * _PITCH
"""The y of the copper side: a whole number of holes below, since the hole pattern continues."""
_HIGH: Final = _COPPER + STRIPS * _PITCH + 40
_LINE: Final = 12.4
"""Line pitch of the text."""
_CUT: Final = "#c00000"
_NOTES: Final = (
    "Seen from the side of the parts. The strips run from left to right below, the copper is on the other side. The number at its edge is the strip's.",
    "Cut each of the header's 20 strips between its two rows, with a knife. A red cross is a cut at a hole, with a drill of 4 to 5 mm turned by hand.",
    "The header's notch is on the left, towards its odd holes. A coloured dot is where a wire goes in: the black ones are the grounds of what they are named after.",
)


def strip_picture(board: Board) -> bytes:
    """Return the picture as SVG in UTF-8; the same board always gives the same bytes. Raises StripError like ``layout``."""
    return "\n".join(_picture(board, layout(board))).encode()


def _besides(board: Board, made: StripLayout) -> Iterator[str]:
    """Yield notes that hold for some boards only."""
    if any(component.sort == "transistor" for component in made.components):
        yield "BC337: its flat side is where it is drawn flat; its legs are collector (C), base (B), emitter (E)."
    for suffix, pis in variants(board).items():
        if suffix:
            names = " and ".join(name for name, _ in adaptors(board, pis[0]))
            yield f"On a {' or '.join(pi.title for pi in pis)} leave out the {names} display: it hangs on a USB adaptor."


def _picture(board: Board, made: StripLayout) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE:g} {_HIGH:g}" width="{_WIDE:g}" height="{_HIGH:g}" '
        'font-family="DejaVu Sans, Arial, sans-serif">'
    )
    yield (
        f'<defs><pattern id="holes" x="{_LEFT:g}" y="{_TOP:g}" width="{_PITCH:g}" height="{_PITCH:g}" patternUnits="userSpaceOnUse">'
        f'<rect y="2" width="{_PITCH:g}" height="{_PITCH - 4:g}" fill="#f0cfa6"/><circle cx="{_PITCH / 2:g}" cy="{_PITCH / 2:g}" r="3.2" fill="white"/></pattern></defs>'
    )
    yield f'<rect width="{_WIDE:g}" height="{_HIGH:g}" fill="white"/>'
    yield _words((_WIDE / 2, 34), board.title, "middle", 18)
    for number, line in enumerate((*_NOTES, *_besides(board, made))):
        yield _words((_WIDE / 2, 62 + 18 * number), line, "middle", 12)
    yield from _strips(_TOP, turned=False)
    yield from _cuts(made, _TOP, turned=False)
    yield from _header()
    for component in made.components:
        yield from _DRAWN[component.sort](component)
    yield from _leads(made.leads)
    yield _words((_WIDE / 2, _COPPER - 60), "The copper side, with all its cuts: left and right have changed places.", "middle", 14)
    yield from _strips(_COPPER, turned=True)
    yield from _cuts(made, _COPPER, turned=True)
    yield "</svg>\n"


def _x(column: float, *, turned: bool = False) -> float:
    return _LEFT + ((HOLES + 1 - column if turned else column) - 0.5) * _PITCH


def _y(strip: float, top: float = _TOP) -> float:
    return top + (strip - 0.5) * _PITCH


def _words(at: tuple[float, float], text: str, anchor: str, size: float, ink: str = "black") -> str:
    """Write one line: its start, middle or end (``anchor``) at x, its capitals' middle at y."""
    x, foot = at[0], at[1] + 0.36 * size
    return f'<text y="{foot - size:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{ink}"><tspan x="{x:g}" dy="{size:g}">{text}</tspan></text>'


def _line(start: tuple[float, float], end: tuple[float, float], ink: str, wide: float) -> str:
    return f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}" stroke="{ink}" stroke-width="{wide:g}" stroke-linecap="round"/>'


def _strips(top: float, *, turned: bool) -> Iterator[str]:
    """Draw the copper with its holes, and number strips and columns."""
    yield f'<rect x="{_LEFT:g}" y="{top:g}" width="{HOLES * _PITCH:g}" height="{STRIPS * _PITCH:g}" fill="url(#holes)" stroke="#999999"/>'
    for column in range(1, HOLES + 1):
        yield _words((_x(column, turned=turned), top - 8), str(column), "middle", 8, "#777777")
    for strip in range(1, STRIPS + 1):
        yield _words((_LEFT - 14, _y(strip, top)), str(strip), "middle", 9, "#777777")
        yield _words((_WIDE - _LEFT + 14, _y(strip, top)), str(strip), "middle", 9, "#777777")


def _cuts(made: StripLayout, top: float, *, turned: bool) -> Iterator[str]:
    between = (_x(ODD, turned=turned) + _x(ODD + 1, turned=turned)) / 2
    for strip in range(FIRST, FIRST + 20):
        yield _line((between, _y(strip, top) - 10), (between, _y(strip, top) + 10), _CUT, 3)
    for hole in sorted(made.cuts):
        x, y = _x(hole.column, turned=turned), _y(hole.strip, top)
        yield f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="white"/>'
        yield _line((x - 7, y - 7), (x + 7, y + 7), _CUT, 3)
        yield _line((x - 7, y + 7), (x + 7, y - 7), _CUT, 3)


def _header() -> Iterator[str]:
    left, right, top, foot = _x(ODD) - 1.7 * _PITCH, _x(ODD + 1) + 1.7 * _PITCH, _y(1) - 5, _y(STRIPS) + 5
    notch = (top + foot) / 2
    yield (
        f'<path d="M{left:g} {top:g}H{right:g}V{foot:g}H{left:g}V{notch + 22:g}h8V{notch - 22:g}h-8Z" fill="#3a4049" fill-opacity="0.16" stroke="#3a4049" stroke-width="2"/>'
    )
    for pin in range(1, 41):
        hole, beside = place(pin), place(pin, 1)
        yield f'<rect x="{_x(hole.column) - 4:g}" y="{_y(hole.strip) - 4:g}" width="8" height="8" fill="black"/>'
        yield _words((_x(beside.column), _y(beside.strip)), str(pin), "middle", 11)


def _resistor(component: Component) -> Iterator[str]:
    start, end = sorted(component.holes, key=lambda hole: hole.column)
    y, middle = _y(start.strip), (_x(start.column) + _x(end.column)) / 2
    # Draw the body beside the cut, which must stay visible.
    middle += 0.5 * _PITCH * (1 if start.column > ODD else -1)
    yield _line((_x(start.column), y), (_x(end.column), y), "#444444", 2)
    yield f'<rect x="{middle - 34:g}" y="{y - 8:g}" width="68" height="16" rx="6" fill="#d9ecf7" stroke="#444444"/>'
    yield _words((middle, y), component.value, "middle", 11)


def _capacitor(component: Component) -> Iterator[str]:
    first, last = component.holes
    x, y = _x(first.column), (_y(first.strip) + _y(last.strip)) / 2
    yield _line((x, _y(first.strip)), (x, _y(last.strip)), "#444444", 2)
    yield f'<ellipse cx="{x:g}" cy="{y:g}" rx="8" ry="13" fill="#f2c14e" stroke="#444444"/>'
    outwards = -1 if first.column <= ODD else 1
    yield _words((x + outwards * 14, y), component.value, "end" if outwards < 0 else "start", 11)


def _transistor(component: Component) -> Iterator[str]:
    collector, base, _ = component.holes
    x, y = _x(base.column), _y(base.strip)
    # Flat side towards you, legs down: collector, base, emitter from left to right. With the collector above, the flat side is on the left.
    flat = -1 if collector.strip < base.strip else 1
    yield (
        f'<path d="M{x + flat * 12:g} {y - 21:g}V{y + 21:g}A23 23 0 1 {1 if flat > 0 else 0} {x + flat * 12:g} {y - 21:g}Z" '
        'fill="#d0d0d0" fill-opacity="0.85" stroke="#222222" stroke-width="2"/>'
    )
    for letter, hole in zip("CBE", component.holes, strict=True):
        yield f'<circle cx="{_x(hole.column):g}" cy="{_y(hole.strip):g}" r="4" fill="#222222"/>'
        yield _words((x + flat * 21, _y(hole.strip)), letter, "middle", 11)


_DRAWN: Final = {"resistor": _resistor, "capacitor": _capacitor, "transistor": _transistor}


def _leads(leads: list[Lead]) -> Iterator[str]:
    """Draw each wire to the board's edge and label its destination there; two black or red wires of a strip share a line."""
    beside: dict[tuple[int, bool], dict[str, list[Lead]]] = defaultdict(lambda: defaultdict(list))
    for lead in leads:
        beside[lead.hole.strip, lead.hole.column > ODD][lead.colour].append(lead)
    for (strip, right), colours in beside.items():
        lines = [(colour, pair) for colour, wires in colours.items() for pair in (wires[at : at + 2] for at in range(0, len(wires), 2))]
        for number, (colour, pair) in enumerate(lines):
            y = _y(strip) + (number - (len(lines) - 1) / 2) * _LINE
            for wire in pair:
                yield from _lead(wire.hole, y, INK[colour], right=right)
            edge = _WIDE - _LEFT + 30 if right else _LEFT - 30
            yield _words((edge, y), f"{colour}: {', '.join(wire.to for wire in pair)}", "start" if right else "end", 12, INK[colour])


def _lead(hole: Hole, y: float, ink: str, *, right: bool) -> Iterator[str]:
    x, out = _x(hole.column), 1 if right else -1
    edge = _WIDE - _LEFT + 4 if right else _LEFT - 4
    yield f'<circle cx="{x:g}" cy="{_y(hole.strip):g}" r="6" fill="{ink}" stroke="#222222"/>'
    yield _line((x + out * 5, _y(hole.strip)), (x + out * 12, y), ink, 3)
    yield _line((x + out * 12, y), (edge, y), ink, 3)
