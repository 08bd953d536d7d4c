"""Draw a page of rows, with the cursor's as a filled plate: the rows of every menu, and the whole page of the table menu.

The director's page replaces everything else; both times remain visible at its top. A window's card, and the shell's notices, that neither players nor director
must miss, are drawn here too.
"""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from appliance.display.drawing import Pen, framed, measure, rounded, stamp
from appliance.display.layout import Box, Colour, fit, lines_height
from firmware.face.value import HalfFace, MenuFace, WindowFace
from firmware.screens.digits import DOWNWARD, UPWARD, USUAL
from firmware.screens.page_layout import (
    EASY,
    EntryParts,
    PageParts,
    entry_parts,
    menu_parts,
    page_parts,
    row_edge,
    row_height,
    row_size,
    title_above,
    triangle_in,
    words_in,
)
from firmware.screens.scribe import AMBER, GROUND, INK, IVORY, MIST, SLATE, STEEL, WAITS, HalfColours, Scribe, reading
from rules.side import BySide, Side

FIGURES: Final = (45, 33)
"""The largest share of a ticket's width for its reading, in percent: less if its words need the room."""


_Writing: TypeAlias = tuple[str, Box, Pen]


class _Ticket(Struct, frozen=True):
    box: Box
    words: tuple[_Writing, ...]
    figures: Box

    def fits(self, scribe: Scribe) -> bool:
        return all(scribe.is_even(*words) for words in self.words)


