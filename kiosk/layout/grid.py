"""Targets in rows and columns: one height for each row, widths by weight."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from appliance.display.box import Box
from kiosk.layout.options import Scale


def row(box: Box, weights: Sequence[int], gap: int) -> list[Box]:
    """Return boxes side by side that fill ``box``, ``gap`` pixels apart, with widths by weight."""
    total, left = sum(weights), box.x
    free = box.width - gap * (len(weights) - 1)
    boxes: list[Box] = []
    used = 0
    for weight in weights:
        start, used = used, used + weight
        wide = free * used // total - free * start // total
        boxes.append(Box(left, box.y, wide, box.height))
        left += wide + gap
    return boxes


def lines(box: Box, count: int, gap: int) -> list[Box]:
    """Return ``count`` stacked boxes of equal height that fill ``box``, ``gap`` pixels apart."""
    free = box.height - gap * (count - 1)
    edges = [free * index // count for index in range(count + 1)]
    return [Box(box.x, box.y + start + gap * index, box.width, end - start) for index, (start, end) in enumerate(pairwise(edges))]


def even(count: int, most: int) -> list[int]:
    """Return the lengths of rows for ``count`` things, at most ``most`` each: as even as possible, the fuller rows first."""
    rows = max(1, -(-count // most))
    short, longer = divmod(count, rows)
    return [short + 1] * longer + [short] * (rows - longer)


def mirrored(boxes: Sequence[Box], within: Box) -> list[Box]:
    """Return the boxes mirrored in the middle of ``within``."""
    return [Box(within.x + within.right - box.right, box.y, box.width, box.height) for box in boxes]


def columns(box: Box, count: int, columns: int, scale: Scale) -> list[Box]:
    """Return ``count`` equal boxes that fill ``box`` column by column, each from top to bottom."""
    tall = -(-count // columns)
    cells = [lines(column, tall, scale.gap_down) for column in row(box, [1] * columns, scale.gap_across)]
    return [cell for column in cells for cell in column][:count]
