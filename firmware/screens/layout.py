"""Places on a screen of a given size: pure geometry for drawing and touch.

Three arrangements. ``facing``: the screen lies flat, its long edge along the players' edges of the table; the left player reads the upper half,
rotated by 180 degrees, the right player the lower. ``side_by_side``: it stands upright for both; where it is higher than wide the left player's half is above
the right one's, and a sign in each shows whose it is. ``single``: one of two screens, one half each.

A half is laid out upright, in its own pixels, and rotated as a whole. Its digits have three sizes: large while a clock runs and before the start, smaller
beside a window or the words of a stop, small beside a page. Within each they keep their place: the space of ``-59:59``, in which every reading ends at the
right, so that the colon stands still too. A low wide half has its words beside them, any other above and below; there the large digits are narrower, because the
width limits them. Minutes above seconds would be lower than one line of these.
"""

from enum import Enum
from math import ceil
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.display.layout import SMALLEST, Box
from firmware.screens.digits import COMMON_WIDTH, LONGEST_WIDTH, NARROW, NARROW_WIDTH, USUAL, Numerals
from hardware.boards.board import ButtonName
from rules.side import BySide, Side

WIDE: Final = 2.8
"""From this ratio of width to height on, words fit beside the digits."""
LARGE_SHARE: Final = 70
"""The share of a wide half that its larger digits may take, in percent: the state and a hint stay legible beside them."""


class Room(Enum):
    LARGE = "large"
    """While a clock runs, and before the start."""
    BESIDE = "beside"
    """Beside a window, or the words of a stop."""
    PAGE = "page"


class HalfParts(Struct, frozen=True):
    """The places of a half's parts, for one of the sizes of its digits."""

    frame: Box
    pointer: Box
    status: Box
    digits: Box
    words: Box
    """Marks, instruction, window and note, from the top down; a fill or a page of the table menu covers it."""
    words_place: float
    """The words' alignment: 0.0 left, 0.5 middle."""
    numerals: Numerals = USUAL


class WordParts(Struct, frozen=True):
    """A box without content has no height."""

    heading: Box
    prompt: Box
    window: Box
    note: Box
    marks: Box


HEADING_SHARE: Final = 27
"""The share of the words' height for the state of a game that stands, in percent."""


class Needs(Struct, frozen=True):
    """The heights in pixels that words need besides the instruction, which has the rest; 0 for none."""

    note: int
    marks: int
    window: int
    instruction: int = 0
    """The height with which the instruction is content, so that a note may have more than half; 0: half is its most."""


