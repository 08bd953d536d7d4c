"""The icons, drawn without fonts. Each is a figure of strokes one unit high. Pure."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Final

from appliance.display.shapes import Polyline, Shape
from kiosk.face.page import Icon

WEIGHT: Final = 0.13


def _arc(middle: tuple[float, float], radius: float, start: int, end: int) -> Polyline:
    """Return an arc; degrees run clockwise from the right."""
    steps = max(4, abs(end - start) // 10)
    angles = [radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return tuple((middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in angles)


def _sign(name: Icon, *lines: Polyline, weight: float = WEIGHT, fills: tuple[Polyline, ...] = ()) -> Shape:
    return Shape(name.value, 1.0, lines, weight, fills)


_LOW: Final = 0.14
_HIGH: Final = 0.86
_SHOULDERS: Final[Polyline] = (*_arc((0.5, 0.98), 0.38, 180, 360), (0.12, 0.98))
_HEAD: Final = _arc((0.5, 0.27), 0.19, 0, 360)
_KEYHOLE: Final[Polyline] = ((0.2, 0.46), (0.8, 0.46), (0.8, 0.9), (0.2, 0.9), (0.2, 0.46))
_LEFT: Final[Polyline] = ((0.78, 0.1), (0.2, 0.5), (0.78, 0.9), (0.78, 0.1))
_SIGN: Final[Polyline] = ((0.5, 0.12), (0.92, 0.86), (0.08, 0.86), (0.5, 0.12))

SIGNS: Final[dict[Icon, Shape]] = {
    Icon.TICK: _sign(Icon.TICK, ((0.1, 0.55), (0.38, 0.84), (0.9, 0.18)), weight=0.19),
    Icon.CROSS: _sign(Icon.CROSS, ((_LOW, _LOW), (_HIGH, _HIGH)), ((_HIGH, _LOW), (_LOW, _HIGH)), weight=0.19),
    Icon.WARNING: _sign(Icon.WARNING, _SIGN, ((0.5, 0.4), (0.5, 0.58)), ((0.5, 0.72), (0.5, 0.721)), weight=0.1),
    Icon.LEFT: _sign(Icon.LEFT, _LEFT, fills=(_LEFT,), weight=0.1),
    Icon.RIGHT: _sign(Icon.RIGHT, tuple((1 - x, y) for x, y in _LEFT), fills=(tuple((1 - x, y) for x, y in _LEFT),), weight=0.1),
    Icon.UP: _sign(Icon.UP, tuple((y, x) for x, y in _LEFT), fills=(tuple((y, x) for x, y in _LEFT),), weight=0.1),
    Icon.DOWN: _sign(Icon.DOWN, tuple((y, 1 - x) for x, y in _LEFT), fills=(tuple((y, 1 - x) for x, y in _LEFT),), weight=0.1),
    Icon.BACK: _sign(Icon.BACK, ((0.1, 0.5), (0.92, 0.5)), ((0.44, _LOW), (0.1, 0.5), (0.44, _HIGH))),
    Icon.ERASE: _sign(
        Icon.ERASE,
        ((0.36, 0.18), (0.94, 0.18), (0.94, 0.82), (0.36, 0.82), (0.07, 0.5), (0.36, 0.18)),
        ((0.5, 0.38), (0.74, 0.62)),
        ((0.74, 0.38), (0.5, 0.62)),
        weight=0.09,
    ),
    Icon.PLUS: _sign(Icon.PLUS, ((0.5, 0.1), (0.5, 0.9)), ((0.1, 0.5), (0.9, 0.5)), weight=0.16),
    Icon.MINUS: _sign(Icon.MINUS, ((0.1, 0.5), (0.9, 0.5)), weight=0.16),
    Icon.REPEAT: _sign(Icon.REPEAT, _arc((0.5, 0.52), 0.36, -40, 250), ((0.52, 0.3), (0.8, 0.3), (0.8, 0.04))),
    Icon.PERSON: _sign(Icon.PERSON, _HEAD, _SHOULDERS[:-1], fills=(_HEAD, _SHOULDERS), weight=0.04),
    Icon.LOCK: _sign(
        Icon.LOCK, (*_arc((0.5, 0.34), 0.21, 180, 360), (0.71, 0.5)), ((0.29, 0.34), (0.29, 0.5)), fills=(_KEYHOLE,), weight=0.1
    ),
    Icon.HELP: _sign(Icon.HELP, (*_arc((0.5, 0.34), 0.23, 180, 405), (0.5, 0.58), (0.5, 0.66)), ((0.5, 0.87), (0.5, 0.871))),
    Icon.SPACE: _sign(Icon.SPACE, ((0.1, 0.46), (0.1, 0.72), (0.9, 0.72), (0.9, 0.46))),
    Icon.CLOCK: _sign(Icon.CLOCK, _arc((0.5, 0.5), 0.41, 0, 360), ((0.5, 0.26), (0.5, 0.52), (0.68, 0.62)), weight=0.1),
}