def paint_window(scribe: Scribe, box: Box, window: WindowFace, colours: HalfColours, largest: int) -> None:
    """Draw the card of a window into ``box``, in type of ``largest`` pixels at most."""
    tickets = _tickets(scribe, box, window, colours, largest)
    ticket = next((each for each in tickets if each.fits(scribe)), tickets[0])
    ground, ink = _ticket_colours(colours)
    rounded(scribe.surface, ticket.box, max(4, min(ticket.box.width, ticket.box.height) // 9), ground)
    for text, place, pen in ticket.words:
        scribe.write((text,), place, pen)
    reading(scribe.surface, window.reading, ticket.figures, ink, place=1.0)


def window_fits(scribe: Scribe, box: Box, window: WindowFace, colours: HalfColours, largest: int) -> bool:
    return any(each.fits(scribe) for each in _tickets(scribe, box, window, colours, largest))


def _tickets(scribe: Scribe, box: Box, window: WindowFace, colours: HalfColours, largest: int) -> list[_Ticket]:
    line, colour = lines_height(1, scribe.smallest), _ticket_colours(colours)[1]
    return [_ticket(_not_too_tall(box), window, colour, share, line=line, largest=largest) for share in FIGURES]


def _not_too_tall(box: Box) -> Box:
    spare = max(0, box.height - box.width * 9 // 20)
    return Box(box.x, box.y + spare // 2, box.width, box.height - spare)


def _ticket_colours(colours: HalfColours) -> tuple[Colour, Colour]:
    return (AMBER, INK) if colours.panel != AMBER and colours.digits != INK else (INK, AMBER)


def _ticket(  # noqa: PLR0913 - each parameter is a property of the style
    box: Box, window: WindowFace, colour: Colour, share: int, *, line: int, largest: int
) -> _Ticket:
    tight = share != FIGURES[0]
    inner = box.inset(max(4, box.height // 10), 1) if tight else box.inset(max(6, box.height // 8), max(4, box.height // 10))
    figures = min(int(inner.height * 0.80 * USUAL.width_of(window.reading)), inner.width * share // 100)
    words = inner.left(inner.width - figures - inner.width // 24)
    title = words.top(max(line, words.height * 35 // 100) if tight else words.height * 40 // 100)
    room = inner.beside(inner.width - figures)
    said = (
        (window.title, title, Pen(colour, largest=largest)),
        (window.text, words.below(title.height), Pen(colour, largest=min(largest, title.height * 8 // 10), one_line=0.8)),
    )
    return _Ticket(box, said, room.inset(0, room.height // 10))


LEGIBLE: Final = 0.28
"""The smallest text size, as a share of the plate's height: if all notices together would be smaller, only the gravest is shown, with a count of the rest."""


def notices_fit(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> bool:
    shown, place, pen, _ = _notice_words(scribe, box, notices)
    return scribe.fits(shown, place, pen)


def paint_notices(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> None:
    """Draw ``notices``, gravest first, on a plate that fills ``box``; whole sentences of them, if not all."""
    rounded(scribe.surface, box, box.height // 6, AMBER)
    standing, place, pen, count = _notice_words(scribe, box, notices)
    if count is not None:
        scribe.write([f"+{len(notices) - 1}"], count, Pen(INK, largest=count.width * 2 // 3, place=1.0))
    whole = [standing] if len(standing) > 1 else [(text,) for text in _beginnings(standing[0])]
    scribe.write(next((each for each in whole if scribe.fits(each, place, pen)), standing), place, pen)


def _notice_words(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> tuple[tuple[str, ...], Box, Pen, Box | None]:
    """Return what stands on the plate, where and how, and the place for the count of the others, if they have no room."""
    inner = box.inset(max(4, min(box.width, box.height) // 5), max(1, box.height // 40))
    pen = Pen(INK, largest=max(11, inner.height * 6 // 10))
    small = fit(notices, inner, measure, pen.largest).size < max(LEGIBLE * box.height, scribe.smallest)
    if len(notices) == 1 or not (small or not scribe.fits(notices, inner, pen)):
        return notices, inner, pen, None
    counted = min(inner.height * 7 // 10, max(inner.width // 12, scribe.smallest * 2))
    return notices[:1], inner.left(inner.width - counted), pen, inner.beside(inner.width - counted)


def _beginnings(notice: str) -> Iterator[str]:
    sentences = notice.split(". ")
    yield notice
    for count in range(len(sentences) - 1, 0, -1):
        yield ". ".join(sentences[:count])


def paint_page(scribe: Scribe, box: Box, page: MenuFace, colours: HalfColours, *, touched: bool = False) -> None:
    """Draw a page of the table menu into ``box``, on a ground of ``colours``; ``touched``: with keys for digits."""
    if page.digit is not None:
        _paint_entry(scribe, entry_parts(box, touched=touched), page, colours)
        return
    parts = page_parts(box, page, scribe.smallest, measure)
    title, hint = parts.title, parts.hint
    if page.own_move and page.rows:
        hint = _paint_move(scribe, hint, page.own_move, colours)
    largest, least = (None, row_size(scribe.smallest)) if page.rows else (parts.row_size, scribe.smallest)
    pen = Pen(colours.accent, largest=largest, one_line=1.0, smallest=least)
    scribe.write([page.title], title, pen)
    # Rows are no larger than what is asked, and what to do without rows is as large.
    asked = scribe.size([page.title], title, pen) if page.title else None
    paint_rows(scribe, parts, page, colours, asked)
    scribe.write([page.hint], hint, Pen(colours.quiet))


def _paint_entry(scribe: Scribe, parts: EntryParts, page: MenuFace, colours: HalfColours) -> None:
    head, asked = Pen(colours.accent, one_line=0.8), (page.title,) if parts.hint.height else (page.title, *page.lines)
    scribe.write_most(asked, parts.title, head)
    (value,), middle = page.figures, parts.digits
    wide = middle.height * 3 // 4
    left = middle.x + max(0, (middle.width - wide * len(value)) // 2)
    for place, digit in enumerate(value):
        cell = Box(left + place * wide, middle.y, wide, middle.height)
        chosen = place == page.digit
        if chosen:
            rounded(scribe.surface, cell, wide // 8, colours.digits)
        reading(scribe.surface, digit, cell.inset(wide // 8, middle.height // 10), colours.panel if chosen else colours.words)
    for each, key in parts.keys:
        rounded(scribe.surface, key, min(key.width, key.height) // 6, STEEL)
        reading(scribe.surface, str(each), key.inset(0, key.height // 6), IVORY)
    if parts.hint.height:
        # What the buttons do is no larger than what is asked.
        largest = scribe.size([page.title], parts.title, head)
        scribe.write_most([page.hint, *page.lines], parts.hint, Pen(colours.words, largest=largest, one_line=0.9))


def _paint_move(scribe: Scribe, box: Box, move: int, colours: HalfColours) -> Box:
    """Draw the arrow of the own button, which moves the cursor up (-1) or down (1), and return the rest of ``box`` for the words."""
    edge = min(box.height, scribe.smallest * 3 // 2)
    arrow = Box(box.right - edge, box.y + (box.height - edge) // 2, edge, edge)
    stamp(scribe.surface, UPWARD if move < 0 else DOWNWARD, arrow, colours.accent)
    return box.left(box.width - edge * 5 // 4)


def paint_rows(scribe: Scribe, parts: PageParts, menu: MenuFace, colours: HalfColours, largest: int | None = None) -> None:
    if largest is None:
        largest = scribe.surface.get_height()
    elif not menu.rows:
        parts = replace(parts, row_size=largest)
    if menu.sentence:
        pen = Pen(colours.words, largest=parts.sentence.height * 45 // 100, one_line=0.8)
        scribe.write([menu.sentence], parts.sentence, pen if menu.rows else Pen(colours.words, largest=parts.row_size, one_line=1.0))
    if parts.lines.height:
        box = parts.lines.inset(0, parts.lines.height // 12)
        most = (
            min(box.height * 3 // 4, round(scribe.smallest * EASY), largest) if menu.rows else max(scribe.smallest, parts.row_size * 3 // 4)
        )
        scribe.write_most(menu.lines, box, Pen(colours.accent, largest=most, drop=0.0))
    if not parts.rows:
        return
    size = min(parts.row_size, max(largest, row_size(scribe.smallest)))
    for name, place in parts.headings:
        scribe.surface.fill(STEEL, (place.x, place.bottom - max(1, size // 10), place.width, max(1, size // 20)))
        scribe.write([name], place.inset(size // 3, 0), Pen(colours.accent, largest=size))
    for index, place in parts.rows:
        row = place.inset(0, row_edge(parts.row_size))
        chosen = index == menu.chosen
        grey = index in menu.grey
        if chosen:
            rounded(scribe.surface, row, row.height // 5, colours.quiet if grey else colours.digits)
        colour = colours.panel if chosen else colours.quiet if grey else colours.words
        # A long row has two lines rather than a smaller type.
        pen, inner = Pen(colour, largest=size, smallest=size, one_line=1.0), row.inset(size // 3, 0)
        words = inner.left(words_in(inner.width, row_height(1, size)))
        # Without more rows there is no triangle: a long row may have its place.
        fits = len(parts.rows) < len(menu.rows) or scribe.fits([menu.rows[index]], words, pen)
        scribe.write([menu.rows[index]], words if fits else inner, pen)
    _paint_more(scribe, parts, menu, colours)


def _paint_more(scribe: Scribe, parts: PageParts, menu: MenuFace, colours: HalfColours) -> None:
    (first, top), (last, foot) = parts.rows[0], parts.rows[-1]
    for index, box, shape, more in ((first, top, UPWARD, first > 0), (last, foot, DOWNWARD, last < len(menu.rows) - 1)):
        if more:
            edge = triangle_in(box.width, box.height)
            place = Box(box.right - edge, box.y + (box.height - edge) // 2, edge, edge).inset(edge // 4)
            stamp(scribe.surface, shape, place, colours.panel if index == menu.chosen else colours.words)


_COLOURS: Final = replace(WAITS, panel=INK)


class MenuView(Struct, frozen=True):
    """Equal views give equal pictures."""

    menu: MenuFace
    halves: BySide[HalfFace]
    notices: tuple[str, ...] = ()
    table: BySide[Box] | None = None


def paint_menu(scribe: Scribe, box: Box, view: MenuView) -> None:
    scribe.surface.fill(GROUND)
    edge = max(2, box.height // 160)
    framed(scribe.surface, box, box.height // 24, (AMBER, SLATE), edge)
    parts = menu_parts(box, view.menu, scribe.smallest, measure, warned=bool(view.notices))
    # What the page asks is its largest text but for what would change.
    asked = _paint_head(scribe, parts.title, view)
    rule = parts.title.below(parts.title.height)
    scribe.surface.fill(STEEL, (rule.x, rule.y + box.height // 45, rule.width, max(1, edge // 2)))
    if view.notices:
        paint_notices(scribe, parts.notices, view.notices)
    paint_rows(scribe, parts, view.menu, _COLOURS, asked)
    if parts.picture is not None and view.table is not None:
        _paint_table(scribe, parts.picture, view, view.table, asked)
    largest = min(parts.hint.height * 2 // 3, asked)
    counted = max(parts.hint.width // 6, measure(view.menu.place, scribe.smallest) * 9 // 8) if view.menu.place else 0
    scribe.write([view.menu.hint], parts.hint.left(parts.hint.width - counted), Pen(MIST, largest=largest))
    if counted:
        scribe.write([view.menu.place], parts.hint.beside(parts.hint.width - counted), Pen(IVORY, largest=largest, place=1.0))


_PATTERNS: Final[Mapping[str, tuple[Colour, Colour]]] = {
    "red": ((255, 0, 0), INK),
    "green": ((0, 255, 0), INK),
    "blue": ((0, 0, 255), IVORY),
    "white": ((255, 255, 255), INK),
    "black": ((0, 0, 0), IVORY),
    "edges": ((0, 0, 0), IVORY),
    "plain": (GROUND, IVORY),
}
"""The ground and the type of each pattern."""


def paint_pattern(scribe: Scribe, box: Box, menu: MenuFace) -> None:
    """Draw a colour up to each edge, or a line one pixel wide along the edges; the words stand on it, and what they cover shows with the other colours."""
    ground, ink = _PATTERNS[menu.pattern]
    line = 1 if menu.pattern == "edges" else 0
    scribe.surface.fill(ink)
    scribe.surface.fill(ground, (line, line, box.width - 2 * line, box.height - 2 * line))
    words = box.inset(box.width // 16, box.height // 16)
    title, hint = words.top(words.height // 7), words.below(words.height * 7 // 8)
    rest = words.below(words.height // 6).top(words.height * 2 // 3)
    asked = rest.top(rest.height * (4 if not menu.lines else 3 if len(menu.lines) == 1 else 1) // 4)
    pen = Pen(ink, largest=title.height * 3 // 4)
    scribe.write([menu.title], title, pen)
    scribe.write([menu.sentence], asked, Pen(ink, largest=title.height))
    if menu.lines:
        scribe.write_most(menu.lines, rest.below(asked.height), pen)
    scribe.write([menu.hint], hint, pen)


def _paint_table(scribe: Scribe, picture: Box, view: MenuView, table: BySide[Box], largest: int) -> None:
    edge = max(2, picture.height // 60)
    for side, place in on_table(picture, table).items():
        marked = side is view.menu.marked
        framed(scribe.surface, place.inset(edge), place.height // 10, (IVORY if marked else STEEL, IVORY if marked else SLATE), edge)
        half, inner = view.halves.of(side), place.inset(place.width // 24, place.height // 6)
        # On a narrow screen the reading alone says whose half it is: both stand at the top of the page with their names.
        named = inner.height // 2 if measure(half.name, scribe.smallest) <= inner.width else 0
        if named:
            scribe.write([half.name], inner.top(named), Pen(INK if marked else IVORY, largest=largest, place=0.5))
        reading(scribe.surface, half.reading, inner.below(named * 6 // 5), INK if marked else IVORY)


def paint_seat(scribe: Scribe, box: Box, table: BySide[Box], seat: Side, colour: Colour) -> Box:
    """Draw that player's place at the table, as the large picture marks it, at the left of ``box``; return the rest for the name."""
    for side, place in on_table(box.left(box.height * 3 // 2).inset(0, box.height // 10), table).items():
        scribe.surface.fill(colour, (place.x, place.y, place.width, place.height))
        if side is not seat:
            inner = place.inset(max(1, box.height // 16))
            scribe.surface.fill(scribe.surface.get_at((box.x, box.y)), (inner.x, inner.y, inner.width, inner.height))
    return box.beside(box.height * 7 // 4)


def on_table(picture: Box, table: BySide[Box]) -> BySide[Box]:
    wide, high = max(box.right for _, box in table.items()), max(box.bottom for _, box in table.items())
    scale = min(picture.width / wide, picture.height / high)
    left, top = picture.x + (picture.width - wide * scale) / 2, picture.y + (picture.height - high * scale) / 2
    return table.map(
        lambda box: Box(round(left + box.x * scale), round(top + box.y * scale), round(box.width * scale), round(box.height * scale))
    )


def _paint_head(scribe: Scribe, box: Box, view: MenuView) -> int:
    if title_above(box):
        title, times = box.top(box.height * 12 // 20), box.below(box.height * 13 // 20)
    else:
        title, times = box.left(box.width * 11 // 20), box.beside(box.width * 23 // 40)
    pen = Pen(AMBER, largest=box.height * 3 // 4, smallest=row_size(scribe.smallest))
    # As large as the rows, wherever it then breaks.
    pen = pen if scribe.fits([view.menu.title], title, pen) else replace(pen, smallest=scribe.smallest)
    scribe.write([view.menu.title], title, pen)
    half = times.width // 2
    for place, (side, shown) in zip((times.left(half), times.beside(half)), view.halves.items(), strict=True):
        if shown.runs:
            rounded(scribe.surface, place.inset(half // 24, 0), place.height // 6, IVORY)
        colour = INK if shown.runs else IVORY
        inner = place.inset(half // 12, place.height // 12)
        named = inner.height * 2 // 5
        name = inner.top(named) if view.table is None else paint_seat(scribe, inner.top(named), view.table, side, colour)
        scribe.write([shown.name], name, Pen(colour, largest=named * 3 // 4))
        reading(scribe.surface, shown.reading, inner.below(named), colour, place=0.0)
    return scribe.size([view.menu.title], title, pen)
