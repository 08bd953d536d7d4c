"""The strip board as SVG: its layout; the component side, and below it the copper side with its cuts, mirrored as seen when cutting.

The strips run from left to right, the header across their middle. Each header strip has an odd hole left of its cut and an even one right of it. From there each
connection goes outwards along its strip: the resistor over a cut, then the wire at the board's edge. Between header and cut, capacitors and pull-ups cross the
strips to ground and to 3.3 V, which a bridge takes to the free strip at the top for the header's even side. A transistor spans three strips: the pin's, a ground
strip beside it, and on the other side one with a free pin. The fuse lies over a cut in the strip of hole 4: all 5 V wires go behind it.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from faults.errors import TileclockError
from hardware.boards.board import Board, PinSpec
from hardware.boards.hookup import LOGIC_COLOUR, Hookup, adaptors, hookups
from hardware.boards.parts import FEEDS, GROUNDS, LOGIC, of_sorts, ohms
from tools.wiring.picture import INK
from tools.wiring.placing import variants

STRIPS: Final = 22
HOLES: Final = 37
FIRST: Final = 2
"""The strip of the header's holes 1 and 2: its box is longer than its pins, so one strip stays free at either end."""
ODD: Final = 18
"""The column of the header's odd holes; even ones are in the next."""

# Columns counted outwards from the header's. The first is under the header's box.
_INNER: Final = (2, 3, 4, 5)
"""For what crosses the strips."""
_NEAR, _LEG, _CUT, _FUSED, _FAR, _EDGE = 2, 6, 7, 8, 11, 17
_TRANSISTOR: Final = (13, 16)
_PINS: Final = 40
_RAIL: Final = 1
"""The free strip at the top, which takes 3.3 V to the even side."""
_LYING: Final = 3
"""A resistor needs so many strips to lie flat."""

Sort = Literal["resistor", "capacitor", "transistor", "fuse", "bridge"]


class StripError(TileclockError):
    """The simple layout has no room for a board's parts: choose other pins."""


class Hole(NamedTuple):
    """A hole of the strip board, counted from 1 on the component side: strip from the top, column from the left."""

    strip: int
    column: int


class Component(Struct, frozen=True):
    """A soldered part. A transistor's holes are collector, base, emitter."""

    sort: Sort
    value: str
    holes: tuple[Hole, ...]


class Lead(Struct, frozen=True):
    """A wire that leaves the board: hole, colour, destination."""

    hole: Hole
    colour: str
    to: str


class StripLayout(Struct):
    """The layout of a board. Strips are cut at ``cuts``; the header's 20 strips are also cut between its two rows."""

    cuts: set[Hole] = field(default_factory=set)
    components: list[Component] = field(default_factory=list)
    leads: list[Lead] = field(default_factory=list)

    def taken(self) -> Iterator[Hole]:
        """Yield every soldered or cut hole."""
        yield from self.cuts
        for component in self.components:
            yield from component.holes
        yield from (lead.hole for lead in self.leads)


