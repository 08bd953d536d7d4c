"""What can be pressed: the players' next actions, the on-screen keys, the rows of a list.

The way on is on the side of the typing hand. Keys are in the page's rows if they fit, otherwise in other rows. A list is stacked, or in two columns if one
has no room for fingers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from appliance.display.layout import Box
from kiosk.face.page import ListRow, Target, Tone
from kiosk.layout.grid import Band, columns, even, lines, mirrored, row
from kiosk.layout.labels import HINT, common, estimate
from kiosk.layout.options import Options, Scale
from kiosk.layout.placed import Placed, What

MAIN_WEIGHT: Final = 3
WEIGHT: Final = 2
ROOMY_MM: Final = 22.0
"""The width for an action's text."""
TIGHT_MM: Final = 21.0
"""The minimum width in a block beside the keyboard."""


def row_count(count: int, width: int, scale: Scale) -> int:
    """Return the number of rows for ``count`` actions in ``width`` pixels."""
    return len(even(count, most_in_row(width, scale))) if count else 0


def most_in_row(width: int, scale: Scale) -> int:
    """Return how many actions fit side by side in ``width`` pixels."""
    return max(1, int(width / (ROOMY_MM * scale.across)))


def in_rows(actions: Sequence[Target], box: Box, scale: Scale, options: Options) -> tuple[Placed, ...]:
    """Return the actions placed in rows that fill ``box``."""
    ordered = _main_last(actions)
    counts = even(len(ordered), most_in_row(box.width, scale))
    boxes: list[Box] = []
    for index, line in enumerate(lines(box, len(counts), scale.gap_down)):
        start = sum(counts[:index])
        boxes += row(line, [_weight(target, counts[index]) for target in ordered[start : start + counts[index]]], scale.gap_across)
    return _placed(ordered, mirrored(boxes, box) if options.left_handed else boxes, scale)


def block_columns(count: int, rows: int) -> int:
    """Return the number of columns for ``count`` actions beside a keyboard of ``rows`` rows."""
    return -(-count // rows)


def block_width(count: int, rows: int, scale: Scale) -> int:
    """Return the minimum width of a block of ``count`` actions beside ``rows`` rows of keys, in pixels."""
    wide = block_columns(count, rows)
    return int(wide * TIGHT_MM * scale.across) + (wide - 1) * scale.gap_across


def in_block(actions: Sequence[Target], box: Box, rows: int, scale: Scale, options: Options) -> tuple[Placed, ...]:
    """Return the actions placed in a block that fills ``box``, beside ``rows`` rows of keys."""
    ordered = _main_last(actions)
    boxes = columns(box, len(ordered), block_columns(len(ordered), rows), scale)
    return _placed(ordered, mirrored(boxes, box) if options.left_handed else boxes, scale)


def _main_last(actions: Sequence[Target]) -> list[Target]:
    return sorted(actions, key=lambda target: target.tone is Tone.MAIN)


def _weight(target: Target, beside: int) -> int:
    return MAIN_WEIGHT if target.tone is Tone.MAIN and beside > 1 else WEIGHT


def _placed(targets: Sequence[Target], boxes: Sequence[Box], scale: Scale) -> tuple[Placed, ...]:
    """Return the targets placed. All but the way on have one size, because a shorter label is not more important."""
    hint, top = round(scale.text * HINT), round(scale.text * 1.15)
    others = [(target, box) for target, box in zip(targets, boxes, strict=True) if target.tone is not Tone.MAIN]
    size, column = common([target for target, _ in others], [box for _, box in others], top, hint, estimate)
    return tuple(
        Placed(
            What.ACTION,
            box,
            (target.text,),
            top if target.tone is Tone.MAIN else size,
            target.tone,
            target.icon,
            target,
            hint=hint if target.key else 0,
            column=column if target.key else 0,
        )
        for target, box in zip(targets, boxes, strict=True)
    )


PAD: Final = 4
"""Keys in rows of at most this length are a number pad, which is beside its input."""
LETTER: Final = 0.62
"""The size of a letter, as a share of the smaller of its key's height and width."""
TALLEST_KEY: Final = 1.3
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
    return max(scale.rows(len(rows)), int(len(rows) * wide * TALLEST_KEY))


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


TALLEST_ROW: Final = 1.5
TALLEST_UPRIGHT: Final = 2.0
"""A row's maximum height, in minimum target heights; in portrait its text may need two more lines."""


def listing(rows: Sequence[ListRow], scale: Scale, height: int) -> Band:
    """Return the rows, for a screen with about ``height`` pixels for them."""
    touched = any(row.target for row in rows)
    wide = 2 if scale.lying and touched and scale.rows(len(rows)) > height else 1
    tall = -(-len(rows) // wide)
    need = scale.rows(tall) if touched else 0
    most = int(scale.rows(tall) * (TALLEST_ROW if scale.lying else TALLEST_UPRIGHT))

    def place(box: Box) -> tuple[Placed, ...]:
        return tuple(_row(row, cell, scale) for row, cell in zip(rows, columns(box, len(rows), wide, scale), strict=True))

    return Band(place, need, scale.rows(tall), most, 3)


def _row(row: ListRow, box: Box, scale: Scale) -> Placed:
    tone = row.target.tone if row.target else Tone.PLAIN
    icon = row.target.icon if row.target else None
    hint = round(scale.text * HINT) if row.target and row.target.key else 0
    return Placed(What.ROW, box, (row.text, row.detail), scale.text, tone, icon, row.target, hint=hint, place=0.0)
