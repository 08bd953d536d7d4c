"""The layout of the wiring picture, without drawing: which Pis share a picture, and where each connection is.

The 40 holes are the same on every Pi, so a board without serial displays has one picture. A display is on the header if the Pi has a UART on its pin, otherwise on
a USB adaptor: then there are two pictures.

The header is in the middle, connections of odd holes to its left, of even ones to its right. Lengths are in the drawing's units; y grows upwards, and hole 1's row
is 0.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from hardware.boards.board import Board, PinSpec
from hardware.boards.hookup import Hookup, How, adaptors
from hardware.boards.pis import Pi, load_pi, pi_ids


def variants(board: Board) -> Mapping[str, tuple[Pi, ...]]:
    """Return the Pis of each picture by the suffix of its file name: ``""``, and ``-usb`` if some need more adaptors."""
    pis = [load_pi(pi_id) for pi_id in pi_ids()]
    fewest = min(len(adaptors(board, pi)) for pi in pis)
    served: dict[str, tuple[Pi, ...]] = {}
    for pi in pis:
        suffix = "" if len(adaptors(board, pi)) == fewest else "-usb"
        served[suffix] = (*served.get(suffix, ()), pi)
    return dict(sorted(served.items()))


def on_pads(pis: Sequence[Pi]) -> tuple[Pi, ...]:
    """Return those on which a power button is not on the header."""
    return tuple(pi for pi in pis if pi.power_pads)


Hand: TypeAlias = Literal[-1, 1]
"""-1: left of the header, 1: right of it."""

EDGE: Final = 2.3
"""Distance from the header's middle to its edge."""
_LANE: Final = 0.35
"""Distance between parallel vertical wires."""
_FIRST_LANE: Final = 0.6
_GAP: Final = 0.5
"""Distance between parts."""
_REACH: Final[Mapping[How, tuple[float, float]]] = MappingProxyType(
    {"contact": (0.9, 0.9), "led": (0.9, 0.9), "fed": (0.9, 0.9), "driven": (3.5, 1.7), "serial": (2.2, 2.2), "bus": (2.2, 2.2)}
)
"""How far a part reaches above and below its wire."""
_BESIDE: Final = 1.0
"""Room for the value of a part on the line itself."""
_PULL_UP: Final = 2.7
"""Height above the wire with a pull-up."""
_CAPACITOR: Final = 1.9
"""Height below the wire with a capacitor to ground."""


class Place(Struct, frozen=True):
    """The place of one connection and the path of its wire: along the hole's row to ``lane``, vertically to ``y``, along to ``start``."""

    hookup: Hookup
    hand: Hand
    row: float
    y: float
    lane: float
    start: float


def row_of(hole: int) -> float:
    """Return the y of a hole's row."""
    return -float((hole - 1) // 2)


def hand_of(hole: int) -> Hand:
    """Return a hole's side of the header."""
    return -1 if hole % 2 else 1


def placed(hookups: Sequence[Hookup]) -> tuple[Place, ...]:
    """Return the places, without overlapping parts or crossing wires."""
    return tuple(place for hand in (-1, 1) for place in _side([each for each in hookups if hand_of(each.hole) == hand], hand))


def bottom(places: Sequence[Place]) -> float:
    """Return the lowest y."""
    return min([row_of(40) - 1.0, *(place.y - _reach(place.hookup)[1] for place in places)])


def _reach(hookup: Hookup) -> tuple[float, float]:
    above, below = _REACH[hookup.how]
    spec = hookup.spec
    if isinstance(spec, PinSpec):
        above, below = _PULL_UP if spec.pull_up else above, _CAPACITOR if spec.capacitor else below
    return above, below


def _has_beside(hookup: Hookup) -> bool:
    return isinstance(hookup.spec, PinSpec) and bool(hookup.spec.capacitor or hookup.spec.pull_up)


def _side(hookups: Sequence[Hookup], hand: Hand) -> list[Place]:
    ordered = sorted(hookups, key=lambda each: each.hole)
    heights = _heights(ordered)
    lanes = _lanes([(row_of(each.hole), y) for each, y in zip(ordered, heights, strict=True)])
    start = EDGE + _FIRST_LANE + _LANE * (len(ordered) + 1) + (_BESIDE if any(_has_beside(each) for each in ordered) else 0.0)
    return [
        Place(each, hand, row_of(each.hole), y, hand * (EDGE + _FIRST_LANE + _LANE * lane), hand * start)
        for each, y, lane in zip(ordered, heights, lanes, strict=True)
    ]


def _heights(ordered: Sequence[Hookup]) -> list[float]:
    """Return each part's y: at its hole's row, or as little below as needed."""
    heights: list[float] = []
    floor = 1.0
    for each in ordered:
        above, below = _reach(each)
        y = min(row_of(each.hole), floor - above)
        heights.append(y)
        floor = y - below - _GAP
    return heights


def _lanes(ends: Sequence[tuple[float, float]]) -> list[int]:
    """Return each wire's lane (0: innermost) without crossings: wires only go down, and upper ones turn further out."""
    down = [at for at, (row, y) in enumerate(ends) if y < row]
    lanes = [0] * len(ends)
    for lane, at in enumerate(reversed(down)):
        lanes[at] = lane
    return lanes
