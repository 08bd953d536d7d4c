"""What lies over the words of a half, a page of rows or a fill: its places, for drawing and for the row that a mouse or a finger hits. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.display.layout import Box, Measure, fit, lines_height
from firmware.face.value import MenuFace
from firmware.screens.layout import HalfLayout, Layout, Strip
from rules.side import Side


def shown_rows(count: int, chosen: int | None, room: int) -> range:
    """Return which of ``count`` rows are visible if ``room`` fit: the chosen one is among them, if possible in the middle."""
    if count <= room:
        return range(count)
    first = min(max(0, (chosen or 0) - room // 2), count - room)
    return range(first, first + room)


MAX_ROWS: Final = 8
MIN_ROWS: Final = 2
"""The number of rows that lines leave room for: "Back" and "Do it"."""
MAX_LINES: Final = 4
"""The number of lines in normal size; more are set smaller in the same room."""
MAX_BESIDE_NOTICES: Final = 6
"""The number of rows beside notices, so that these keep their size."""
SENTENCE_ROWS: Final = 3
"""The room of the sentence to confirm, in rows."""
ROW_EDGES: Final = 5
"""What a row keeps free above and below its lines, in pixels."""
ROW_OF_TYPE, HIGH_ROW_OF_TYPE, LOW_ROW_OF_TYPE = 2.2, 3.4, 1.7
"""A row's least height and its largest, in its smallest type; and the least on a narrow page: 22 pixels on a panel of 480."""
NARROW_PAGE: Final = 32
"""A page of less width, in its smallest type, is on a panel whose shorter edge has 480 pixels or fewer."""
HINT_OF_TYPE: Final = 1.25
"""The size of a hint, in the smallest type, where a page has room for it on two lines."""


class PageParts(Struct, frozen=True):
    """The places of a page; a box without content has no height."""

    title: Box
    sentence: Box
    lines: Box
    rows: tuple[tuple[int, Box], ...]
    """The visible rows, by their numbers in the page."""
    notices: Box
    hint: Box
    picture: Box | None = None
    """The place of the table's picture on a page that asks for a player."""
    headings: tuple[tuple[str, Box], ...] = ()
    """The names of the visible groups, each above its rows."""

    def row_at(self, x: int, y: int) -> int | None:
        """Return the row at that pixel of the page, or None."""
        return next((index for index, box in self.rows if box.holds(x, y)), None)


