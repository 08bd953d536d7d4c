"""Draw one player's half, upright, on its own surface; its marks (overtime, points, credits) as a row of small plates, as large as possible."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.display.drawing import Pen, draw_qr, framed, measure, rounded, stamp
from appliance.display.layout import POINT, SMALLEST, Box, Measure, Shape, lines_height
from firmware.face.value import HalfFace, MessageTone, WindowFace
from firmware.screens.digits import ENDED, NARROW, RUNNING, STOPPED
from firmware.screens.layout import HEADING_SHARE, HalfLayout, HalfParts, Needs, Room, WordParts, word_parts
from firmware.screens.paint_page import paint_notices, paint_page, paint_seat, paint_window, window_fits
from firmware.screens.scribe import AMBER, GROUND, INK, IVORY, STEEL, HalfColours, Scribe, half_colours, reading
from game.game import Phase

TALL: Final = 1.55
"""A plate's height, as a multiple of its type size."""
APART: Final = 0.35
PADDING: Final = 0.55


class Chip(Struct, frozen=True):
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


HALTED: Final = (Phase.NEUTRAL, Phase.OUT_PLAY, Phase.ADJUDICATION)
ROOMY: Final = 2.4
"""From this height on, in sizes of the smallest type, the state of a game that stands has a line of its own, if the player's state has no larger one."""
COMFORTABLE, LARGE_NOTE = 1.35, 1.8
"""The least size of a note of several sentences, in sizes of the smallest type, else it has fewer, but two; and its size below an instruction of few words."""
TOLD: Final = 2
"""The sentences of a note that are worth the smallest type: a consequence, and what lapses."""
FEW_WORDS: Final = 3
"""An instruction is short if it would be one line in so many sizes of the smallest type."""


class HalfView(Struct, frozen=True):
    """The content of a half; equal views give equal pictures."""

    half: HalfFace
    phase: Phase
    window: WindowFace | None
    note: tuple[str, ...]
    room: Room
    state: str = ""
    notices: tuple[str, ...] = ()
    """In the place of instruction, window and note, on a screen whose strip is too small for them."""
    code: tuple[str, ...] = ()
    touched: bool = False
    alone: bool = False
    """The digits have the half to themselves."""


