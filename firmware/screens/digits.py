"""The clock's own numerals: shapes of strokes and dots, in units of their height. Pure.

They are narrow, so that ``-10:00`` is tall in a narrow half, and all equally wide, so that nothing moves as the seconds pass. A second set is narrower still.
"""

from collections.abc import Mapping
from math import cos, radians, sin
from typing import Final

from msgspec import Struct

from appliance.display.layout import Point, Polyline, Shape

WEIGHT: Final = 0.15
WIDTH: Final = 0.50
_LEFT: Final = WEIGHT / 2
_RIGHT: Final = WIDTH - WEIGHT / 2
_MIDDLE: Final = WIDTH / 2
_TOP: Final = WEIGHT / 2
_BASE: Final = 1 - WEIGHT / 2
_REACH: Final = _MIDDLE - _LEFT


def _arc(y: float, tall: float, start: int, end: int, reach: float = _REACH) -> Polyline:
    """Return an arc about the middle at ``y``; degrees run clockwise from the right."""
    steps = max(2, abs(end - start) // 8)
    angles = (radians(start + (end - start) * step / steps) for step in range(steps + 1))
    return tuple((_MIDDLE + reach * cos(angle), y + tall * sin(angle)) for angle in angles)


def _curve(start: Point, pull: Point, end: Point) -> Polyline:
    parts = [step / 16 for step in range(17)]
    return tuple(
        (
            (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * pull[0] + t * t * end[0],
            (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * pull[1] + t * t * end[1],
        )
        for t in parts
    )


def _turned(line: Polyline) -> Polyline:
    return tuple((WIDTH - x, 1 - y) for x, y in line)


_ROUND: Final = _TOP + _REACH
_ZERO: Final = (*_arc(_ROUND, _REACH, 180, 360), *_arc(1 - _ROUND, _REACH, 0, 180), (_LEFT, _ROUND))
_SIX: Final = (_arc(0.655, 0.27, 0, 360), _curve((0.345, _TOP), (0.075, 0.37), (_LEFT, 0.655)))
_LINES: Final[dict[str, tuple[Polyline, ...]]] = {
    "0": (_ZERO,),
    "1": (((0.135, 0.235), (0.315, _TOP), (0.315, _BASE)),),
    "2": ((*_arc(0.265, 0.19, 185, 390), (_LEFT, _BASE), (_RIGHT, _BASE)),),
    "3": (_arc(0.275, 0.20, 195, 450, 0.165), ((0.20, 0.475), (_MIDDLE, 0.475)), _arc(0.70, 0.225, 270, 525)),
    "4": (((0.28, _TOP), (_LEFT, 0.69), (_RIGHT, 0.69)), ((0.325, 0.45), (0.325, _BASE))),
    "5": (((0.40, _TOP), (0.105, _TOP), (0.09, 0.47), *_arc(0.65, 0.275, 222, 515)),),
    "6": _SIX,
    "7": (((_LEFT, _TOP), (_RIGHT, _TOP), (0.20, _BASE)),),
    "8": (_arc(0.275, 0.20, 0, 360, 0.16), _arc(0.70, 0.225, 0, 360)),
    "9": tuple(_turned(line) for line in _SIX),
}


def _dot(y: float, width: float) -> Polyline:
    return ((width / 2, y), (width / 2, y + 0.001))


def _pulled_in(line: Polyline, wide: float, width: float, weight: float) -> Polyline:
    """Return a line of a shape ``wide``, in strokes of ``WEIGHT``, for one of ``width`` in strokes of ``weight``: the outer edges keep their distance from its ends."""
    across, down = (width - weight) / (wide - WEIGHT), (1 - weight) / (1 - WEIGHT)
    return tuple((width / 2 + (x - wide / 2) * across, 0.5 + (y - 0.5) * down) for x, y in line)


class Numerals(Struct, frozen=True):
    """Numerals of one width, in two weights; widths in units of their height."""

    usual: Mapping[str, Shape]
    heavy: Mapping[str, Shape]
    """As wide and as high, in heavier strokes: for a reading under one minute."""
    gap: float

    def width_of(self, reading: str) -> float:
        """Return the width of a reading (``24:59``, ``-0:07``). Raises KeyError: a character that is neither a digit, a colon nor a minus."""
        return sum(self.usual[character].width for character in reading) + self.gap * (len(reading) - 1)


_MINUS: Final[Polyline] = ((_LEFT, 0.52), (0.31 - _LEFT, 0.52))


def _numerals(name: str, width: float, weight: float, signs: tuple[float, float]) -> dict[str, Shape]:
    colon, minus = signs
    return {
        **{
            each: Shape(name + each, width, tuple(_pulled_in(line, WIDTH, width, weight) for line in lines), weight)
            for each, lines in _LINES.items()
        },
        ":": Shape(f"{name}:", colon, (_dot(0.32, colon), _dot(0.72, colon)), colon),
        "-": Shape(f"{name}-", minus, (_pulled_in(_MINUS, 0.31, minus, weight),), weight),
    }


USUAL: Final = Numerals(_numerals("", WIDTH, WEIGHT, (0.17, 0.31)), _numerals("heavy ", WIDTH, 0.20, (0.17, 0.31)), 0.085)
NARROW: Final = Numerals(_numerals("narrow ", 0.40, 0.13, (0.15, 0.26)), _numerals("narrow heavy ", 0.40, 0.165, (0.15, 0.26)), 0.07)
"""For a half that is too narrow for its height: with these, one line of digits is as high as its half has room for."""


LONGEST_WIDTH: Final = USUAL.width_of("-59:59")
"""The space of the usual digits in every phase: the widest reading of a game."""
COMMON_WIDTH: Final = USUAL.width_of("59:59")
"""The widest reading without a sign, which stands in the middle of its room."""
NARROW_WIDTH: Final = NARROW.width_of("59:59")
"""The space of the narrow digits. ``-9:59`` has room in it too; only ten minutes below zero, where a game usually ends, are smaller."""


_TRIANGLE: Final[Polyline] = ((0.09, 0.12), (0.09, 0.88), (0.75, 0.5), (0.09, 0.12))
RUNNING: Final = Shape("running", 0.84, (_TRIANGLE,), 0.16, (_TRIANGLE,))
UPWARD: Final = Shape(
    "upward",
    1 / 0.84,
    (tuple((y / 0.84, 1 - x / 0.84) for x, y in _TRIANGLE),),
    0.16 / 0.84,
    (tuple((y / 0.84, 1 - x / 0.84) for x, y in _TRIANGLE),),
)
DOWNWARD: Final = Shape(
    "downward",
    1 / 0.84,
    tuple(tuple((x, 1 - y) for x, y in line) for line in UPWARD.lines),
    0.16 / 0.84,
    tuple(tuple((x, 1 - y) for x, y in line) for line in UPWARD.fills),
)
STOPPED: Final = Shape("stopped", 0.76, (((0.17, 0.17), (0.17, 0.83)), ((0.59, 0.17), (0.59, 0.83))), 0.22)
_SQUARE: Final[Polyline] = ((0.14, 0.24), (0.66, 0.24), (0.66, 0.76), (0.14, 0.76), (0.14, 0.24))
ENDED: Final = Shape("ended", 0.80, (_SQUARE,), 0.14, (_SQUARE,))
