"""Draw one player's half, upright, on its own surface; its marks (overtime, points, credits) as a row of small plates, as large as possible."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from appliance.display.drawing import QUIET, Pen, draw_qr, framed, measure, rounded, stamp
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
"""The sentences of a note that are worth the smallest type: a consequence, and what lapses; besides them only the reason for a stop."""
BEGINNING: Final = 32
"""The characters of a reason that stand in any case."""


Writing: TypeAlias = tuple[list[str], Box, Pen]


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
    """Equal views give equal pictures."""

    half: HalfFace
    phase: Phase
    window: WindowFace | None
    note: tuple[str, ...]
    room: Room
    state: str = ""
    reason: str = ""
    """The sentence of the note that is cut rather than left out."""
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
        _paint_code(scribe, parts.frame.inset(edge), view, Pen(colours.words, largest=parts.pointer.height))
        return
    if half.low:
        # Under one minute the frame is heavy as the digits are: a difference without colour.
        framed(surface, parts.frame.inset(edge), radius - edge, (colours.digits, colours.panel), max(3, parts.frame.height // 45))
    if view.alone:
        box, numerals = layout.alone
        reading(surface, half.reading, box, colours.digits, place=1.0, heavy=half.low, numerals=numerals)
        return
    headed = parts.words.height * HEADING_SHARE // 100
    if view.state and (view.window or view.notices or half.page or headed < max(ROOMY * scribe.smallest, parts.pointer.height * 5 // 4)):
        # What stands beside the digits takes the place of the large state, which takes that of the player's own.
        note = tuple(text for text in (half.status, *view.note) if text)
        half, view = replace(half, status=half.named or view.state), replace(view, state="", note=note)
    status = _status_box(parts, view)
    if layout.seats is not None:
        high = min(status.height, parts.pointer.height)
        sign = status.inset(0, (status.height - high) // 2)
        paint_seat(scribe, sign.beside(status.width - high * 3 // 2), layout.seats, half.side, colours.words)
        status = status.left(status.width - high * 7 // 4)
    view, largest, large = replace(view, half=half), None, parts is layout.parts(Room.LARGE)
    parts = replace(parts, status=status)
    if half.marks and large:
        parts, view, largest = _mark_the_state(scribe, parts, view, colours)
    _paint_pointer(scribe, parts, view, colours)
    scribe.write([half.status], parts.status, Pen(colours.words, largest=parts.pointer.height, one_line=0.8))
    reading(surface, half.reading, parts.digits, colours.digits, place=1.0, heavy=half.low, numerals=parts.numerals)
    if half.page is not None:
        # The page stands in the place of all words but the status.
        paint_page(scribe, parts.words, half.page, colours, touched=view.touched)
        return
    _paint_words(scribe, parts, view, colours, largest)


def _paint_code(scribe: Scribe, box: Box, view: HalfView, pen: Pen) -> None:
    """Draw the code with modules as large as the note lets them be, which stands left of it or above."""
    modules = len(view.code) + 2 * QUIET
    for edge in range(min(box.width, box.height) // modules * modules, 0, -modules) if view.note else ():
        left, above = box.width - edge, box.height - edge
        for margin, place in ((box.left(left), box.beside(left)), (box.top(above), box.below(above))):
            inner = margin.inset(scribe.smallest // 2, 1)
            if scribe.fits(view.note, inner, pen):
                scribe.write(view.note, inner, pen)
                draw_qr(scribe.surface, place, view.code, INK, IVORY)
                return
    draw_qr(scribe.surface, box, view.code, INK, IVORY)


def _mark_the_state(scribe: Scribe, parts: HalfParts, view: HalfView, colours: HalfColours) -> tuple[HalfParts, HalfView, int | None]:
    """Draw marks at the state, as large as the note; return the parts beside them, what else there is to draw, and its largest size."""
    half, row = view.half, _row_at_the_state(scribe, parts, view)
    if row is None:
        return parts, view, None
    count, size, place = row
    narrow, top, status = parts.numerals is NARROW, parts.pointer, parts.status
    _paint_marks(scribe, chips(half.marks[:count], place, measure, float(narrow), size), half, colours)
    rest = replace(view, half=replace(half, marks=half.marks[count:]))
    if narrow:
        return replace(parts, status=status.left(status.width - place.width - size // 2)), rest, size
    above = status.top(status.height - place.height)
    return replace(parts, status=above, pointer=replace(top, y=above.y + max(0, above.height - top.height) // 2)), rest, size


def _row_at_the_state(scribe: Scribe, parts: HalfParts, view: HalfView) -> tuple[int, int, Box] | None:
    """Return how many marks stand at the state, in which size and place; None: all stand below the instruction.

    Below narrow digits is room for the instruction alone; beside others only marks for which the instruction would lose its end leave it.
    """
    half, narrow, box, found = view.half, parts.numerals is NARROW, parts.status, None
    short, many = not _ranks(scribe, parts, view)[1], len(half.marks)
    for count, size in product(range(many, 0, -1) if short else range(many, many - narrow, -1), _sizes(scribe)):
        row = int(TALL * size) + 1
        place = box.beside(measure(half.status, size) + size) if narrow else Box(parts.words.x, box.bottom - row, parts.words.width, row)
        if 0 < rows_height(half.marks[:count], place.width, measure, size) <= place.height:
            ranks, whole = _ranks(scribe, parts, replace(view, half=replace(half, marks=half.marks[count:])), size)
            if whole and ranks.other == size:
                return count, size, place
            if narrow and count == many and ranks.other == size:
                found = found or (count, size, place)
    return found


def _paint_words(scribe: Scribe, parts: HalfParts, view: HalfView, colours: HalfColours, largest: int | None) -> None:
    ranks, place = _ranks(scribe, parts, view, largest)[0], parts.words_place
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


def _ranks(scribe: Scribe, parts: HalfParts, view: HalfView, largest: int | None = None) -> tuple[Ranks, bool]:
    """Return the words, as easy to read as the instruction's size lets them be, and whether all but the note's further sentences are whole.

    Note and marks have at most ``largest`` pixels.
    """
    half, width, smallest = view.half, parts.words.width, scribe.smallest
    colours = half_colours(runs=half.runs, overtime=half.overtime)
    for least, other, told, card in _tries(scribe, view, parts.words.height, largest):
        note, easy = _joined(told), least > other
        marks = rows_height(half.marks, width, measure, other) if half.marks else 0
        asked = 0 if easy else scribe.height(half.prompt, width, smallest, even=True) + 2
        needs = Needs(scribe.height(note, width, other, even=easy) if note else 0, marks, card, asked)
        places = word_parts(parts.words, needs, heading=bool(view.state))
        prompt = _prompt(scribe, places.prompt, half, colours, parts.words_place)
        written = [note], places.note, Pen(colours.quiet, largest=other, smallest=other, place=parts.words_place)
        found = Ranks(places, prompt, max(smallest, scribe.size(*prompt)), written, other)
        cut = places.note.height < needs.note or (half.marks and not 0 < marks <= places.marks.height)
        if found.instruction < least or (cut and easy):
            continue
        whole = prompt[0] == [half.prompt] and scribe.fits(*prompt)
        carded = view.window is None or window_fits(scribe, places.window, view.window, colours, found.instruction)
        read = not note or (scribe.is_even(note, *written[1:]) if easy else scribe.fits(*written) or _begins(scribe, written, view.reason))
        if whole and carded and read:
            return found, bool(told or not view.note)
    return found, False


def _begins(scribe: Scribe, written: Writing, reason: str) -> bool:
    """Return whether the note ends with the reason, whose beginning is written."""
    (note,), box, pen = written
    return bool(reason) and note.endswith(reason) and scribe.written(note, box, pen) >= len(note) - max(0, len(reason) - BEGINNING)


def _sizes(scribe: Scribe) -> list[int]:
    return [*(round(share * scribe.smallest) for share in EASY), scribe.smallest]


def _tries(scribe: Scribe, view: HalfView, height: int, largest: int | None) -> Iterator[tuple[int, int, tuple[str, ...], int]]:
    """Yield the instruction's least size, the size of note and marks, the note's sentences, and the height of a window's card: the easiest to read first."""
    note, card, smallest = view.note, height * CARD_SHARE // 100 if view.window else 0, scribe.smallest
    reason = (view.reason,) if view.reason in note else ()
    least = max(min(len(note), TOLD), note.index(view.reason) + 1 if reason else 0)
    for size in (size for size in _sizes(scribe) if largest is None or size <= largest):
        for count in range(len(note), least - 1, -1):
            yield round(size / RANK), size, note[:count], card
    for told, lines in product(dict.fromkeys((note[:least], reason or note[:1], note[:1], ())), (3, 2) if card else (3,)):
        yield smallest, smallest, told, min(card, lines_height(lines, smallest) + CARD_EDGES)


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
