"""The play's words in one common size, as large as possible: in one column, or in more if that makes them larger."""

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
"""The letters for which there is room from the start: with most words, the size does not change during typing."""
STEPS: Final = (USUAL, 11, 15)
"""The steps of the room for letters, in capitals."""
LETTER: Final = 0.74
"""A letter's size, as a share of its line's height."""
READ: Final = 1.5
"""The minimum height of a line to read, in sizes of a sentence."""
ROOMY: Final = 1.25
"""The maximum height of a line, in heights of its letters."""
SMALL: Final = 0.75
"""The minimum size of a word during typing if there is room, in sizes of a sentence."""
NUMBERED: Final = 1.1
"""The width of the number beside the word, in line heights."""


def touched(words: Sequence[WordLine]) -> bool:
    """Return whether any word is a target or contains one."""
    return any(word.choose or word.remove for word in words)


def least(words: Sequence[WordLine], width: int, scale: Scale) -> int:
    """Return the minimum height of the words in ``width`` pixels, for their targets or for two readers."""
    if not touched(words):
        # Both players read the words before anything else on the page.
        return _read_in(2, words, scale)
    return scale.rows(-(-len(words) // _most_columns(words, width, scale)))


def readable(words: Sequence[WordLine], width: int, scale: Scale) -> int:
    """Return the height below which a long word's letters become small, because it would need too many columns."""
    if not touched(words):
        return _read_in(2 if scale.lying else 1, words, scale)
    size = SMALL * scale.plain_text
    needed = width_of(STEPS[-1], round(size)) + int(NUMBERED * size)
    return scale.rows(-(-len(words) // max(1, min(_most_columns(words, width, scale), width // needed))))


def _read_in(side_by_side: int, words: Sequence[WordLine], scale: Scale) -> int:
    """Return the minimum height of words that are only read, so many of them side by side."""
    return -(-len(words) // side_by_side) * (round(scale.plain_text * READ) + scale.gap_down)


def liked(words: Sequence[WordLine], scale: Scale) -> int:
    """Return the preferred height of the words in two columns, at a size to be read from a step away."""
    rows = -(-len(words) // 2)
    return scale.rows(rows) if touched(words) else rows * scale.text * 2


def lines_of(words: Sequence[WordLine], box: Box, scale: Scale) -> tuple[Placed, ...]:
    """Return the words placed in ``box``."""
    count = max(range(1, _most_columns(words, box.width, scale) + 1), key=lambda wide: _merit(words, box, wide, scale))
    size = _size(words, box, count, scale, _letters(words))
    # Limit the box of a single word.
    rows = -(-len(words) // count)
    tall = min(box.height, rows * (max(int(size / LETTER * ROOMY), scale.least_down) + scale.gap_down) - scale.gap_down)
    cells = columns(Box(box.x, box.y + (box.height - tall) // 2, box.width, tall), len(words), count, scale)
    return tuple(part for word, cell in zip(words, cells, strict=True) for part in _line(word, cell, size, scale))


def _most_columns(words: Sequence[WordLine], width: int, scale: Scale) -> int:
    least_across = scale.least_across * (2 if any(word.remove for word in words) else 1) + scale.gap_across
    return max(1, min(MOST_COLUMNS, len(words), (width + scale.gap_across) // (2 * least_across)))


def _merit(words: Sequence[WordLine], box: Box, count: int, scale: Scale) -> tuple[bool, int, int]:
    """Return the merit: room for fingers first, then large letters, then few columns."""
    low = _height(words, box, count, scale) >= (scale.least_down if touched(words) else 1)
    # During typing the number of columns does not change, however long a word becomes.
    return low, _size(words, box, count, scale, STEPS[1] if touched(words) else _letters(words)), -count


def _height(words: Sequence[WordLine], box: Box, count: int, scale: Scale) -> int:
    rows = -(-len(words) // count)
    return (box.height - (rows - 1) * scale.gap_down) // rows


def _letters(words: Sequence[WordLine]) -> int:
    """Return the number of capitals to make room for: one size for all words, which falls in a few steps while a long one is typed."""
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
