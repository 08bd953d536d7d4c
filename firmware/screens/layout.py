"""Places on a screen of a given size: pure geometry for drawing and touch.

Three arrangements. ``facing``: the screen lies flat, its long edge along the players' edges of the table; the left player reads the upper half,
rotated by 180 degrees, the right player the lower. ``side_by_side``: it stands upright for both. ``single``: one of two screens, one half each.

A half is laid out upright, in its own pixels, and rotated as a whole. Its digits have at least 40 % of its height: if the width does not allow
that, the half stays lower and the shared strip gets the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from appliance.display.box import Box
from appliance.display.fit import SMALLEST
from firmware.screens.digits import LONGEST_WIDTH
from firmware.screens.half_layout import HalfParts, half_parts, plain_parts
from hardware.boards.kinds import ButtonName
from rules.side import BySide, Side

BAR_SHARE: Final = 0.11
"""The share of the height for the strip between facing halves: 10 mm on a 7-inch panel, enough for a finger."""
SINGLE_SHARE: Final = 0.14
SMALLEST_TYPE: Final = 14
AT_ROWS: Final = 600
WORDS_OF_TYPE: Final = 22
"""The least height of an upright half in its smallest type: digits, three lines of an instruction, two rows of marks."""
TALLEST: Final = 0.42
"""The minimum share of the digits in a half's height; it limits the half's height for a given width."""


class Arrangement(Enum):
    """The arrangement of the halves for the players."""

    FACING = "facing"
    SIDE_BY_SIDE = "side_by_side"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class HalfLayout:
    """One player's half: its place on the screen, its rotation (0 or 180 degrees), its parts in upright pixels."""

    side: Side
    place: Box
    turn: int
    parts: HalfParts


@dataclass(frozen=True, slots=True)
class Note:
    """A place for the rulebook's name and for notices, with its rotation in degrees."""

    place: Box
    turn: int
    side: Side | None = None
    """The side named here; None if both players read it and see who is left and right."""


@dataclass(frozen=True, slots=True)
class Strip:
    """The shared strip: touch bar and notes; also window and details if the halves have no room for them."""

    place: Box
    notes: tuple[Note, ...]
    pointers: BySide[Box] | None
    """Places for a triangle that points at the running half."""
    bar: Box | None = None
    """The mark that shows where to touch while no clock runs."""
    info: Box | None = None
    """Banner, details and window for both players."""
    fill: Box | None = None
    """The bar's fill, if not all of the strip."""
    pages: BySide[Box] | None = None
    """The pages of the table menu, each below its reader, if the halves have no room for them."""
    other: Box | None = None
    """The opponent's reading, on a single screen."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole screen, in pixels."""

    size: tuple[int, int]
    arrangement: Arrangement
    halves: tuple[HalfLayout, ...]
    strip: Strip
    menu: Box
    """The director's page, upright; in ``facing``, towards the right player's edge."""

    @property
    def smallest(self) -> int:
        """The smallest type in pixels: 14 at 600 rows. It follows the shorter edge, so that turning a panel changes no legibility."""
        return smallest_type(*self.size)


