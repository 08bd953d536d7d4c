"""Estimated text widths, without a font: enough to choose a size, a column or a line break. The painter measures exactly."""

from __future__ import annotations

from functools import cache
from typing import Final

_NARROW: Final = frozenset("iljtfrI.,:;'!|()[]·-/ \u2018\u2019¡ìíîïłŀ")
_WIDE: Final = frozenset("mwMWÆŒæœ…—%@")
_CAPITAL: Final = 0.74
_FIGURE: Final = 0.66
"""Figures are all as wide, 1 too."""
_SMALL: Final = 0.58


@cache
def _of(character: str) -> float:
    if character in _NARROW:
        return 0.34
    if character in _WIDE:
        return 0.92
    if character.isdigit():
        return _FIGURE
    return _CAPITAL if character.isupper() else _SMALL


def estimate(text: str, size: int) -> int:
    """Return the estimated width of ``text`` in pixels at ``size`` pixels."""
    return round(sum(map(_of, text)) * size)


def capitals(text: str) -> float:
    """Return the width of ``text`` in capitals of average width."""
    return estimate(text, 1000) / (1000 * _CAPITAL)


def width_of(letters: int, size: int) -> int:
    """Return the estimated width in pixels of ``letters`` capitals at ``size`` pixels."""
    return int(_CAPITAL * letters * size)


def size_for(width: int, letters: int) -> int:
    """Return the size in pixels at which a word of ``letters`` capitals is about ``width`` pixels wide."""
    return int(width / (_CAPITAL * max(1, letters)))