def paint_half(scribe: Scribe, layout: HalfLayout, view: HalfView) -> None:
    half, surface = view.half, scribe.surface
    # On the smallest screens long marks have room beside the smaller digits alone.
    words, least = layout.parts(Room.LARGE).words, scribe.smallest
    marked = not half.marks or 0 < rows_height(half.marks, words.width, measure, least) <= words.height // 2
    parts = layout.parts(view.room if view.room is not Room.LARGE or marked else Room.BESIDE)
    colours = half_colours(runs=half.runs, overtime=half.overtime)
    surface.fill(GROUND)
    edge, radius = max(2, parts.frame.height // 110), max(6, parts.frame.height // 16)
    framed(surface, parts.frame, radius, (colours.edge, colours.panel), edge)
    if view.code:
        # Alone: a module has to be as large as possible.
        draw_qr(surface, parts.frame.inset(edge), view.code, INK, IVORY)
        return
    if half.low:
        # Under one minute the frame is heavy as the digits are: a difference without colour.
        ring = parts.frame.inset(edge)
        framed(surface, ring, radius - edge, (colours.digits, colours.panel), max(3, parts.frame.height // 45))
    if view.alone:
        box, numerals = layout.alone
        reading(surface, half.reading, box, colours.digits, place=1.0, heavy=half.low, numerals=numerals)
        return
    _paint_pointer(scribe, parts, view, colours)
    headed = parts.words.height * HEADING_SHARE // 100
    if view.state and (view.window or view.notices or half.page or headed < max(ROOMY * scribe.smallest, parts.pointer.height * 5 // 4)):
        # What stands beside the digits takes the place of the large state, which takes that of the player's own.
        note = tuple(text for text in (half.status, *view.note) if text)
        half, view = replace(half, status=view.state), replace(view, state="", note=note)
    status = _status_box(parts, view)
    if layout.seats is not None:
        high = min(status.height, parts.pointer.height)
        sign = status.inset(0, (status.height - high) // 2)
        paint_seat(scribe, sign.beside(status.width - high * 3 // 2), layout.seats, half.side, colours.words)
        status = status.left(status.width - high * 7 // 4)
    if parts.numerals is NARROW and half.marks:
        # Below the large digits of a high half is room for the instruction alone.
        half, status = _mark_the_state(scribe, status, half, colours)
    scribe.write([half.status], status, Pen(colours.words, largest=parts.pointer.height, one_line=0.8))
    reading(surface, half.reading, parts.digits, colours.digits, place=1.0, heavy=half.low, numerals=parts.numerals)
    if half.page is not None:
        # The page stands in the place of all words but the status.
        paint_page(scribe, parts.words, half.page, colours, beside=layout.beside, touched=view.touched)
        return
    _paint_words(scribe, parts, replace(view, half=half), colours)


def _mark_the_state(scribe: Scribe, box: Box, half: HalfFace, colours: HalfColours) -> tuple[HalfFace, Box]:
    """Draw the marks at the end of the state's row, if both have room there; return the half without them, and the state's place."""
    for size in (round(COMFORTABLE * scribe.smallest), scribe.smallest):
        beside = box.beside(measure(half.status, size) + size)
        if 0 < rows_height(half.marks, beside.width, measure, size) <= box.height:
            _paint_marks(scribe, beside, half.marks, colours, 1.0, filled=half.overtime)
            return replace(half, marks=()), box.left(measure(half.status, size) + size // 2)
    return half, box


def _paint_words(scribe: Scribe, parts: HalfParts, view: HalfView, colours: HalfColours) -> None:
    half, box = view.half, parts.words
    places, _ = _places(scribe, view, box, colours)
    _paint_marks(scribe, places.marks, half.marks, colours, parts.words_place, filled=half.overtime)
    if view.notices:
        paint_notices(scribe, box.top(places.note.bottom - box.y), view.notices)
        return
    scribe.write([view.state], places.heading, Pen(colours.words, place=parts.words_place))
    _paint_prompt(scribe, places.prompt, half, colours, parts.words_place)
    if view.window is not None:
        paint_window(scribe, places.window, view.window, colours)
    _paint_note(scribe, places.note, view, colours, parts.words_place)


def words_fit(scribe: Scribe, layout: HalfLayout, view: HalfView) -> bool:
    return _places(scribe, view, layout.parts(Room.LARGE).words, half_colours(runs=view.half.runs, overtime=view.half.overtime))[1]


def _places(scribe: Scribe, view: HalfView, box: Box, colours: HalfColours) -> tuple[WordParts, bool]:
    """Return the places of the words, in comfortable sizes or as small as it takes, and whether instruction, card and the note's first sentence are whole.

    If they are not, the note has no place.
    """
    # Plates are read at the smallest type; in a larger one they would outdo the instruction.
    marks = rows_height(view.half.marks, box.width, measure, scribe.smallest) if view.half.marks else 0
    noted = _note_height(scribe, view, box)
    card, low = (lines_height(lines, scribe.smallest) + CARD_EDGES if view.window else 0 for lines in (3, 2))
    first = scribe.height(view.note[0], box.width, scribe.smallest) if view.note else 0
    for needs in (
        Needs(noted, marks, card),
        # The instruction before the note, which has its least share.
        Needs(min(noted, 1), marks, card),
        Needs(first, marks, card, tight=True),
        Needs(first, marks, low, tight=True),
        # Without the note, rather than cut.
        Needs(0, marks, card, tight=True),
        Needs(0, marks, low, tight=True),
    ):
        places = word_parts(box, needs, heading=bool(view.state))
        whole = scribe.fits([view.half.prompt], _least_inset(places.prompt, view.half), Pen(colours.words))
        carded = view.window is None or window_fits(scribe, places.window, view.window, colours)
        told = not (view.note and needs.note) or scribe.fits([view.note[0]], places.note, Pen(colours.quiet))
        if whole and carded and told:
            return places, bool(needs.note or not view.note)
    return places, False


CARD_EDGES: Final = 8


def pointer(view: HalfView) -> Shape | None:
    if view.half.runs:
        return RUNNING
    if view.phase is Phase.OVER:
        return ENDED
    return STOPPED if view.phase in HALTED else None


def _status_box(parts: HalfParts, view: HalfView) -> Box:
    indented = parts.status.y <= parts.pointer.y < parts.status.bottom and pointer(view) is None
    return Box(parts.pointer.x, parts.status.y, parts.status.right - parts.pointer.x, parts.status.height) if indented else parts.status


def _paint_pointer(scribe: Scribe, parts: HalfParts, view: HalfView, colours: HalfColours) -> None:
    shape = pointer(view)
    if shape is not None:
        stamp(scribe.surface, shape, parts.pointer.inset(parts.pointer.height // 8), colours.digits if view.half.runs else STEEL)


def _paint_prompt(scribe: Scribe, box: Box, half: HalfFace, colours: HalfColours, place: float) -> None:
    """Write the instruction, the largest words of the half: quietly while a turn runs, on a plate where it answers a press."""
    if half.tone is MessageTone.ANSWERS:
        filled, line = (INK, IVORY) if half.runs else (AMBER, INK)
        rounded(scribe.surface, box, min(box.height, box.width) // 10, filled)
        inner, pen = (
            box.inset(max(4, box.width // 24), max(2, box.height // 16)),
            Pen(line, largest=largest_words(box), place=place, one_line=0.9),
        )
        scribe.write([half.prompt], inner if scribe.fits([half.prompt], inner, pen) else _least_inset(box, half), pen)
    else:
        # Two lines rather than a smaller one.
        pen = Pen(colours.words, largest=largest_words(box), place=place, one_line=1.0)
        if half.tone is not MessageTone.QUIET:
            scribe.write([half.prompt], box, pen)
            return
        # Beside marks a reminder has as many of its parts as fit.
        parts = half.prompt.split(f" {POINT} ")
        reminders = (_joined(tuple(parts[:count])) for count in range(len(parts), 1, -1))
        scribe.write(
            [next((each for each in reminders if scribe.fits([each], box, pen)), parts[0])], box, replace(pen, colour=colours.quiet)
        )


def _least_inset(box: Box, half: HalfFace) -> Box:
    return box.inset(4, 1) if half.tone is MessageTone.ANSWERS else box


def largest_words(box: Box) -> int:
    return max(SMALLEST, min(box.height * 60 // 100, box.width // 9))


def _comfortable(scribe: Scribe, view: HalfView, width: int) -> int:
    short = view.window is None and measure(view.half.prompt, FEW_WORDS * scribe.smallest) <= width
    return round((LARGE_NOTE if short else COMFORTABLE) * scribe.smallest)


def _note_height(scribe: Scribe, view: HalfView, box: Box) -> int:
    """Return the height in pixels that the first two sentences of a note need to be read with comfort; 0 without any."""
    return scribe.height(_joined(view.note[:TOLD]), box.width, _comfortable(scribe, view, box.width)) if view.note else 0


def _paint_note(scribe: Scribe, box: Box, view: HalfView, colours: HalfColours, place: float) -> None:
    """Write as much of the note as has room, as one sentence: at a comfortable size, or two of its sentences rather than one."""
    largest = max(scribe.smallest, box.height * 45 // 100)
    pen = Pen(colours.quiet, largest=largest, place=place, one_line=0.7)
    sizes = (_comfortable(scribe, view, box.width), round(COMFORTABLE * scribe.smallest))
    counts = range(len(view.note), 1, -1)
    for least, count in (*product(sizes, counts), *((scribe.smallest, TOLD) for _ in view.note[1:2])):
        text, easy = _joined(view.note[:count]), replace(pen, smallest=least, largest=max(least, largest))
        if scribe.is_even(text, box, easy):
            scribe.write([text], box, easy)
            return
    if view.note and box.height:
        scribe.write([view.note[0]], box, pen)


def _joined(texts: tuple[str, ...]) -> str:
    return f" {POINT} ".join(texts)


def _paint_marks(scribe: Scribe, box: Box, texts: tuple[str, ...], colours: HalfColours, place: float, *, filled: bool) -> None:  # noqa: PLR0913 - likewise
    for chip in chips(texts, box, measure, place, scribe.smallest):
        radius = chip.box.height // 4
        if filled:
            rounded(scribe.surface, chip.box, radius, colours.chip)
        else:
            framed(scribe.surface, chip.box, radius, (colours.quiet, colours.panel), max(1, chip.box.height // 16))
        colour = colours.chip_words if filled else colours.words
        scribe.write([chip.text], chip.box.inset(chip.size // 2, 0), Pen(colour, largest=chip.size, place=0.5))