def smallest_type(width: int, height: int) -> int:
    """Return the smallest type of a screen of that size, in pixels; never less than a typeface needs."""
    return max(SMALLEST, -(-SMALLEST_TYPE * min(width, height) // AT_ROWS))


def arrange(width: int, height: int, arrangement: Arrangement, side: Side | None = None) -> Layout:
    """Return the layout for a screen of ``width`` x ``height`` pixels; ``side`` is the half of a ``single`` screen.

    Raises:
        ValueError: ``single`` without a side.
    """
    if arrangement is Arrangement.FACING:
        halves, strip = _facing(width, height)
    elif arrangement is Arrangement.SIDE_BY_SIDE:
        halves, strip = _side_by_side(width, height)
    elif side is None:
        raise ValueError("expected a side for the arrangement single, found none: give left or right")
    else:
        halves, strip = _single(width, height, side)
    return Layout((width, height), arrangement, halves, strip, Box(0, 0, width, height))


def hit(layout: Layout, x: int, y: int) -> ButtonName | None:
    """Return the button under a touch at that pixel: a half is its player's button, the shared strip the centre bar; None off the screen."""
    for half in layout.halves:
        if half.place.holds(x, y):
            return "left" if half.side is Side.LEFT else "right"
    return "centre" if layout.strip.place.holds(x, y) else None


def margin(box: Box) -> int:
    """Return a generous margin in proportion to the box."""
    return max(4, min(box.width, box.height) // 18)


def _tallest(width: int) -> int:
    room = Box(0, 0, width, width)
    return int((width - 2 * margin(room)) / LONGEST_WIDTH / TALLEST)


def _middle(box: Box, tallest: int) -> Box:
    """Return the middle of the box, at most that high: on a high narrow screen the strip is larger than needed."""
    return box.inset(0, max(0, (box.height - tallest) // 2))


def _facing(width: int, height: int) -> tuple[tuple[HalfLayout, ...], Strip]:
    rows = min(round(height * (1 - BAR_SHARE)) // 2, _tallest(width))
    parts = half_parts(width, rows)
    upper, lower = Box(0, 0, width, rows), Box(0, height - rows, width, rows)
    place = Box(0, rows, width, height - 2 * rows)
    inner = _middle(place.inset(margin(lower), max(2, place.height // 11)), width // 5)
    noted = inner.width * 9 // 20
    middle = Box(inner.x + noted, inner.y, inner.width - 2 * noted, inner.height)
    bar = middle.inset(middle.width // 12, max(0, middle.height // 2 - place.height // 14))
    notes = (Note(inner.left(noted), 180, Side.LEFT), Note(inner.beside(inner.width - noted), 0, Side.RIGHT))
    halves = (HalfLayout(Side.LEFT, upper, 180, parts), HalfLayout(Side.RIGHT, lower, 0, parts))
    return halves, Strip(place, notes, BySide.both(middle), bar=bar)


def _side_by_side(width: int, height: int) -> tuple[tuple[HalfLayout, ...], Strip]:
    columns = width // 2
    # On a high narrow screen the words below the digits decide the height, not the digits.
    rows = min(round(height * 0.66), max(_tallest(columns), WORDS_OF_TYPE * smallest_type(width, height)))
    parts = plain_parts(columns, rows)
    place = Box(0, rows, width, height - rows)
    inner = place.inset(margin(Box(0, 0, columns, rows)), max(4, place.height // 16))
    noted = max(12, min(inner.height // 4, height // 12))
    notes = (Note(Box(inner.x, inner.bottom - noted, inner.width, noted), 0),)
    info = inner.top(inner.height - noted - max(2, noted // 4))
    halves = (
        HalfLayout(Side.LEFT, Box(0, 0, columns, rows), 0, parts),
        HalfLayout(Side.RIGHT, Box(width - columns, 0, columns, rows), 0, parts),
    )
    pointing = info.top(columns // 3)
    pointers = BySide(pointing.left(info.width // 2), pointing.beside(info.width - info.width // 2)).map(
        lambda half: half.inset(half.width // 6, half.height // 5)
    )
    return halves, Strip(place, notes, pointers, info=info, fill=inner, pages=_columns(inner))


def _columns(box: Box) -> BySide[Box]:
    """Return the left and the right part of the box, with a gap between them."""
    width = (box.width - box.width // 30) // 2
    return BySide(box.left(width), box.beside(box.width - width))


def _single(width: int, height: int, side: Side) -> tuple[tuple[HalfLayout, ...], Strip]:
    rows = min(round(height * (1 - SINGLE_SHARE)), _tallest(width))
    place = Box(0, rows, width, height - rows)
    inner = place.inset(margin(Box(0, 0, width, rows)), max(3, place.height // 9)).top(width // 7)
    other = inner.left(inner.width * 2 // 5)
    notes = (Note(inner.beside(inner.width // 2), 0, side),)
    half = HalfLayout(side, Box(0, 0, width, rows), 0, half_parts(width, rows))
    return (half,), Strip(place, notes, None, other=other)
