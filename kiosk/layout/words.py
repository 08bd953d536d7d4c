"""The play's words, as large as all of them allow: in one column, or in as many as make them larger."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from appliance.display.box import Box
from kiosk.face.page import WordLine
from kiosk.layout.grid import columns
from kiosk.layout.letters import capitals, size_for, width_of
from kiosk.layout.options import Scale
from kiosk.layout.placed import Placed, What

MOST_COLUMNS: Final = 4
USUAL: Final = 8
"""Room is made for so many letters from the start: most words do not make the letters smaller while they are typed."""
STEPS: Final = (USUAL, 11, 15)
"""For so many capitals."""
LETTER: Final = 0.74
"""A letter's size, of its line's height."""
READ: Final = 1.5
"""A line that is only read is at least so many sizes of a sentence high."""
ROOMY: Final = 1.25
"""A line is at most so much higher than its letters need."""
SMALL: Final = 0.75
"""A word that is typed is smaller than so many sizes of a sentence only where there is no room for more."""
NUMBERED: Final = 1.1
"""What the number takes beside the word, in line heights."""


def touched(words: Sequence[WordLine]) -> bool:
    """Return whether any word is a target, or has one."""
    return any(word.choose or word.remove for word in words)


def least(words: Sequence[WordLine], width: int, scale: Scale) -> int:
    """Return the least height of the words in ``width`` pixels: what their targets need, or the eyes of two people."""
    if not touched(words):
        # Both players read them before anything else on the page.
        return -(-len(words) // 2) * (round(scale.text * READ) + scale.gap_down)
    return scale.rows(-(-len(words) // _most_columns(words, width, scale)))


def readable(words: Sequence[WordLine], width: int, scale: Scale) -> int:
    """Return the height below which the letters of a long word get small: there would be more columns than it can be read in."""
    if not touched(words):
        return least(words, width, scale)
    needed = width_of(STEPS[-1], round(SMALL * scale.text)) + int(NUMBERED * SMALL * scale.text)
    return scale.rows(-(-len(words) // max(1, min(_most_columns(words, width, scale), width // needed))))


def liked(words: Sequence[WordLine], scale: Scale) -> int:
    """Return the height that the words would like in two columns, of a size that is read from a step away."""
    rows = -(-len(words) // 2)
    return scale.rows(rows) if touched(words) else rows * scale.text * 2


def lines_of(words: Sequence[WordLine], box: Box, scale: Scale) -> tuple[Placed, ...]:
    """Return the words placed in ``box``."""
    count = max(range(1, _most_columns(words, box.width, scale) + 1), key=lambda wide: _merit(words, box, wide, scale))
    size = _size(words, box, count, scale, _letters(words))
    # A single word does not stand in a field as high as the screen.
    rows = -(-len(words) // count)
    tall = min(box.height, rows * (max(int(size / LETTER * ROOMY), scale.least_down) + scale.gap_down) - scale.gap_down)
    cells = columns(Box(box.x, box.y + (box.height - tall) // 2, box.width, tall), len(words), count, scale)
    return tuple(part for word, cell in zip(words, cells, strict=True) for part in _line(word, cell, size, scale))


def _most_columns(words: Sequence[WordLine], width: int, scale: Scale) -> int:
    least_across = scale.least_across * (2 if any(word.remove for word in words) else 1) + scale.gap_across
    return max(1, min(MOST_COLUMNS, len(words), (width + scale.gap_across) // (2 * least_across)))


def _merit(words: Sequence[WordLine], box: Box, count: int, scale: Scale) -> tuple[bool, int, int]:
    """Fit for fingers first, then large letters, then few columns."""
    low = _height(words, box, count, scale) >= (scale.least_down if touched(words) else 1)
    # While they are typed the columns stay as they are, however long a word becomes.
    return low, _size(words, box, count, scale, STEPS[1] if touched(words) else _letters(words)), -count


def _height(words: Sequence[WordLine], box: Box, count: int, scale: Scale) -> int:
    rows = -(-len(words) // count)
    return (box.height - (rows - 1) * scale.gap_down) // rows


def _letters(words: Sequence[WordLine]) -> int:
    """Return for how many capitals room is made: one size for all words, which falls in a few steps while a long one is typed."""
    longest = max(capitals(word.text) for word in words)
    return next((step for step in STEPS if longest <= step), ceil(longest))


def _size(words: Sequence[WordLine], box: Box, count: int, scale: Scale, letters: int) -> int:
    height = _height(words, box, count, scale)
    width = (box.width - (count - 1) * scale.gap_across) // count
    if any(word.remove for word in words):
        width -= scale.least_across + scale.gap_across
    for size in range(int(height * LETTER), 8, -1):
        if size <= size_for(width - int(NUMBERED * size), letters):
            return size
    return 8


def _line(word: WordLine, cell: Box, size: int, scale: Scale) -> tuple[Placed, ...]:
    taken = scale.least_across + scale.gap_across if word.remove else 0
    box = cell.left(cell.width - taken)
    line = Placed(What.WORD, box, (str(word.number), word.text), size, target=word.choose, chosen=word.chosen, place=0.0)
    if word.remove is None:
        return (line,)
    beside = Box(cell.right - scale.least_across, cell.y, scale.least_across, cell.height)
    return line, Placed(What.REMOVE, beside, (word.remove.text,), size, word.remove.tone, word.remove.icon, word.remove)
