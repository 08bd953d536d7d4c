"""The players' next actions: a row or a block of targets. The way on is on the side of the typing hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from appliance.display.box import Box
from kiosk.face.page import Target, Tone
from kiosk.layout.grid import columns, even, lines, mirrored, row
from kiosk.layout.labels import HINT, common
from kiosk.layout.letters import estimate
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
