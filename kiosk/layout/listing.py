"""The rows of a list at the director's desk: stacked, or in two columns if one has no room for fingers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from appliance.display.box import Box
from kiosk.face.page import ListRow, Tone
from kiosk.layout.bands import Band
from kiosk.layout.grid import columns
from kiosk.layout.labels import HINT
from kiosk.layout.options import Scale
from kiosk.layout.placed import Placed, What

TALLEST: Final = 1.5
TALLEST_UPRIGHT: Final = 2.0
"""A row's maximum height, in minimum target heights; in portrait its text may need two more lines."""


def listing(rows: Sequence[ListRow], scale: Scale, height: int) -> Band:
    """Return the rows, for a screen with about ``height`` pixels for them."""
    touched = any(row.target for row in rows)
    wide = 2 if scale.lying and touched and scale.rows(len(rows)) > height else 1
    tall = -(-len(rows) // wide)
    need = scale.rows(tall) if touched else 0
    most = int(scale.rows(tall) * (TALLEST if scale.lying else TALLEST_UPRIGHT))

    def place(box: Box) -> tuple[Placed, ...]:
        return tuple(_row(row, cell, scale) for row, cell in zip(rows, columns(box, len(rows), wide, scale), strict=True))

    return Band(place, need, scale.rows(tall), most, 3)


def _row(row: ListRow, box: Box, scale: Scale) -> Placed:
    tone = row.target.tone if row.target else Tone.PLAIN
    icon = row.target.icon if row.target else None
    hint = round(scale.text * HINT) if row.target and row.target.key else 0
    return Placed(What.ROW, box, (row.text, row.detail), scale.text, tone, icon, row.target, hint=hint, place=0.0)
