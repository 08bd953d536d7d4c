"""The marks of a half (overtime, points, credits) as a row of small plates: their largest possible size. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from appliance.display.box import Box
from appliance.display.fit import SMALLEST, Measure

TALL: Final = 1.55
"""A plate's height, as a multiple of its type size."""
APART: Final = 0.35
PADDING: Final = 0.55


@dataclass(frozen=True, slots=True)
class Chip:
    """One plate and its type size, in pixels."""

    text: str
    box: Box
    size: int


def rows_height(texts: Sequence[str], width: int, measure: Measure, size: int) -> int:
    """Return the height of the rows of plates that ``texts`` fill at that size, in pixels; 0 if one of them is wider than a row."""
    rows = _rows(texts, width, measure, size)
    return 0 if rows is None else _height(len(rows), size)


def chips(texts: Sequence[str], box: Box, measure: Measure, place: float, smallest: int = SMALLEST) -> tuple[Chip, ...]:
    """Return plates for ``texts`` in ``box``, as large as possible; ``place`` is 0.0 for left, 1.0 for right. The last are dropped if there is no room."""
    largest = max(smallest, int(box.height / TALL))
    for size in range(largest, smallest - 1, -1):
        rows = _rows(texts, box.width, measure, size)
        if rows is not None and _height(len(rows), size) <= box.height:
            return _placed(rows, box, measure, size, place)
    return chips(texts[:-1], box, measure, place, smallest) if texts else ()


def _width(text: str, measure: Measure, size: int) -> int:
    return measure(text, size) + int(2 * PADDING * size)


def _height(count: int, size: int) -> int:
    return int(count * TALL * size + (count - 1) * APART * size)


def _rows(texts: Sequence[str], width: int, measure: Measure, size: int) -> list[list[str]] | None:
    """Return the texts in rows, or None if one is wider than a row."""
    rows: list[list[str]] = []
    used = 0
    for text in texts:
        wide = _width(text, measure, size)
        if wide > width:
            return None
        if rows and used + int(APART * size) + wide <= width:
            rows[-1].append(text)
            used += int(APART * size) + wide
        else:
            rows.append([text])
            used = wide
    return rows


def _placed(rows: list[list[str]], box: Box, measure: Measure, size: int, place: float) -> tuple[Chip, ...]:
    placed: list[Chip] = []
    tall, apart = int(TALL * size), int(APART * size)
    top = box.y + (box.height - _height(len(rows), size)) // 2
    for index, row in enumerate(rows):
        widths = [_width(text, measure, size) for text in row]
        left = box.x + int((box.width - sum(widths) - apart * (len(row) - 1)) * place)
        for text, wide in zip(row, widths, strict=True):
            placed.append(Chip(text, Box(left, top + index * (tall + apart), wide, tall), size))
            left += wide + apart
    return tuple(placed)
