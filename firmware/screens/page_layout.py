"""What lies over the words of a half, a page of rows or a fill: its places, for drawing and for the row that a mouse or a finger hits. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.display.layout import Box, Measure, fit, lines_height
from firmware.face.value import MenuFace
from firmware.screens.layout import HalfLayout, Layout, Room, Strip
from rules.side import Side


def shown_rows(heights: Sequence[int], chosen: int | None, room: int) -> range:
    """Return which rows of ``heights`` are visible in ``room``: the chosen one is among them, if possible in the middle."""
    if not heights:
        return range(0)
    first = chosen or 0
    last, left, more = first, room - heights[first], True
    while more:
        more = False
        for index in (first - 1, last + 1):
            if 0 <= index < len(heights) and heights[index] <= left:
                first, last, left, more = min(first, index), max(last, index), left - heights[index], True
    return range(first, last + 1)


MIN_ROWS: Final = 2
"""The number of rows that lines leave room for: "Back" and "Do it"."""
WIDE_LINE: Final = 36
"""A page of so many sizes of the smallest type has each line above its rows on one line, a narrower one on two."""
EASY: Final = 1.35
"""The size of lines above the rows, in sizes of the smallest type."""
SENTENCE_ROWS: Final = 3
"""The room of the sentence to confirm, in rows."""
ROW_OF_TYPE: Final = 1.75
"""The size of a row, in sizes of the smallest type: 28 pixels on a panel of 480."""
HIGHEST_ROW: Final = 5
"""A page with few rows gives each at most this part of its height."""


class PageParts(Struct, frozen=True):
    """A box without content has no height."""

    title: Box
    sentence: Box
    lines: Box
    rows: tuple[tuple[int, Box], ...]
    notices: Box
    hint: Box
    row_size: int = 0
    """The size of the rows' type, in pixels; without rows that of the title and the sentence."""
    picture: Box | None = None
    headings: tuple[tuple[str, Box], ...] = ()


def place_at(places: Iterable[tuple[int, Box]], x: int, y: int) -> int | None:
    """Return the number of the row, or of the digit's key, at that pixel."""
    return next((number for number, box in places if box.holds(x, y)), None)