def word_parts(box: Box, needs: Needs, *, heading: bool) -> WordParts:
    gap = max(2, box.height // 24) if needs.window or needs.note else 0
    marked = min(needs.marks, box.height // 2)
    whole = box.top(box.height - marked - (gap if marked else 0))
    rest = whole.below(whole.height * HEADING_SHARE // 100 if heading else 0)
    counted = min(needs.window, rest.height // 2)
    spare = rest.height - needs.instruction - counted - 2 * gap if needs.instruction else 0
    noted = min(needs.note, max(rest.height // 2, spare))
    told = rest.height - sum(height + gap for height in (noted, counted) if height)
    return WordParts(
        heading=whole.top(whole.height - rest.height),
        prompt=rest.top(told),
        window=rest.below(told + gap).top(counted),
        note=rest.below(rest.height - noted),
        marks=box.below(box.height - marked),
    )


def half_parts(width: int, height: int, room: Room) -> HalfParts:
    frame = Box(0, 0, width, height).inset(max(2, min(width, height) // 60))
    low = max(3, min(width, height) // 17)
    if width >= WIDE * height:
        return _wide(frame, low, room)
    if room is Room.LARGE:
        return _large_and_high(frame, frame.inset(low * 2 // 3))
    return _page_and_high(frame, frame.inset(low * 2 // 3)) if room is Room.PAGE else _high(frame, frame.inset(low))


def _tall(width: int, tallest: int) -> int:
    return min(tallest, int((width - 1) / LONGEST_WIDTH))


def _digits(inner: Box, top: int, tall: int) -> Box:
    """Return the digits' box: readings without a sign stand in the middle of ``inner``, as far as the sign has room beside them."""
    width = int(tall * LONGEST_WIDTH) + 1
    right = inner.x + (inner.width + int(tall * COMMON_WIDTH)) // 2
    return Box(max(inner.x, right - width), top, width, tall)


PAGE_DIGITS: Final = 0.26
"""The share of a wide half's width for its digits beside a page."""


def _wide(frame: Box, low: int, room: Room) -> HalfParts:
    """Return the parts with the words beside a column of digits, above which stands the state; large digits leave it no room there."""
    inner = frame.inset(low * 3 // 2, low) if room is Room.BESIDE else frame.inset(low, low * 2 // 3)
    head, gap = int(inner.height * 0.17), max(2, inner.height // 24)
    match room:
        case Room.LARGE:
            tall = _tall(inner.width * LARGE_SHARE // 100, inner.height)
            column, above = int(tall * LONGEST_WIDTH) + 1, (inner.height - tall) // 2
        case Room.BESIDE:
            tall = _tall(inner.width // 2, min(int(frame.height * 0.68), inner.height - head - gap))
            column, above = int(tall * LONGEST_WIDTH) + 1, head + gap + (inner.height - head - gap - tall) // 2
        case Room.PAGE:
            column = int(inner.width * PAGE_DIGITS)
            tall, above = _tall(column, inner.height // 2), head * 2 + gap
    beside = inner.beside(column + max(4, inner.width // 40))
    if room is Room.LARGE:
        top, words = beside.top(head * 2), beside.below(head * 2 + gap)
    else:
        top, words = inner.left(column).top(head if room is Room.BESIDE else head * 2), beside
    return HalfParts(
        frame=frame,
        pointer=Box(top.x, top.y + (top.height - head) // 2, head, head),
        status=top.beside(head + gap),
        digits=Box(inner.x, inner.y + above, column, tall),
        words=words,
        words_place=0.0,
    )


LARGE_HIGH, SMALL_HIGH, PAGE_HIGH = 0.60, 0.25, 0.17
"""The shares of a high half's height that its digits may take, by their room."""


def _large_and_high(frame: Box, inner: Box) -> HalfParts:
    """Return the parts with digits as high as the half has room for; they are narrow where its width has no room for others."""
    head, gap, tall = int(frame.height * 0.10), max(2, int(frame.height * 0.02)), ceil((frame.height + 2 * frame.y) * LARGE_HIGH)
    numerals, share = (USUAL, LONGEST_WIDTH) if tall * LONGEST_WIDTH < inner.width else (NARROW, NARROW_WIDTH)
    tall = min(tall, int((inner.width - 1) / share))
    wide, top = int(tall * share) + 1, inner.top(head)
    return HalfParts(
        frame=frame,
        pointer=top.left(head),
        status=top.beside(head + gap),
        digits=Box(inner.x + (inner.width - wide) // 2, inner.y + head + gap, wide, tall),
        # A reminder needs two lines there above a row of marks.
        words=inner.below(head + gap + tall + gap // 2),
        words_place=0.5,
        numerals=numerals,
    )


def _high(frame: Box, inner: Box) -> HalfParts:
    head, gap = int(frame.height * 0.11), max(2, int(frame.height * 0.02))
    tall, top = _tall(inner.width, int(frame.height * SMALL_HIGH)), inner.top(head)
    return HalfParts(
        frame=frame,
        pointer=top.left(head),
        status=top.beside(head + gap),
        digits=_digits(inner, inner.y + head + gap, tall),
        words=inner.below(head + gap + tall + gap),
        words_place=0.5,
    )


def _page_and_high(frame: Box, inner: Box) -> HalfParts:
    tall, gap = _tall(inner.width * 2 // 5, int(frame.height * PAGE_HIGH)), max(2, int(frame.height * 0.02))
    wide, head, top = int(tall * LONGEST_WIDTH) + 1, min(tall, int(frame.height * 0.11)), inner.top(tall)
    return HalfParts(
        frame=frame,
        pointer=Box(top.x, top.y + (tall - head) // 2, head, head),
        status=top.left(top.width - wide - gap).beside(head + gap),
        digits=Box(top.right - wide, top.y, wide, tall),
        words=inner.below(tall + gap),
        words_place=0.5,
    )


BAR_SHARE: Final = 0.11
"""The share of the height for the strip between facing halves: 10 mm on a 7-inch panel, enough for a finger."""
SINGLE_SHARE: Final = 0.14
LOW_ROWS: Final = 480
ROWS_OF_TYPE: Final = 30
"""The lines of the smallest type that the shorter edge would hold: 3 mm on a 7-inch panel."""


class Arrangement(Enum):
    FACING = "facing"
    SIDE_BY_SIDE = "side_by_side"
    SINGLE = "single"


class HalfLayout(Struct, frozen=True):
    """One player's half: its place on the screen, its rotation (0 or 180 degrees), its parts in upright pixels."""

    side: Side
    place: Box
    turn: int
    rooms: tuple[tuple[Room, HalfParts], ...]
    beside: bool = False
    seats: BySide[Box] | None = None
    """The players' places at the table, for a sign of whose half it is; None: its own place on the screen shows that."""

    def parts(self, room: Room) -> HalfParts:
        return dict(self.rooms)[room]

    @property
    def alone(self) -> tuple[Box, Numerals]:
        """The place of digits that have the half to themselves, and whether they are narrow: as tall as its frame has room for."""
        frame = self.parts(Room.LARGE).frame
        inner = frame.inset(max(4, min(frame.width, frame.height) // 24))
        tall, narrow = (min(inner.height, int((inner.width - 1) / wide)) for wide in (LONGEST_WIDTH, NARROW_WIDTH))
        if tall >= narrow:
            return _digits(inner, inner.y + (inner.height - tall) // 2, tall), USUAL
        wide = int(narrow * NARROW_WIDTH) + 1
        return Box(inner.x + (inner.width - wide) // 2, inner.y + (inner.height - narrow) // 2, wide, narrow), NARROW


def _half(side: Side, place: Box, turn: int = 0) -> HalfLayout:
    return HalfLayout(side, place, turn, tuple((room, half_parts(place.width, place.height, room)) for room in Room))


class Note(Struct, frozen=True):
    """A place for the rulebook's name and for notices, with its rotation in degrees."""

    place: Box
    turn: int
    side: Side | None = None
    """The side named here; None if both players read it and see who is left and right."""


class Strip(Struct, frozen=True):
    place: Box
    notes: tuple[Note, ...]
    pointers: BySide[Box] | None
    bar: Box | None = None
    other: Box | None = None


class Layout(Struct, frozen=True):
    """A whole screen, in pixels."""

    size: tuple[int, int]
    arrangement: Arrangement
    halves: tuple[HalfLayout, ...]
    strip: Strip
    menu: Box
    """The director's page, upright; in ``facing``, towards the right player's edge."""

    @property
    def table(self) -> BySide[Box]:
        """The players' places at the table, upright for the director: the halves, or where they would lie."""
        if self.halves[0].seats is not None:
            return self.halves[0].seats
        if len(self.halves) > 1:
            return BySide(*(next(half.place for half in self.halves if half.side is side) for side in Side))
        own, (width, height) = self.halves[0].side, self.size
        return BySide(*(Box(0, height // 2 if side is own else 0, width, height // 2) for side in Side))

    @property
    def smallest(self) -> int:
        """The smallest type in pixels: 16 at 480 rows of the shorter edge, and as much of a larger panel."""
        rows = min(self.size)
        return SMALLEST if rows < LOW_ROWS else rows // ROWS_OF_TYPE


def arrange(width: int, height: int, arrangement: Arrangement, side: Side | None = None) -> Layout:
    """Return the layout for a screen of ``width`` x ``height`` pixels; ``side`` is the half of a ``single`` screen. Raises ValueError: ``single`` without a side."""
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


def _middle(box: Box, tallest: int) -> Box:
    """Return the middle of the box, at most that high: on a high narrow screen the strip is larger than needed."""
    return box.inset(0, max(0, (box.height - tallest) // 2))


def _facing(width: int, height: int) -> tuple[tuple[HalfLayout, ...], Strip]:
    rows = round(height * (1 - BAR_SHARE)) // 2
    upper, lower = Box(0, 0, width, rows), Box(0, height - rows, width, rows)
    place = Box(0, rows, width, height - 2 * rows)
    inner = _middle(place.inset(margin(lower) // 2, max(2, place.height // 22)), width // 5)
    noted = inner.width * 9 // 20
    middle = Box(inner.x + noted, inner.y, inner.width - 2 * noted, inner.height)
    bar = middle.inset(middle.width // 12, max(0, middle.height // 2 - place.height // 14))
    notes = (Note(inner.left(noted), 180, Side.LEFT), Note(inner.beside(inner.width - noted), 0, Side.RIGHT))
    return (_half(Side.LEFT, upper, 180), _half(Side.RIGHT, lower)), Strip(place, notes, BySide.both(middle), bar=bar)


def _side_by_side(width: int, height: int) -> tuple[tuple[HalfLayout, ...], Strip]:
    rows, upright = round(height * (1 - BAR_SHARE)), height > width
    wide, high = (width, rows // 2) if upright else (width // 2, rows)
    left, right = Box(0, 0, wide, high), Box(width - wide, rows - high, wide, high)
    seat = Box(0, 0, width // 2, width * 2 // 3)
    seats = BySide(seat, replace(seat, x=width // 2)) if upright else None
    halves = (replace(_half(side, place), beside=True, seats=seats) for side, place in ((Side.LEFT, left), (Side.RIGHT, right)))
    place = Box(0, rows, width, height - rows)
    inner = place.inset(margin(left), max(2, place.height // 11))
    # The mark lies above the note, which may need the whole width.
    bar = Box(inner.x + inner.width * 2 // 5, inner.y, inner.width // 5, max(2, inner.height // 6))
    return tuple(halves), Strip(place, (Note(inner.below(inner.height // 4), 0),), None, bar=bar)


def _single(width: int, height: int, side: Side) -> tuple[tuple[HalfLayout, ...], Strip]:
    rows = round(height * (1 - SINGLE_SHARE))
    place = Box(0, rows, width, height - rows)
    inner = place.inset(margin(Box(0, 0, width, rows)), max(3, place.height // 9)).top(width // 7)
    other = inner.left(inner.width * 2 // 5)
    notes = (Note(inner.beside(inner.width // 2), 0, side),)
    return (_half(side, Box(0, 0, width, rows)),), Strip(place, notes, None, other=other)