def place(pin: int, outwards: int = 0) -> Hole:
    """Return the hole ``outwards`` columns away from the header's hole ``pin`` (1 to 40)."""
    return Hole(FIRST + (pin - 1) // 2, ODD - outwards if pin % 2 else ODD + 1 + outwards)


def layout(board: Board) -> StripLayout:
    """Return the layout of all connections to the header, including displays on UARTs.

    Raises StripError if two transistors need the same strip, a transistor has no ground neighbour, or something finds no room.
    """
    made, there = StripLayout(), hookups(board)
    used = {each.hole for each in there}
    fused = any(name in of_sorts("fuse") for name in board.parts)
    if fused:
        made.components.append(Component("fuse", "0.5 A", (place(FEEDS[1], _LEG), place(FEEDS[1], _FUSED))))
        made.cuts.add(place(FEEDS[1], _CUT))
    # Transistors first: they cut strips that ground wires must avoid. Then what crosses strips, whose columns the wires must leave free.
    for each in sorted(there, key=lambda one: one.how != "driven"):
        _resistor(made, each)
        if each.how == "driven":
            _transistor(made, each, used)
    for each in there:
        _capacitor(made, each)
    for each in there:
        _pull_up(made, each)
    for each in there:
        if each.how == "bus":
            _bus(made, each, board)
        elif each.how != "driven":
            made.leads.append(Lead(place(each.hole, _EDGE), each.colour, each.title))
            _lead(made, (each.ground,), "black", each.title)
        if each.how in ("driven", "serial"):
            _lead(made, FEEDS[1:] if fused else FEEDS, "red", f"{each.title} +" if each.how == "driven" else each.title, fused=fused)
    return made


def _bus(made: StripLayout, each: Hookup, board: Board) -> None:
    """Add one of the bus's lines to every display; with the first also their ground and their 3.3 V, from the free strip at the top."""
    line = each.user.rpartition(".")[2]
    for number, name in enumerate(board.displays):
        made.leads.append(Lead(place(each.hole, _EDGE - number), each.colour, f"{name} {line.upper()}"))
        if line == "sda":
            _bridge_logic(made)
            _lead(made, (each.ground,), "black", f"{name} display")
            made.leads.append(Lead(Hole(_RAIL, place(2, _EDGE - number).column), LOGIC_COLOUR, f"{name} display"))


def _resistor(made: StripLayout, each: Hookup) -> None:
    if each.spec.resistor:
        made.components.append(Component("resistor", ohms(each.spec.resistor), (place(each.hole, _LEG), place(each.hole, _FAR))))
        made.cuts.add(place(each.hole, _CUT))


def _transistor(made: StripLayout, each: Hookup, used: set[int]) -> None:
    taken = set(made.taken())
    neighbours = [(each.hole - 2, each.hole + 2), (each.hole + 2, each.hole - 2)]
    free = [
        (emitter, collector)
        for emitter, collector in neighbours
        if emitter in GROUNDS and place(emitter, _CUT) not in taken
        if collector not in used and 1 <= collector <= _PINS and taken.isdisjoint(place(collector, column) for column in range(_EDGE + 1))
    ]
    if not free or (isinstance(each.spec, PinSpec) and each.spec.diode):
        raise StripError(where=each.title, expected="a pin beside a ground hole and a free one, and no diode", found=f"hole {each.hole}")
    emitter, collector = free[0]
    at = next(column for column in _TRANSISTOR if place(emitter, column) not in taken)
    made.components.append(Component("transistor", "BC337", (place(collector, at), place(each.hole, at), place(emitter, at))))
    made.cuts.add(place(collector, _CUT))
    made.leads.append(Lead(place(collector, _EDGE), each.colour, f"{each.title} -"))


def _capacitor(made: StripLayout, each: Hookup) -> None:
    if isinstance(each.spec, PinSpec) and each.spec.capacitor:
        grounds = [place(hole).strip for hole in GROUNDS if hole % 2 == each.hole % 2]
        near = [strip for strip in grounds if abs(strip - place(each.hole).strip) <= _LYING]
        _across(made, Component("capacitor", f"{each.spec.capacitor} nF", ()), each.hole, near, each.title)


def _pull_up(made: StripLayout, each: Hookup) -> None:
    if not isinstance(each.spec, PinSpec) or not each.spec.pull_up:
        return
    feeds = [place(hole).strip for hole in LOGIC] if each.hole % 2 else [_RAIL]
    far = [strip for strip in feeds if abs(strip - place(each.hole).strip) >= _LYING]
    _across(made, Component("resistor", ohms(each.spec.pull_up), ()), each.hole, far, each.title)
    if each.hole % 2 == 0:
        _bridge_logic(made)


def _bridge_logic(made: StripLayout) -> None:
    """Join the free strip at the top to the 3.3 V of hole 1, which is beside it, if they are not joined yet."""
    if not any(component.sort == "bridge" for component in made.components):
        _across(made, Component("bridge", "", ()), LOGIC[0], [_RAIL], "3.3 V")


def _across(made: StripLayout, component: Component, hole: int, strips: Sequence[int], to: str) -> None:
    """Add a component from a hole's strip to the nearest of ``strips`` in a column where it lies on no other."""
    taken, here = set(made.taken()), place(hole).strip
    for strip in sorted(strips, key=lambda one: abs(one - here)):
        for outwards in _INNER:
            ends = place(hole, outwards), Hole(strip, place(hole, outwards).column)
            if taken.isdisjoint(ends) and not any(_overlap(ends, other.holes) for other in made.components if other.sort != "transistor"):
                made.components.append(replace(component, holes=ends))
                return
    raise StripError(where=to, expected=f"room for its {component.sort} across the strips", found=f"hole {hole}")


def _overlap(one: Sequence[Hole], other: Sequence[Hole]) -> bool:
    (first, second), (third, fourth) = sorted((one[0].strip, one[1].strip)), sorted((other[0].strip, other[1].strip))
    return one[0].column == other[0].column == other[1].column and first <= fourth and third <= second


def _lead(made: StripLayout, pins: Sequence[int], colour: str, to: str, *, fused: bool = False) -> None:
    """Add a wire to the strip of one of the header's holes, as far out as it is still connected, or behind the fuse."""
    taken = set(made.taken())
    for pin in pins:
        outermost = _LEG if place(pin, _CUT) in taken and not fused else _EDGE
        for outwards in range(outermost, _FUSED if fused else _NEAR - 1, -1):
            if place(pin, outwards) not in taken:
                made.leads.append(Lead(place(pin, outwards), colour, to))
                return
    raise StripError(where=to, expected=f"room on the strips of the holes {', '.join(map(str, pins))}", found="none left")


_PITCH: Final = 25.0
_LEFT: Final = 330.0
_TOP: Final = 175.0
_WIDE: Final = 2 * _LEFT + HOLES * _PITCH
_COPPER: Final = _TOP + (STRIPS + 5) * _PITCH
"""The y of the copper side: a whole number of holes below, since the hole pattern continues."""
_HIGH: Final = _COPPER + STRIPS * _PITCH + 40
_LINE: Final = 12.4
"""Line pitch of the text."""
_CUT_COLOUR: Final = "#c00000"
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
        yield "BC337: its flat side is where it is drawn flat; its legs are collector (C), base (B), emitter (E). 0.5 A: the polyfuse."
    bridge = " The bar beside hole 1 is a bridge of wire." if any(component.sort == "bridge" for component in made.components) else ""
    yield f"Parts that cross strips touch only the two with their dots: pull insulation over long legs.{bridge}"
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
        yield _line((between, _y(strip, top) - 10), (between, _y(strip, top) + 10), _CUT_COLOUR, 3)
    for hole in sorted(made.cuts):
        x, y = _x(hole.column, turned=turned), _y(hole.strip, top)
        yield f'<circle cx="{x:g}" cy="{y:g}" r="11" fill="white"/>'
        yield _line((x - 7, y - 7), (x + 7, y + 7), _CUT_COLOUR, 3)
        yield _line((x - 7, y + 7), (x + 7, y - 7), _CUT_COLOUR, 3)


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


def _draw_resistor(component: Component) -> Iterator[str]:
    start, end = component.holes
    if start.column == end.column:
        yield from _draw_upright(component, 68, "#d9ecf7")
        return
    start, end = sorted(component.holes, key=lambda hole: hole.column)
    y, middle = _y(start.strip), (_x(start.column) + _x(end.column)) / 2
    # Draw the body beside the cut, which must stay visible.
    middle += 0.5 * _PITCH * (1 if start.column > ODD else -1)
    yield _line((_x(start.column), y), (_x(end.column), y), "#444444", 2)
    yield f'<rect x="{middle - 34:g}" y="{y - 8:g}" width="68" height="16" rx="6" fill="#d9ecf7" stroke="#444444"/>'
    yield _words((middle, y), component.value, "middle", 11)


def _draw_capacitor(component: Component) -> Iterator[str]:
    yield from _draw_upright(component, 40, "#f2c14e")


def _draw_upright(component: Component, high: float, fill: str) -> Iterator[str]:
    """Draw a part across the strips, its body in the middle."""
    first, last = component.holes
    x, y = _x(first.column), (_y(first.strip) + _y(last.strip)) / 2
    yield _line((x, _y(first.strip)), (x, _y(last.strip)), "#444444", 2)
    yield from (f'<circle cx="{x:g}" cy="{_y(hole.strip):g}" r="4" fill="#444444"/>' for hole in component.holes)
    yield f'<rect x="{x - 8:g}" y="{y - high / 2:g}" width="16" height="{high:g}" rx="6" fill="{fill}" stroke="#444444"/>'
    yield _words((x, y), component.value, "middle", 11).replace("<text", f'<text transform="rotate(-90 {x:g} {y:g})"')


def _draw_fuse(component: Component) -> Iterator[str]:
    first, last = component.holes
    x, y = (_x(first.column) + _x(last.column)) / 2, _y(first.strip)
    yield from (f'<circle cx="{_x(hole.column):g}" cy="{y:g}" r="4" fill="#444444"/>' for hole in component.holes)
    yield f'<rect x="{x - 29:g}" y="{y - 23:g}" width="58" height="15" rx="6" fill="#e9a15c" stroke="#444444"/>'
    yield from (_line((_x(hole.column), y), (_x(hole.column), y - 9), "#444444", 2) for hole in component.holes)
    yield _words((x, y - 15.5), component.value, "middle", 11)


def _draw_bridge(component: Component) -> Iterator[str]:
    first, last = component.holes
    yield _line((_x(first.column), _y(first.strip)), (_x(last.column), _y(last.strip)), "#444444", 5)


def _draw_transistor(component: Component) -> Iterator[str]:
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


_DRAWN: Final = {
    "resistor": _draw_resistor,
    "capacitor": _draw_capacitor,
    "transistor": _draw_transistor,
    "fuse": _draw_fuse,
    "bridge": _draw_bridge,
}


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
                yield from _draw_lead(wire.hole, y, INK[colour], right=right)
            edge = _WIDE - _LEFT + 30 if right else _LEFT - 30
            yield _words((edge, y), f"{colour}: {', '.join(wire.to for wire in pair)}", "start" if right else "end", 12, INK[colour])


def _draw_lead(hole: Hole, y: float, ink: str, *, right: bool) -> Iterator[str]:
    x, out = _x(hole.column), 1 if right else -1
    edge = _WIDE - _LEFT + 4 if right else _LEFT - 4
    yield f'<circle cx="{x:g}" cy="{_y(hole.strip):g}" r="6" fill="{ink}" stroke="#222222"/>'
    yield _line((x + out * 5, _y(hole.strip)), (x + out * 12, y), ink, 3)
    yield _line((x + out * 12, y), (edge, y), ink, 3)
