"""Texts without a font: estimated widths, and a label with its icon in a box, in one line or two, with the icon beside or above it.

The estimate is enough to choose a size, a column or a line break; the painter measures exactly, and passes its own measure for labels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from appliance.display.layout import SMALLEST, Box, Measure, lines_height, split
from kiosk.face.page import Icon, Target

_NARROW: Final = frozenset("iljtfrI.,:;'!|()[]·-/ \u2018\u2019¡ìíîïłŀ")
_WIDE: Final = frozenset("mwMWÆŒæœ…—%@")
_CAPITAL: Final = 0.70
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


LEAST: Final = 16
"""The least size of a sentence in pixels, and of a word's number if the word itself has it."""
SIGN: Final = 0.95
"""The size of an icon beside a text, in sizes of the text."""
APART: Final = 0.4
"""The gap between icon and text, in sizes."""
BESIDE: Final = (SIGN + APART, 0.0)
ABOVE: Final = (0.0, SIGN)
"""The width and height taken by an icon, in sizes."""
BARE: Final = (0.0, 0.0)
FAR_LARGER: Final = 1.12
"""The icon goes above its text if that makes both larger by this factor."""
HINT: Final = 0.68
"""The size of the shown key, in sizes of a sentence."""
WORTH: Final = 0.9
"""Keys are at the foot of buttons if the labels then have at least this share of their size with the keys beside them."""
NARROW: Final = 0.15
"""The gap between a label and the column beside it, in sizes of the key's name."""
USUAL_KEY: Final = "F9"
"""The column's minimum width is that of this name, so that all icons above names have one size."""


def hint_height(size: int) -> int:
    return lines_height(1, size)


def inside(box: Box) -> Box:
    """Return the part of a button for its label and its key."""
    return box.inset(max(3, min(box.height // 12, box.width // 24)))


def largest(text: str, box: Box, top: int, taken: tuple[float, float], measure: Measure) -> tuple[int, tuple[str, ...]]:
    """Return the largest size in pixels, at most ``top``, at which a text fits beside its icon's ``taken`` width and height (in sizes), and its lines."""
    ways = _ways(text)
    for size in range(top, SMALLEST, -1):
        width, height = box.width - int(taken[0] * size), box.height - int(taken[1] * size)
        for lines in ways:
            if lines_height(len(lines), size) <= height and all(measure(line, size) <= width for line in lines):
                return size, lines
    return SMALLEST, (text,)


def goes_above(above: int, beside: int) -> bool:
    return above > beside * FAR_LARGER


def size_of(text: str, icon: Icon | None, box: Box, top: int, measure: Measure) -> int:
    if icon is None:
        return largest(text, box, top, BARE, measure)[0]
    beside, above = (largest(text, box, top, taken, measure)[0] for taken in (BESIDE, ABOVE))
    return above if goes_above(above, beside) else beside


def common(targets: Sequence[Target], boxes: Sequence[Box], top: int, hint: int, measure: Measure) -> tuple[int, int]:
    """Return one size in pixels for the labels of several buttons whose keys have ``hint`` pixels, and the place of these keys.

    The place is the foot of the buttons (0), or for low buttons a column of that many pixels beside the labels, under the icons.
    """
    foot = _least(targets, boxes, top, measure, lambda inner: inner.top(inner.height - hint_height(hint)))
    keys = [target.key for target in targets if target.key]
    if not keys:
        return foot, 0
    column = max(measure(key, hint) for key in (*keys, USUAL_KEY)) + round(NARROW * hint)
    beside = min(_least_beside(target, box, top, column, measure) for target, box in zip(targets, boxes, strict=True))
    return (foot, 0) if foot >= max(beside * WORTH, min(beside, LEAST)) else (beside, column)


def _least(targets: Sequence[Target], boxes: Sequence[Box], top: int, measure: Measure, rest: Callable[[Box], Box]) -> int:
    sizes = [
        size_of(target.text, target.icon, rest(inner) if target.key else inner, top, measure)
        for target, inner in zip(targets, map(inside, boxes), strict=True)
    ]
    return min(sizes, default=top)


def _least_beside(target: Target, box: Box, top: int, column: int, measure: Measure) -> int:
    if not target.key:
        return size_of(target.text, target.icon, inside(box), top, measure)
    return largest(target.text, inside(box).beside(column), top, BARE, measure)[0]


def _ways(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the text in one line, or in two of lengths as equal as possible."""
    words = split(text)
    cuts = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    return ((text,), *((min(cuts, key=lambda way: max(map(len, way))),) if cuts else ()))
