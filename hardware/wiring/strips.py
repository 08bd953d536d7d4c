"""The layout of the strip board, without drawing. The strips run from left to right, the header across their middle.

Each header strip has an odd hole left of its cut and an even one right of it. From there each connection goes outwards along its strip: the resistor over a cut,
then the wire at the board's edge. A transistor spans three strips: the pin's, a ground strip beside it, and on the other side one with a free pin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from faults.errors import TileclockError
from hardware.boards.board import Board, PinSpec
from hardware.boards.header import GROUNDS
from hardware.boards.hookup import Hookup, hookups
from hardware.boards.parts import ohms

STRIPS: Final = 22
HOLES: Final = 37
FIRST: Final = 2
"""The strip of the header's holes 1 and 2: its box is longer than its pins, so one strip stays free at either end."""
ODD: Final = 18
"""The column of the header's odd holes; even ones are in the next."""

# Columns counted outwards from the header's. The first is under the header's box.
_NEAR, _LEG, _CUT, _FAR, _EDGE = 2, 3, 4, 8, 15
_TRANSISTOR: Final = (10, 13)
_PINS: Final = 40
_FEEDS: Final = (2, 4)
"""The 5 V holes."""

Sort = Literal["resistor", "capacitor", "transistor"]


class StripError(TileclockError):
    """The simple layout has no room for a board's parts: choose other pins."""


class Hole(NamedTuple):
    """A hole of the strip board, counted from 1 on the component side: strip from the top, column from the left."""

    strip: int
    column: int


@dataclass(frozen=True, slots=True)
class Component:
    """A soldered part. A transistor's holes are collector, base, emitter."""

    sort: Sort
    value: str
    holes: tuple[Hole, ...]


@dataclass(frozen=True, slots=True)
class Lead:
    """A wire that leaves the board: hole, colour, destination."""

    hole: Hole
    colour: str
    to: str


@dataclass(slots=True)
class StripLayout:
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

    Raises StripError if two transistors need the same strip, or a transistor has no ground neighbour.
    """
    made, there = StripLayout(), hookups(board)
    used = {each.hole for each in there}
    # Transistors first: they cut strips that ground wires must avoid.
    for each in sorted(there, key=lambda one: one.how != "driven"):
        _resistor(made, each)
        if each.how == "driven":
            _transistor(made, each, used)
            _lead(made, _FEEDS, "red", f"{each.title} +")
            continue
        made.leads.append(Lead(place(each.hole, _EDGE), each.colour, each.title))
        _capacitor(made, each)
        _lead(made, (each.ground,), "black", each.title)
        if each.how == "serial":
            _lead(made, _FEEDS, "red", each.title)
    return made


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
    if not isinstance(each.spec, PinSpec) or not (each.spec.capacitor or each.spec.pull_up):
        return
    ground = next((hole for hole in (each.hole - 2, each.hole + 2, each.hole - 4, each.hole + 4) if hole in GROUNDS), None)
    if ground is None or each.spec.pull_up:
        raise StripError(
            where=each.title, expected="ground two strips away at most for its capacitor, and no pull-up", found=f"hole {each.hole}"
        )
    made.components.append(Component("capacitor", f"{each.spec.capacitor} nF", (place(each.hole, _NEAR), place(ground, _NEAR))))


def _lead(made: StripLayout, pins: Sequence[int], colour: str, to: str) -> None:
    """Add a wire to the strip of one of the header's holes, as far out as it is still connected."""
    taken = set(made.taken())
    for pin in pins:
        outermost = _LEG if place(pin, _CUT) in taken else _EDGE
        for outwards in range(outermost, _NEAR - 1, -1):
            if place(pin, outwards) not in taken:
                made.leads.append(Lead(place(pin, outwards), colour, to))
                return
    raise StripError(where=to, expected=f"room on the strips of the holes {', '.join(map(str, pins))}", found="none left")
