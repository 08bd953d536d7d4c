"""Time used by turn as a plot: bars up for the left side, down for the right, at whole coordinates of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hall.desk.cards.history import TurnUse
from rules.duration import NS
from rules.side import Side

HEIGHT: Final = 200
"""Of the plot; the axis lies in the middle."""
_HALF: Final = HEIGHT // 2 - 14
_STEPS_S: Final = (15, 30, 60, 120, 300, 600, 1500)
_WIDEST: Final = 26
_WIDTH: Final = 900


@dataclass(frozen=True, slots=True)
class Bar:
    """One turn."""

    x: int
    y: int
    width: int
    height: int
    turn: TurnUse


@dataclass(frozen=True, slots=True)
class Gridline:
    """A level of both sides."""

    y: int
    seconds: int


@dataclass(frozen=True, slots=True)
class TurnPlot:
    """The plot, for a view box of ``width`` by ``HEIGHT``."""

    width: int
    bars: tuple[Bar, ...]
    grid: tuple[Gridline, ...]


def turn_plot(turns: Sequence[TurnUse]) -> TurnPlot:
    """Return the plot of ``turns``."""
    longest = max((turn.used for turn in turns), default=0)
    step = next((each for each in _STEPS_S if longest <= 4 * each * NS), _STEPS_S[-1])
    levels = max(1, min(4, -(-longest // (step * NS))))
    pitch = min(_WIDEST, _WIDTH // max(1, len(turns)))
    width = max(320, pitch * len(turns))
    middle, top = HEIGHT // 2, levels * step * NS

    def bar(place: int, turn: TurnUse) -> Bar:
        height = max(1, min(_HALF, turn.used * _HALF // top))
        return Bar(place * pitch, middle - height if turn.side is Side.LEFT else middle, max(1, pitch - 2), height, turn)

    marks = [level * step for level in range(1, levels + 1)]
    grid = [Gridline(middle + sign * mark * NS * _HALF // top, mark) for mark in marks for sign in (-1, 1)]
    return TurnPlot(width, tuple(bar(place, turn) for place, turn in enumerate(turns)), tuple(grid))