def menu_parts(box: Box, menu: MenuFace, smallest: int, measure: Measure, *, warned: bool) -> PageParts:
    """Return the places of a director's page in ``box``; ``warned``: with notices, which take from the hint's room, so that no row moves."""
    inner = box.inset(box.height // 20 + max(2, box.height // 160))
    head, foot = inner.height * 17 // 100, inner.height * 9 // 100
    # The times are as legible below the title as beside it.
    head = head * 4 // 3 if title_above(inner.top(head)) else head
    rest = inner.below(head + inner.height // 20).top(inner.height - head - foot - inner.height // 10)
    below, hint = inner.below(rest.bottom - inner.y), inner.below(inner.height - foot)
    notices = below.top(below.height * 11 // 20 if warned else 0)
    if warned:
        hint = below.below(below.height * 12 // 20)
    picture = None
    if menu.asks_side:
        rest, picture = _with_picture(rest)
    return replace(_parts(_Frame(inner.top(head), rest, notices, hint), menu, smallest, measure), picture=picture)


def title_above(head: Box) -> bool:
    """Return whether a director's page has its title above the times: it is too narrow for them side by side."""
    return head.width < 5 * head.height


def _with_picture(rest: Box) -> tuple[Box, Box]:
    if rest.width > rest.height:
        rows = rest.left(rest.width * 6 // 10)
        return rows, rest.beside(rows.width).inset(rest.width // 40)
    rows = rest.top(rest.height * 6 // 10)
    return rows, rest.below(rows.height).inset(rest.height // 40)


def page_parts(box: Box, page: MenuFace, smallest: int, measure: Measure) -> PageParts:
    """Return the places of a page of the table menu in ``box``, whose smallest type has ``smallest`` pixels.

    A title or hint that is too long for one line gets the room of two.
    """
    if not page.rows:
        return _instructing(box, page, smallest, measure)
    arrow = smallest * 2 if page.own_move else 0
    head = _lines_of(page.title, box.width, row_size(smallest), measure)
    foot = _lines_of(page.hint, box.width - arrow, smallest, measure)
    title, hint = box.top(lines_height(head, row_size(smallest))), box.below(box.height - lines_height(foot, smallest))
    rest = box.below(title.height).top(box.height - title.height - hint.height)
    return _parts(_Frame(title, rest, rest.below(rest.height), hint), page, smallest, measure)


class EntryParts(Struct, frozen=True):
    """The places of a value that is entered, digit by digit."""

    title: Box
    digits: Box
    hint: Box
    """Without height where keys take its place."""
    keys: tuple[tuple[int, Box], ...] = ()


def entry_parts(box: Box, *, touched: bool) -> EntryParts:
    high = box.height
    if not touched:
        return EntryParts(box.top(high * 22 // 100), box.below(high * 25 // 100).top(high * 39 // 100), box.below(high * 66 // 100))
    rows = 1 if box.width > WIDE_KEYS * high else 2
    columns, pad = len(KEY_DIGITS) // rows, box.below(high * (60 if rows == 1 else 52) // 100)
    wide, tall = pad.width // columns, pad.height // rows
    keys = tuple(
        (
            digit,
            Box(pad.x + place % columns * wide, pad.y + place // columns * tall, wide, tall).inset(max(1, wide // 24), max(1, tall // 16)),
        )
        for place, digit in enumerate(KEY_DIGITS)
    )
    digits = box.below(high * 20 // 100).top(high * (36 if rows == 1 else 29) // 100)
    return EntryParts(box.top(high * 18 // 100), digits, box.below(high), keys)


KEY_DIGITS: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
WIDE_KEYS: Final = 3
"""A page that is so many times as wide as high has its keys in one row."""


def _instructing(box: Box, page: MenuFace, smallest: int, measure: Measure) -> PageParts:
    """Return the places of a page without rows: what it asks and what to do, both as large as they can be, and below them what changes."""
    # Their box has a margin above and below.
    previewed = lines_height(len(page.lines), smallest) * 5 // 4 if page.lines else 0
    told = box.top(box.height - previewed)
    size = fit([page.title, page.sentence], told, measure, told.height // 4, 1.0, smallest=smallest, even=True).size
    title = told.top(lines_height(_lines_of(page.title, told.width, size, measure), size))
    rest = told.below(title.height)
    return PageParts(title, rest, box.below(told.height), (), rest.below(rest.height), rest.below(rest.height), size)


def row_size(smallest: int) -> int:
    return int(smallest * ROW_OF_TYPE)


def _lines_of(text: str, width: int, size: int, measure: Measure) -> int:
    return len(fit([text], Box(0, 0, width, 100 * size), measure, size, 1.0, smallest=size, even=True).lines) if text else 0


def words_in(width: int, tall: int) -> int:
    """Return the width of the words in a row of that size, in pixels: beside them is room for a triangle."""
    return width - triangle_in(width, tall) * 5 // 4


def triangle_in(width: int, tall: int) -> int:
    return min(tall, width // 7)


class _Frame(Struct, frozen=True):
    title: Box
    rest: Box
    notices: Box
    hint: Box


def _parts(frame: _Frame, menu: MenuFace, smallest: int, measure: Measure) -> PageParts:
    """Return the places: the sentence and the lines above the rows, as many of these as have room."""
    rest, size = frame.rest, row_size(smallest)
    most = max(1, rest.height // row_height(1, size))
    named = min(SENTENCE_ROWS, most - 1) if menu.sentence else 0
    unit = rest.height // most
    sentence, below = rest.top(named * unit), rest.below(named * unit)
    # A question is never without both its answers.
    left = below.height - unit * max(1, min(MIN_ROWS, len(menu.rows)))
    lines = below.top(max(0, min(left, len(menu.lines) * _line_height(below.width, smallest))) if menu.rows else below.height)
    placed, size = _placed(below.below(lines.height), menu, size, measure) if menu.rows else ((), size)
    rows = tuple((line, box) for line, box in placed if isinstance(line, int))
    headings = tuple((line, box) for line, box in placed if isinstance(line, str))
    return PageParts(frame.title, sentence, lines, rows, frame.notices, frame.hint, size, headings=headings)


def _line_height(width: int, smallest: int) -> int:
    """Return the height in pixels of a line above the rows, the same whatever it says, so that no row moves."""
    return lines_height(1 if width >= WIDE_LINE * smallest else 2, round(smallest * EASY)) * 7 // 6


def row_edge(size: int) -> int:
    return max(1, size // 20)


def row_height(lines: int, size: int) -> int:
    return lines_height(lines, size) + 2 * row_edge(size)


def _placed(box: Box, menu: MenuFace, size: int, measure: Measure) -> tuple[tuple[tuple[int | str, Box], ...], int]:
    """Return the places of the visible rows and of their groups' names, and the size of their type: as large as all have room for on one line, never less than ``size``."""
    one, width = row_height(1, size), words_in(box.width, row_height(1, size)) - size * 2 // 3
    visible = visible_lines(menu, [row_height(_lines_of(row, width, size, measure), size) for row in menu.rows], one, box.height)
    heights = [one if isinstance(line, str) else row_height(_lines_of(menu.rows[line], width, size, measure), size) for line in visible]
    if len(menu.rows) == sum(isinstance(line, int) for line in visible) and max(heights) == one:
        tall = max(one, min(box.height // len(visible), box.height // HIGHEST_ROW))
        heights = [tall] * len(visible)
        larger = (
            each for each in range(tall * 13 // 20, size, -1) if _are_lines(menu, words_in(box.width, row_height(1, each)), each, measure)
        )
        size = next(larger, size)
    else:
        spare = max(0, box.height - sum(heights)) // len(visible)
        heights = [height + min(spare, height // 4) for height in heights]
    tops = accumulate(heights, initial=box.y)
    return tuple((line, Box(box.x, top, box.width, height)) for line, top, height in zip(visible, tops, heights, strict=False)), size


def visible_lines(menu: MenuFace, heights: Sequence[int], heading: int, room: int) -> list[int | str]:
    """Return what is visible in ``room``: rows of ``heights`` by their numbers about the chosen one, and above the rows of a group its name, ``heading`` high."""
    lines = list(_lines(menu))
    tall = [heading if isinstance(line, str) else heights[line] for line in lines]
    shown = shown_rows(tall, None if menu.chosen is None else lines.index(menu.chosen), room)
    visible = lines[shown.start : shown.stop]
    first = visible[0] if visible else ""
    if isinstance(first, str) or first == menu.chosen or not menu.groups or not menu.groups[first] or len(visible) <= MIN_ROWS:
        return visible
    # The group began further up: its name takes the first row's place, unless the next group begins just below.
    return visible[1:] if isinstance(visible[1], str) else [menu.groups[first], *visible[1:]]


def _lines(menu: MenuFace) -> Iterator[int | str]:
    for index in range(len(menu.rows)):
        group = menu.groups[index] if menu.groups else ""
        if group and (index == 0 or menu.groups[index - 1] != group):
            yield group
        yield index


def _are_lines(menu: MenuFace, width: int, size: int, measure: Measure) -> bool:
    return all(measure(row, size) <= width - size * 2 // 3 for row in menu.rows)


class FillPlace(Struct, frozen=True):
    over: Side | None
    """The half under it; None: the strip."""
    box: Box
    readers: tuple[tuple[Box, int], ...]

    @property
    def both_ways(self) -> bool:
        """It grows from the middle, the same for two readers; else in the reading direction of the only one."""
        return len(self.readers) > 1

    @property
    def from_right(self) -> bool:
        return not self.both_ways and self.readers[0][1] != 0


def fill_place(layout: Layout, where: Side | None, room: Room) -> FillPlace:
    """Return the place of a fill of that half, beside digits in their ``room``, or of the strip if ``where`` is None or a half that the screen does not show."""
    half = next((each for each in layout.halves if each.side is where), None)
    return _on_strip(layout.strip) if half is None else _on_half(half, room)


def _on_half(half: HalfLayout, room: Room) -> FillPlace:
    page, place = half.parts(room).words, half.place
    x, y = (page.x, page.y) if half.turn == 0 else (place.width - page.right, place.height - page.bottom)
    return FillPlace(half.side, Box(place.x + x, place.y + y, page.width, page.height), ((_inside(page), half.turn),))


def _on_strip(strip: Strip) -> FillPlace:
    box = strip.place
    if len(strip.notes) == 1:
        return FillPlace(None, box, ((_inside(box), 0),))
    return FillPlace(None, box, tuple((_within(note.place, box), note.turn) for note in strip.notes))


def _inside(box: Box) -> Box:
    edge = min(box.width, box.height)
    return Box(0, 0, box.width, box.height).inset(max(6, edge // 8), max(3, edge // 12))


def _within(note: Box, box: Box) -> Box:
    # The plate's edge stays clear of the words.
    return Box(note.x - box.x, note.y - box.y, note.width, note.height).inset(box.height // 8, 0)
