"""Places on a screen of a given size: pure geometry for drawing and touch.

Three arrangements. ``facing``: the screen lies flat, its long edge along the players' edges of the table; the left player reads the upper half,
rotated by 180 degrees, the right player the lower. ``side_by_side``: it stands upright for both. ``single``: one of two screens, one half each.

A half is laid out upright, in its own pixels, and rotated as a whole. Its digits have at least 40 % of its height: if the width does not allow
that, the half stays lower and the shared strip gets the rest. They have one place and one size in every phase: the space of ``-59:59``, in which
every reading ends at the right, so that the colon stands still too. A low wide half has its words beside them, any other above and below.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from appliance.display.layout import SMALLEST, Box
from firmware.screens.digits import COMMON_WIDTH, LONGEST_WIDTH
from hardware.boards.kinds import ButtonName
from rules.side import BySide, Side

WIDE: Final = 2.8
"""From this ratio of width to height on, words fit beside the digits."""


@dataclass(frozen=True, slots=True)
class HalfParts:
    """The places of a half's parts."""

    frame: Box
    """The panel itself, without the gap to its neighbours."""
    pointer: Box
    """Its shape shows whether this clock runs."""
    status: Box
    digits: Box
    marks: Box
    prompt: Box
    """The one instruction to this half's reader."""
    info: Box | None
    """Banner, details and window; None if the players share them."""
    page: Box
    """What a fill or a page of the table menu covers: words only."""
    marks_place: float
    """The marks' alignment in their box: 0.0 left, 0.5 middle, 1.0 right."""
    words_place: float
    """The prompt's alignment."""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The parts with content; none overlaps another."""
        parts = (self.pointer, self.status, self.digits, self.marks, self.prompt)
        return parts if self.info is None else (*parts, self.info)

    def with_wide_marks(self, status: int) -> HalfParts:
        """Return the parts with a status of ``status`` pixels only, where the marks stand beside it and get the rest."""
        if self.marks.y != self.status.y or status >= self.status.width:
            return self
        freed = self.status.width - status
        marks = Box(self.marks.x - freed, self.marks.y, self.marks.width + freed, self.marks.height)
        return replace(self, status=self.status.left(status), marks=marks)

    def with_high_marks(self, rows: int) -> HalfParts:
        """Return the parts with marks of ``rows`` pixels, or as many as can be freed: from prompt or info, or between the frame and the digits."""
        if self.marks.y == self.status.y:
            up = min(max(0, rows - self.marks.height), self.marks.y // 3)
            down = min(max(0, rows - self.marks.height - up), self.digits.y - self.marks.bottom)
            return replace(self, marks=_grown(_raised(self.marks, up), up + down))
        more = min(rows - self.marks.height, (self.prompt if self.info is None else self.info).height // 2)
        if more <= 0:
            return self
        if self.info is None:
            return replace(self, marks=_grown(self.marks, more), prompt=self.prompt.below(more))
        marks, prompt = _grown(_raised(self.marks, more), more), _raised(self.prompt, more)
        return replace(self, marks=marks, prompt=prompt, info=self.info.top(self.info.height - more))


def _raised(box: Box, by: int) -> Box:
    return Box(box.x, box.y - by, box.width, box.height)


def _grown(box: Box, by: int) -> Box:
    return Box(box.x, box.y, box.width, box.height + by)


def half_parts(width: int, height: int) -> HalfParts:
    """Return the parts of a half of that size in pixels, with its own banner, details and window."""
    frame, inner = _frames(width, height)
    return _wide(frame, inner) if width >= WIDE * height else _stacked(frame, inner)


def plain_parts(width: int, height: int) -> HalfParts:
    """Return the parts of a half of that size in pixels whose banner, details and window are in the shared strip."""
    frame, inner = _frames(width, height)
    tall = _tall(inner.width, int(frame.height * 0.52))
    head, gap = int(frame.height * 0.14), max(2, int(frame.height * 0.03))
    top, rest = inner.top(head), inner.below(head + gap + tall + gap)
    marked = rest.height * 4 // 10
    return HalfParts(
        frame=frame,
        pointer=top.left(head),
        status=top.beside(head + gap),
        digits=_digits(inner, inner.y + head + gap, tall),
        marks=rest.top(marked),
        prompt=rest.below(marked + gap),
        info=None,
        page=rest,
        marks_place=0.5,
        words_place=0.5,
    )


def _frames(width: int, height: int) -> tuple[Box, Box]:
    """Return the panel, and the box inside its margins."""
    frame = Box(0, 0, width, height).inset(max(2, min(width, height) // 60))
    low = max(3, min(width, height) // 17)
    return frame, frame.inset(low * 3 // 2 if width >= WIDE * height else low, low)


def _tall(width: int, tallest: int) -> int:
    return min(tallest, int((width - 1) / LONGEST_WIDTH))


def _digits(inner: Box, top: int, tall: int) -> Box:
    """Return the digits' box: readings without a sign stand in the middle of ``inner``, as far as the sign has room beside them."""
    width = int(tall * LONGEST_WIDTH) + 1
    right = inner.x + (inner.width + int(tall * COMMON_WIDTH)) // 2
    return Box(max(inner.x, right - width), top, width, tall)


def _wide(frame: Box, inner: Box) -> HalfParts:
    head = int(inner.height * 0.17)
    gap = max(2, inner.height // 24)
    tall = _tall(inner.width // 2, min(int(frame.height * 0.68), inner.height - head - gap))
    column = int(tall * LONGEST_WIDTH) + 1
    above = inner.y + head + gap + (inner.height - head - gap - tall) // 2
    top = inner.top(head)
    words = inner.beside(column + max(4, inner.width // 40))
    marked, prompt_height = int(inner.height * 0.13), int(inner.height * 0.26)
    rest = words.top(words.height - marked - gap)
    return HalfParts(
        frame=frame,
        pointer=top.left(head),
        status=top.left(column).beside(head + gap),
        digits=Box(inner.x, above, column, tall),
        marks=words.below(words.height - marked),
        prompt=rest.below(rest.height - prompt_height),
        info=rest.top(rest.height - prompt_height - gap),
        page=words,
        marks_place=0.0,
        words_place=0.0,
    )


def _stacked(frame: Box, inner: Box) -> HalfParts:
    head, foot, gap = int(frame.height * 0.11), int(frame.height * 0.12), max(2, int(frame.height * 0.02))
    tall = _tall(inner.width, int(frame.height * 0.435))
    top, rest = inner.top(head), inner.below(head + gap + tall + gap)
    words = top.beside(head + gap)
    named = words.width * 11 // 20
    return HalfParts(
        frame=frame,
        pointer=top.left(head),
        status=words.left(named),
        digits=_digits(inner, inner.y + head + gap, tall),
        marks=words.beside(named + gap),
        prompt=rest.below(rest.height - foot),
        info=rest.top(rest.height - foot - gap),
        page=rest,
        marks_place=1.0,
        words_place=0.5,
    )


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