def menu_parts(box: Box, menu: MenuFace, *, warned: bool) -> PageParts:
    """Return the places of a director's page in ``box``; ``warned``: with notices."""
    inner = box.inset(box.height // 20 + max(2, box.height // 160))
    head, foot = inner.height * 15 // 100, inner.height * 10 // 100
    rest = inner.below(head + inner.height // 20).top(inner.height - head - foot - inner.height // 10)
    notices = rest.below(rest.height)
    if warned:
        notices = rest.below(rest.height - inner.height * 13 // 100)
        rest = rest.top(rest.height - notices.height - inner.height // 40)
    picture = None
    if menu.asks_side:
        rest, picture = _with_picture(rest)
    frame = _Frame(inner.top(head), rest, notices, inner.below(inner.height - foot))
    return replace(_parts(frame, menu, MAX_BESIDE_NOTICES if warned else MAX_ROWS), picture=picture)


def _with_picture(rest: Box) -> tuple[Box, Box]:
    """Return the place of the rows, and that of the table's picture beside or below them."""
    if rest.width > rest.height:
        rows = rest.left(rest.width * 6 // 10)
        return rows, rest.beside(rows.width).inset(rest.width // 40)
    rows = rest.top(rest.height * 6 // 10)
    return rows, rest.below(rows.height).inset(rest.height // 40)


def page_parts(box: Box, page: MenuFace, smallest: int, measure: Measure) -> PageParts:
    """Return the places of a page of the table menu in ``box``, whose smallest type has ``smallest`` pixels.

    A hint or row that is too long for one line gets the room of more.
    """
    hinted, eased = max(int(smallest * 1.3), box.height * 9 // 100), round(smallest * HINT_OF_TYPE)
    if measure(page.hint, eased) > box.width - hinted:
        size = eased if box.height * 20 // 100 >= lines_height(2, eased) else smallest
        lines = len(fit([page.hint], Box(0, 0, box.width - 2 * smallest, box.height), measure, size, 1.0, smallest=size).lines)
        hinted = max(hinted, lines_height(lines, size))
    title, hint = box.top(max(int(smallest * 1.5), box.height * 13 // 100)), box.below(box.height - hinted)
    rest = box.below(title.height).top(min(box.height - title.height - hint.height, int(MAX_ROWS * smallest * HIGH_ROW_OF_TYPE)))
    most = _most_rows(rest, smallest * (LOW_ROW_OF_TYPE if box.width < NARROW_PAGE * smallest else ROW_OF_TYPE))
    unit = rest.height // most
    lines = max((-(-measure(row, smallest) * 11 // (10 * words_in(box.width, unit))) for row in page.rows), default=1)
    if lines > 1 and unit < lines_height(lines, smallest) + ROW_EDGES:
        most = _most_rows(rest, lines_height(lines, smallest) + ROW_EDGES)
    return _parts(_Frame(title, rest, rest.below(rest.height), hint), page, most)


def words_in(width: int, tall: int) -> int:
    """Return the width of the words in a row of that size, in pixels: beside them is room for a triangle."""
    return width - triangle_in(width, tall) * 5 // 4


def triangle_in(width: int, tall: int) -> int:
    """Return the edge of the triangle's place in a row, in pixels."""
    return min(tall, width // 7)


def _most_rows(rest: Box, least: float) -> int:
    return max(1, min(MAX_ROWS, int(rest.height / least)))


class _Frame(Struct, frozen=True):
    """The places around a page's content, and the content's own."""

    title: Box
    rest: Box
    notices: Box
    hint: Box


def _parts(frame: _Frame, menu: MenuFace, most: int) -> PageParts:
    """Return the places: the sentence and the lines above the rows, of which at most ``most`` have room."""
    rest = frame.rest
    named = min(SENTENCE_ROWS, most - 1) if menu.sentence else 0
    # A question is never without both its answers.
    above = min(len(menu.lines), MAX_LINES, max(0, most - named - max(1, min(MIN_ROWS, len(menu.rows)))))
    unit = rest.height // most
    sentence, below = rest.top(named * unit), rest.below(named * unit)
    lines = below.top(above * unit) if menu.rows else below.top(below.height if menu.lines else 0)
    listed = rest.below((named + above) * unit)
    placed = _placed(listed, menu, most - named - above)
    rows = tuple((line, box) for line, box in placed if isinstance(line, int))
    headings = tuple((line, box) for line, box in placed if isinstance(line, str))
    return PageParts(frame.title, sentence, lines, rows, frame.notices, frame.hint, headings=headings)


def _placed(box: Box, menu: MenuFace, most: int) -> list[tuple[int | str, Box]]:
    """Return the visible rows by their numbers, and the names of their groups, each with its place."""
    visible = visible_lines(menu, most)
    if not visible:
        return []
    tall = min(box.height // len(visible), max(box.height // 5, box.height // most))
    return [(line, Box(box.x, box.y + place * tall, box.width, tall)) for place, line in enumerate(visible)]


def visible_lines(menu: MenuFace, room: int) -> list[int | str]:
    """Return what is visible where ``room`` lines fit: rows by their numbers about the chosen one, and above the rows of a group its name."""
    lines = list(_lines(menu))
    shown = shown_rows(len(lines), None if menu.chosen is None else lines.index(menu.chosen), max(1, room))
    visible = lines[shown.start : shown.stop]
    first = visible[0] if visible else ""
    if isinstance(first, str) or not menu.groups or not menu.groups[first] or room <= MIN_ROWS:
        return visible
    # The group began further up: its name takes the first row's place, unless the next group begins just below.
    return visible[1:] if isinstance(visible[1], str) else [menu.groups[first], *visible[1:]]


def _lines(menu: MenuFace) -> Iterator[int | str]:
    """Yield the rows by their numbers, and before the first row of each group its name."""
    for index in range(len(menu.rows)):
        group = menu.groups[index] if menu.groups else ""
        if group and (index == 0 or menu.groups[index - 1] != group):
            yield group
        yield index


class FillPlace(Struct, frozen=True):
    """Where a fill is drawn."""

    over: Side | None
    """The half under it; None: the strip."""
    box: Box
    """On the screen."""
    readers: tuple[tuple[Box, int], ...]
    """The words' places in the box, each with its rotation in degrees."""

    @property
    def both_ways(self) -> bool:
        """It grows from the middle, the same for two readers; else in the reading direction of the only one."""
        return len(self.readers) > 1

    @property
    def from_right(self) -> bool:
        """Its only reader sits across."""
        return not self.both_ways and self.readers[0][1] != 0


def fill_place(layout: Layout, where: Side | None, *, large: bool) -> FillPlace:
    """Return the place of a fill of that half, or of the strip if ``where`` is None or a half that the screen does not show; ``large``: beside large digits."""
    half = next((each for each in layout.halves if each.side is where), None)
    return _on_strip(layout.strip) if half is None else _on_half(half, large=large)


def _on_half(half: HalfLayout, *, large: bool) -> FillPlace:
    page, place = (half.large if large else half.parts).words, half.place
    x, y = (page.x, page.y) if half.turn == 0 else (place.width - page.right, place.height - page.bottom)
    return FillPlace(half.side, Box(place.x + x, place.y + y, page.width, page.height), ((_inside(page), half.turn),))


def _on_strip(strip: Strip) -> FillPlace:
    box = strip.place
    if len(strip.notes) == 1:
        return FillPlace(None, box, ((_inside(box), 0),))
    readers = tuple((_within(note.place, box), note.turn) for note in strip.notes)
    return FillPlace(None, box, readers)


def _inside(box: Box) -> Box:
    edge = min(box.width, box.height)
    return Box(0, 0, box.width, box.height).inset(max(6, edge // 8), max(3, edge // 12))


def _within(note: Box, box: Box) -> Box:
    # The plate's edge stays clear of the words.
    lies = Box(note.x - box.x, note.y - box.y, note.width, note.height)
    return lies.inset(box.height // 8, 0)
