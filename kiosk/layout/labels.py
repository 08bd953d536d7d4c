"""A label with its sign in a box: how large it goes, in one line or two, the sign beside it or above. By any measure: guessed here, the font's own for the painter."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from hardware.display.box import Box
from hardware.display.fit import SMALLEST, Measure, lines_height, split
from kiosk.face.page import Icon, Target

SIGN: Final = 0.95
"""A sign beside a text, in sizes of the text."""
APART: Final = 0.4
"""Between the sign and its text, in sizes."""
BESIDE: Final = (SIGN + APART, 0.0)
ABOVE: Final = (0.0, SIGN)
"""What a sign takes of the width and of the height, in sizes."""
BARE: Final = (0.0, 0.0)
FAR_LARGER: Final = 1.12
"""The sign goes above its text where that makes both so much larger."""
HINT: Final = 0.62
"""The name of a key that does the same: in sizes of a sentence."""
WORTH: Final = 0.9
"""The keys are named where that leaves the labels so much of their size."""


def inside(box: Box) -> Box:
    """Return what a button leaves for its label."""
    return box.inset(max(4, min(box.height // 7, box.width // 10)))


def hint_height(size: int) -> int:
    """Return the height in pixels of the line that names a key at ``size`` pixels."""
    return lines_height(1, size)


def largest(text: str, box: Box, top: int, taken: tuple[float, float], measure: Measure) -> tuple[int, tuple[str, ...]]:
    """Return the largest size in pixels, at most ``top``, at which a text fits, and its lines there.

    Args:
        text: the label.
        box: for the label and its sign.
        top: pixels.
        taken: what its sign takes of the width and of the height, in sizes.
        measure: how wide a text is.
    """
    for size in range(top, SMALLEST, -1):
        width, height = box.width - int(taken[0] * size), box.height - int(taken[1] * size)
        for lines in _ways(text):
            if lines_height(len(lines), size) <= height and all(measure(line, size) <= width for line in lines):
                return size, lines
    return SMALLEST, (text,)


def goes_above(above: int, beside: int) -> bool:
    """Return whether the sign goes above its text, from the sizes that the text has either way."""
    return above > beside * FAR_LARGER


def size_of(text: str, icon: Icon | None, box: Box, top: int, measure: Measure) -> int:
    """Return the size in pixels at which a label with its sign is written in ``box``."""
    if icon is None:
        return largest(text, box, top, BARE, measure)[0]
    beside, above = (largest(text, box, top, taken, measure)[0] for taken in (BESIDE, ABOVE))
    return above if goes_above(above, beside) else beside


def common(targets: Sequence[Target], boxes: Sequence[Box], top: int, hint: int, measure: Measure) -> tuple[int, bool]:
    """Return one size in pixels for the labels of several buttons, and whether there is room to name their keys too, at ``hint`` pixels."""
    plain = _least(targets, boxes, top, 0, measure)
    named = _least(targets, boxes, top, hint_height(hint), measure)
    worth = named >= plain * WORTH and any(target.key for target in targets)
    return (named if worth else plain), worth


def _least(targets: Sequence[Target], boxes: Sequence[Box], top: int, taken: int, measure: Measure) -> int:
    sizes = [
        size_of(target.text, target.icon, inner.top(inner.height - taken if target.key else inner.height), top, measure)
        for target, inner in zip(targets, map(inside, boxes), strict=True)
    ]
    return min(sizes, default=top)


@lru_cache(maxsize=64)
def _ways(text: str) -> tuple[tuple[str, ...], ...]:
    """In one line, or in two as equally long as can be."""
    words = split(text)
    cuts = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    return ((text,), *((min(cuts, key=lambda way: max(map(len, way))),) if cuts else ()))
