"""The clock's own numerals: shapes of strokes and dots, in units of their height. Pure.

They are narrow, so that ``-10:00`` is tall in a narrow half, and all equally wide, so that nothing moves as the seconds pass.
"""

from __future__ import annotations

from math import cos, radians, sin
from typing import Final

from appliance.display.layout import Point, Polyline, Shape

WEIGHT: Final = 0.15
HEAVY: Final = 0.20
"""The weight of a reading under one minute."""
WIDTH: Final = 0.50
GAP: Final = 0.085
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


def _dot(y: float) -> Polyline:
    return ((0.085, y), (0.085, y + 0.001))


def _pulled_in(line: Polyline, width: float, by: float) -> Polyline:
    """Return ``line`` scaled about the middle of its shape, so that a stroke wider by 2 * ``by`` keeps its outer edge."""
    middle = width / 2
    across, down = (middle - _LEFT - by) / (middle - _LEFT), (0.5 - _TOP - by) / (0.5 - _TOP)
    return tuple((middle + (x - middle) * across, 0.5 + (y - 0.5) * down) for x, y in line)


def _numerals(weight: float) -> dict[str, Shape]:
    by, name = (weight - WEIGHT) / 2, "heavy " if weight > WEIGHT else ""
    minus: Polyline = ((_LEFT, 0.52), (0.31 - _LEFT, 0.52))
    return {
        **{each: Shape(name + each, WIDTH, tuple(_pulled_in(line, WIDTH, by) for line in lines), weight) for each, lines in _LINES.items()},
        ":": Shape(f"{name}:", 0.17, (_dot(0.32), _dot(0.72)), 0.17),
        "-": Shape(f"{name}-", 0.31, (_pulled_in(minus, 0.31, by),), weight),
    }


NUMERALS: Final = _numerals(WEIGHT)
HEAVY_NUMERALS: Final = _numerals(HEAVY)
"""As wide and as high as ``NUMERALS``, in heavier strokes."""


def width_of(reading: str) -> float:
    """Return the width of a reading (``24:59``, ``-0:07``) in units of its height. Raises KeyError: a character that is neither a digit, a colon nor a minus."""
    return sum(NUMERALS[character].width for character in reading) + GAP * (len(reading) - 1)


LONGEST_WIDTH: Final = width_of("-59:59")
"""The space of the digits in every phase: the widest reading of a game."""
COMMON_WIDTH: Final = width_of("59:59")
"""The widest reading without a sign, which stands in the middle of its room."""


_TRIANGLE: Final[Polyline] = ((0.09, 0.12), (0.09, 0.88), (0.75, 0.5), (0.09, 0.12))
RUNNING: Final = Shape("running", 0.84, (_TRIANGLE,), 0.16, (_TRIANGLE,))
"""A triangle that points at the digits of the running clock."""
UPWARD: Final = Shape(
    "upward",
    1 / 0.84,
    (tuple((y / 0.84, 1 - x / 0.84) for x, y in _TRIANGLE),),
    0.16 / 0.84,
    (tuple((y / 0.84, 1 - x / 0.84) for x, y in _TRIANGLE),),
)
"""The same, pointing up at the running half."""
DOWNWARD: Final = Shape(
    "downward",
    1 / 0.84,
    tuple(tuple((x, 1 - y) for x, y in line) for line in UPWARD.lines),
    0.16 / 0.84,
    tuple(tuple((x, 1 - y) for x, y in line) for line in UPWARD.fills),
)
"""The same, pointing down."""
STOPPED: Final = Shape("stopped", 0.76, (((0.17, 0.17), (0.17, 0.83)), ((0.59, 0.17), (0.59, 0.83))), 0.22)
"""Two bars: the clocks are neutralised."""
_SQUARE: Final[Polyline] = ((0.14, 0.24), (0.66, 0.24), (0.66, 0.76), (0.14, 0.76), (0.14, 0.24))
ENDED: Final = Shape("ended", 0.80, (_SQUARE,), 0.14, (_SQUARE,))
"""A square: the game is over."""
