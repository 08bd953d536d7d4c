"""Draw one player's half, upright, on its own surface; its marks (overtime, points, credits) as a row of small plates, as large as possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

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


def chips(texts: Sequence[str], box: Box, measure: Measure, place: float, size: int) -> tuple[Chip, ...]:
    """Return plates for ``texts`` in ``box``; ``place`` is 0.0 for left, 1.0 for right. The last are dropped if there is no room."""
    rows = _rows(texts, box.width, measure, size)
    if rows is not None and _height(len(rows), size) <= box.height:
        return _placed(rows, box, measure, size, place)
    return chips(texts[:-1], box, measure, place, size)


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
EASY: Final = (1.8, 1.5, 1.35, 1.2)
"""The sizes of note and marks that are read with ease, in sizes of the smallest type: they have the larger one below a large instruction."""
RANK: Final = 0.7
"""Note and marks have at most this share of the instruction's size, unless there is no room for that."""
TOLD: Final = 2
"""The sentences of a note that are worth the smallest type: a consequence, and what lapses."""


Writing: TypeAlias = tuple[list[str], Box, Pen]
"""Texts, their place and their style."""


class Ranks(Struct, frozen=True):
    """A half's words, by rank: the instruction is the largest, a window's card at most as large, note and marks smaller."""

    parts: WordParts
    prompt: Writing
    instruction: int
    """Its size in pixels."""
    note: Writing
    other: int
    """The size of note and marks."""


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
        # A module has to be as large as possible; what to do has the margin.
        inner = parts.frame.inset(edge)
        draw_qr(surface, inner, view.code, INK, IVORY)
        spare = inner.width - inner.height
        margin = (inner.left(spare // 2) if spare > 0 else inner.top(-spare // 2)).inset(radius)
        pen = Pen(colours.words, largest=parts.pointer.height)
        if view.note and scribe.fits(view.note, margin, pen):
            scribe.write(view.note, margin, pen)
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
        bare = replace(half, marks=())
        status, marked = _mark_the_state(scribe, status, half, colours, _ranks(scribe, parts, replace(view, half=bare))[0].other)
        half = bare if marked else half
    scribe.write([half.status], status, Pen(colours.words, largest=parts.pointer.height, one_line=0.8))
    reading(surface, half.reading, parts.digits, colours.digits, place=1.0, heavy=half.low, numerals=parts.numerals)
    if half.page is not None:
        # The page stands in the place of all words but the status.
        paint_page(scribe, parts.words, half.page, colours, beside=layout.beside, touched=view.touched)
        return
    _paint_words(scribe, parts, replace(view, half=half), colours)


def _mark_the_state(scribe: Scribe, box: Box, half: HalfFace, colours: HalfColours, largest: int) -> tuple[Box, bool]:
    """Draw the marks at the end of the state's row, if both have room there; return the state's place, and whether they are drawn."""
    for size in (size for size in _sizes(scribe) if size <= largest):
        beside = box.beside(measure(half.status, size) + size)
        if 0 < rows_height(half.marks, beside.width, measure, size) <= box.height:
            _paint_marks(scribe, chips(half.marks, beside, measure, 1.0, size), half, colours)
            return box.left(measure(half.status, size) + size // 2), True
    return box, False


def _paint_words(scribe: Scribe, parts: HalfParts, view: HalfView, colours: HalfColours) -> None:
    ranks, place = _ranks(scribe, parts, view)[0], parts.words_place
    _paint_marks(scribe, chips(view.half.marks, ranks.parts.marks, measure, place, ranks.other), view.half, colours)
    if view.notices:
        paint_notices(scribe, parts.words.top(ranks.parts.note.bottom - parts.words.y), view.notices)
        return
    scribe.write([view.state], ranks.parts.heading, Pen(colours.words, place=place))
    if view.half.tone is MessageTone.ANSWERS:
        box = ranks.parts.prompt
        rounded(scribe.surface, box, min(box.height, box.width) // 10, INK if view.half.runs else AMBER)
    scribe.write(*ranks.prompt)
    if view.window is not None:
        paint_window(scribe, ranks.parts.window, view.window, colours, ranks.instruction)
    scribe.write(*ranks.note)


def words_fit(scribe: Scribe, layout: HalfLayout, view: HalfView) -> bool:
    return _ranks(scribe, layout.parts(Room.LARGE), view)[1]


def _ranks(scribe: Scribe, parts: HalfParts, view: HalfView) -> tuple[Ranks, bool]:
    """Return the words, as easy to read as the instruction's size lets them be, and whether all but the note's further sentences are whole."""
    half, width, smallest = view.half, parts.words.width, scribe.smallest
    colours = half_colours(runs=half.runs, overtime=half.overtime)
    for least, other, told, card in _tries(scribe, view, parts.words.height):
        note, easy = _joined(view.note[:told]), least > other
        marks = rows_height(half.marks, width, measure, other) if half.marks else 0
        needs = Needs(scribe.height(note, width, other, even=easy) if note else 0, marks, card)
        places = word_parts(parts.words, needs, heading=bool(view.state))
        prompt = _prompt(scribe, places.prompt, half, colours, parts.words_place)
        written = [note], places.note, Pen(colours.quiet, largest=other, smallest=other, place=parts.words_place)
        found = Ranks(places, prompt, max(smallest, scribe.size(*prompt)), written, other)
        cut = places.note.height < needs.note or (half.marks and not 0 < marks <= places.marks.height)
        if found.instruction < least or (cut and easy):
            continue
        whole = prompt[0] == [half.prompt] and scribe.fits(*prompt)
        carded = view.window is None or window_fits(scribe, places.window, view.window, colours, found.instruction)
        read = not note or (scribe.is_even(note, *written[1:]) if easy else scribe.fits(*written))
        if whole and carded and read:
            return found, bool(told or not view.note)
    return found, False


def _sizes(scribe: Scribe) -> list[int]:
    return [*(round(share * scribe.smallest) for share in EASY), scribe.smallest]


def _tries(scribe: Scribe, view: HalfView, height: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the instruction's least size, the size of note and marks, how many sentences the note has, and the height of a window's card: the easiest to read first."""
    told, card, smallest = len(view.note), height * CARD_SHARE // 100 if view.window else 0, scribe.smallest
    for size in _sizes(scribe):
        for count in range(told, min(told, TOLD) - 1, -1):
            yield round(size / RANK), size, count, card
    for lines, count in ((3, TOLD), (3, 1), (2, 1), (3, 0), (2, 0)):
        yield smallest, smallest, min(told, count), min(card, lines_height(lines, smallest) + CARD_EDGES)


CARD_SHARE: Final = 40
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


def _prompt(scribe: Scribe, box: Box, half: HalfFace, colours: HalfColours, place: float) -> Writing:
    """Return the instruction, which has two lines rather than a smaller one: quiet while a turn runs, on a plate where it answers a press."""
    largest, told = max(SMALLEST, min(box.height * 60 // 100, box.width // 9)), [half.prompt]
    if half.tone is MessageTone.ANSWERS:
        inner, pen = (
            box.inset(max(4, box.width // 24), max(2, box.height // 16)),
            Pen(IVORY if half.runs else INK, largest, place, one_line=0.9),
        )
        return told, inner if scribe.fits(told, inner, pen) else box.inset(4, 1), pen
    if half.tone is MessageTone.INSTRUCTS:
        return told, box, Pen(colours.words, largest, place, one_line=1.0)
    # Beside marks a reminder has as many of its parts as fit.
    parts, pen = half.prompt.split(f" {POINT} "), Pen(colours.quiet, largest, place, one_line=1.0)
    reminders = (_joined(parts[:count]) for count in range(len(parts), 1, -1))
    return [next((each for each in reminders if scribe.fits([each], box, pen)), parts[0])], box, pen


def _joined(texts: Sequence[str]) -> str:
    return f" {POINT} ".join(texts)


def _paint_marks(scribe: Scribe, placed: tuple[Chip, ...], half: HalfFace, colours: HalfColours) -> None:
    for chip in placed:
        radius = chip.box.height // 4
        if half.overtime:
            rounded(scribe.surface, chip.box, radius, colours.chip)
        else:
            framed(scribe.surface, chip.box, radius, (colours.quiet, colours.panel), max(1, chip.box.height // 16))
        colour = colours.chip_words if half.overtime else colours.words
        scribe.write([chip.text], chip.box.inset(chip.size // 2, 0), Pen(colour, largest=chip.size, place=0.5))
