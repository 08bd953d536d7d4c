"""The on-screen keys: the page's rows if they fit, otherwise other rows of the same keys."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from appliance.display.box import Box
from kiosk.face.page import Target
from kiosk.layout.grid import even, lines, row
from kiosk.layout.options import Scale
from kiosk.layout.placed import Placed, What

PAD: Final = 4
"""Keys in rows of at most this length are a number pad, which is beside its input."""
LETTER: Final = 0.62
"""The size of a letter, as a share of the smaller of its key's height and width."""
TALLEST: Final = 1.3
"""The maximum ratio of a key's height to its width."""
Rows = Sequence[Sequence[Target]]


def is_pad(rows: Rows) -> bool:
    """Return whether the keys are a number pad."""
    return bool(rows) and max(map(len, rows)) <= PAD


def fitting(rows: Rows, most: int) -> tuple[tuple[Target, ...], ...]:
    """Return the keys in rows of at most ``most``: the given rows if short enough, otherwise all keys in order, in as few rows as possible."""
    if not rows or max(map(len, rows)) <= most:
        return tuple(tuple(keys) for keys in rows if keys)
    keys = list(chain.from_iterable(rows))
    counts = even(len(keys), most)
    starts = [sum(counts[:index]) for index in range(len(counts))]
    return tuple(tuple(keys[start : start + count]) for start, count in zip(starts, counts, strict=True))


def tallest(rows: Rows, width: int, scale: Scale) -> int:
    """Return the maximum useful height in pixels of keys in ``width`` pixels."""
    wide = width // max(map(len, rows))
    return max(scale.rows(len(rows)), int(len(rows) * wide * TALLEST))


def keys(rows: Rows, box: Box, scale: Scale) -> tuple[Placed, ...]:
    """Return the keys placed in ``box``: equally wide, shorter rows centred."""
    longest = max(map(len, rows))
    cell = row(Box(box.x, box.y, box.width, 1), [1] * longest, scale.gap_across)[0].width
    placed: list[Placed] = []
    for line, targets in zip(lines(box, len(rows), scale.gap_down), rows, strict=True):
        taken = len(targets) * (cell + scale.gap_across) - scale.gap_across
        left = line.x + (line.width - taken) // 2
        size = int(min(line.height, cell) * LETTER)
        for index, target in enumerate(targets):
            place = Box(left + index * (cell + scale.gap_across), line.y, cell, line.height)
            placed.append(Placed(What.KEY, place, (target.text,), size, target.tone, target.icon, target))
    return tuple(placed)
