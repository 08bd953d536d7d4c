"""Draw an arrangement on a surface: each part in its box, but only the parts that have changed; with the colours, the icons, and plates and texts in a box.

Every text has a contrast of at least 7 to 1; good and bad also differ in lightness, so that colour-blind players can tell them apart. Icons need no font:
each is a figure of strokes one unit high.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from math import cos, radians, sin
from typing import Final

import pygame
from msgspec.structs import replace

from appliance.display.drawing import Pen, draw_qr, forget_texts, framed, measure, stamp, write
from appliance.display.layout import SMALLEST, Box, Colour, Polyline, Shape, lines_height
from kiosk.context import Value
from kiosk.face.page import Icon, Tone
from kiosk.layout.parts import ABOVE, APART, BARE, BESIDE, LEAST, NARROW, SIGN, goes_above, inside, largest
from kiosk.layout.placed import Arranged, Placed, What

GROUND: Final[Colour] = (13, 17, 23)
IVORY: Final[Colour] = (247, 242, 228)
INK: Final[Colour] = (14, 18, 24)
MIST: Final[Colour] = (176, 186, 198)
SLATE: Final[Colour] = (33, 41, 52)
NIGHT: Final[Colour] = (20, 26, 34)
STEEL: Final[Colour] = (84, 98, 114)
AMBER: Final[Colour] = (255, 198, 62)
MEADOW: Final[Colour] = (116, 214, 140)
CRIMSON: Final[Colour] = (152, 18, 30)
ROSE: Final[Colour] = (255, 138, 128)


class ItemColours(Value, frozen=True):
    """The colours of a part: field, edge, text and icon, secondary text."""

    field: Colour
    edge: Colour
    text: Colour
    quiet: Colour

    @property
    def pressed(self) -> ItemColours:
        return ItemColours(self.text, self.text, self.field, self.field)


COLOURS: Final[dict[Tone, ItemColours]] = {
    Tone.PLAIN: ItemColours(SLATE, STEEL, IVORY, MIST),
    Tone.MAIN: ItemColours(AMBER, AMBER, INK, INK),
    Tone.GOOD: ItemColours(MEADOW, MEADOW, INK, INK),
    Tone.BAD: ItemColours(CRIMSON, ROSE, IVORY, IVORY),
    Tone.WARNING: ItemColours(AMBER, AMBER, INK, INK),
    Tone.QUIET: ItemColours(NIGHT, STEEL, IVORY, MIST),
    Tone.OFF: ItemColours(NIGHT, NIGHT, MIST, MIST),
}
LETTER: Final = ItemColours(IVORY, IVORY, INK, INK)
CHOSEN: Final = ItemColours(SLATE, AMBER, IVORY, AMBER)
BARE_COLOURS: Final = ItemColours(GROUND, GROUND, IVORY, MIST)


WEIGHT: Final = 0.13


def _arc(middle: tuple[float, float], radius: float, start: int, end: int) -> Polyline:
    """Return an arc; degrees run clockwise from the right."""
    steps = max(4, abs(end - start) // 10)
    angles = [radians(start + (end - start) * step / steps) for step in range(steps + 1)]
    return tuple((middle[0] + radius * cos(angle), middle[1] + radius * sin(angle)) for angle in angles)


def _sign(name: Icon, *lines: Polyline, weight: float = WEIGHT, fills: tuple[Polyline, ...] = ()) -> Shape:
    return Shape(name.value, 1.0, lines, weight, fills)


_LOW: Final = 0.14
_HIGH: Final = 0.86
_SHOULDERS: Final[Polyline] = (*_arc((0.5, 0.98), 0.38, 180, 360), (0.12, 0.98))
_HEAD: Final = _arc((0.5, 0.27), 0.19, 0, 360)
_KEYHOLE: Final[Polyline] = ((0.2, 0.46), (0.8, 0.46), (0.8, 0.9), (0.2, 0.9), (0.2, 0.46))
_LEFT: Final[Polyline] = ((0.78, 0.1), (0.2, 0.5), (0.78, 0.9), (0.78, 0.1))
_SIGN: Final[Polyline] = ((0.5, 0.12), (0.92, 0.86), (0.08, 0.86), (0.5, 0.12))

SIGNS: Final[dict[Icon, Shape]] = {
    Icon.TICK: _sign(Icon.TICK, ((0.1, 0.55), (0.38, 0.84), (0.9, 0.18)), weight=0.19),
    Icon.CROSS: _sign(Icon.CROSS, ((_LOW, _LOW), (_HIGH, _HIGH)), ((_HIGH, _LOW), (_LOW, _HIGH)), weight=0.19),
    Icon.WARNING: _sign(Icon.WARNING, _SIGN, ((0.5, 0.4), (0.5, 0.58)), ((0.5, 0.72), (0.5, 0.721)), weight=0.1),
    Icon.LEFT: _sign(Icon.LEFT, _LEFT, fills=(_LEFT,), weight=0.1),
    Icon.RIGHT: _sign(Icon.RIGHT, tuple((1 - x, y) for x, y in _LEFT), fills=(tuple((1 - x, y) for x, y in _LEFT),), weight=0.1),
    Icon.UP: _sign(Icon.UP, tuple((y, x) for x, y in _LEFT), fills=(tuple((y, x) for x, y in _LEFT),), weight=0.1),
    Icon.DOWN: _sign(Icon.DOWN, tuple((y, 1 - x) for x, y in _LEFT), fills=(tuple((y, 1 - x) for x, y in _LEFT),), weight=0.1),
    Icon.BACK: _sign(Icon.BACK, ((0.1, 0.5), (0.92, 0.5)), ((0.44, _LOW), (0.1, 0.5), (0.44, _HIGH))),
    Icon.ERASE: _sign(
        Icon.ERASE,
        ((0.36, 0.18), (0.94, 0.18), (0.94, 0.82), (0.36, 0.82), (0.07, 0.5), (0.36, 0.18)),
        ((0.5, 0.38), (0.74, 0.62)),
        ((0.74, 0.38), (0.5, 0.62)),
        weight=0.09,
    ),
    Icon.PLUS: _sign(Icon.PLUS, ((0.5, 0.1), (0.5, 0.9)), ((0.1, 0.5), (0.9, 0.5)), weight=0.16),
    Icon.MINUS: _sign(Icon.MINUS, ((0.1, 0.5), (0.9, 0.5)), weight=0.16),
    Icon.REPEAT: _sign(Icon.REPEAT, _arc((0.5, 0.52), 0.36, -40, 250), ((0.52, 0.3), (0.8, 0.3), (0.8, 0.04))),
    Icon.PERSON: _sign(Icon.PERSON, _HEAD, _SHOULDERS[:-1], fills=(_HEAD, _SHOULDERS), weight=0.04),
    Icon.LOCK: _sign(
        Icon.LOCK, (*_arc((0.5, 0.34), 0.21, 180, 360), (0.71, 0.5)), ((0.29, 0.34), (0.29, 0.5)), fills=(_KEYHOLE,), weight=0.1
    ),
    Icon.HELP: _sign(Icon.HELP, (*_arc((0.5, 0.34), 0.23, 180, 405), (0.5, 0.58), (0.5, 0.66)), ((0.5, 0.87), (0.5, 0.871))),
    Icon.SPACE: _sign(Icon.SPACE, ((0.1, 0.46), (0.1, 0.72), (0.9, 0.72), (0.9, 0.46))),
    Icon.CLOCK: _sign(Icon.CLOCK, _arc((0.5, 0.5), 0.41, 0, 360), ((0.5, 0.26), (0.5, 0.52), (0.68, 0.62)), weight=0.1),
}


NEARLY: Final = 0.85


def plate(surface: pygame.Surface, box: Box, colours: ItemColours, *, edge: int | None = None) -> None:
    low = min(box.width, box.height)
    framed(surface, box, max(3, low // 8), (colours.edge, colours.field), max(1, low // 40) if edge is None else edge)


def sign(surface: pygame.Surface, icon: Icon, box: Box, colour: Colour) -> None:
    stamp(surface, SIGNS[icon], box, colour)


def sentence(surface: pygame.Surface, texts: Sequence[str], box: Box, pen: Pen) -> None:
    """Write ``texts``; wrap them, in even lines, before making them much smaller, and cut them before they are illegible."""
    write(surface, texts, box, replace(pen, one_line=NEARLY, even=True, smallest=LEAST))


def labelled(surface: pygame.Surface, box: Box, text: str, icon: Icon | None, pen: Pen) -> None:
    """Write ``text`` with its icon at the pen's place: side by side, or the icon above if that makes both larger.

    An icon that points to the right follows its text.
    """
    if not text:
        if icon is not None:
            sign(surface, icon, box.inset(box.width // 5, box.height // 5), pen.colour)
        return
    top = pen.largest or box.height
    beside = largest(text, box, top, BESIDE if icon else BARE, measure)
    above = largest(text, box, top, ABOVE, measure) if icon else (0, ())
    if icon is not None and goes_above(above[0], beside[0]):
        _draw_above(surface, box, icon, above[1], replace(pen, largest=above[0]))
    else:
        _draw_beside(surface, box, icon, beside[1], replace(pen, largest=beside[0]))


def _draw_beside(surface: pygame.Surface, box: Box, icon: Icon | None, lines: tuple[str, ...], pen: Pen) -> None:
    size = pen.largest or box.height
    tall, apart = (int(size * SIGN), int(size * APART)) if icon else (0, 0)
    wide = min(box.width - tall - apart, max(measure(line, size) for line in lines))
    left = box.x + int((box.width - wide - tall - apart) * pen.place)
    behind = icon is Icon.RIGHT
    if icon is not None:
        sign(surface, icon, Box(left + (wide + apart if behind else 0), box.y + (box.height - tall) // 2, tall, tall), pen.colour)
    field = Box(left + (0 if behind else tall + apart), box.y, wide, box.height)
    # Two lines are aligned to an icon before them; with an icon behind them they are centred, which looks better.
    write(surface, lines, field, pen if behind or not icon else replace(pen, place=0.0))


def _draw_above(surface: pygame.Surface, box: Box, icon: Icon, lines: tuple[str, ...], pen: Pen) -> None:
    size = pen.largest or box.height
    written = lines_height(len(lines), size)
    tall = max(int(size * SIGN), min(box.height - written, size * 2))
    top = box.y + max(0, box.height - tall - written) // 2
    sign(surface, icon, Box(box.x + int((box.width - tall) * pen.place), top, tall, tall), pen.colour)
    write(surface, lines, Box(box.x, top + tall, box.width, max(1, box.bottom - top - tall)), replace(pen, drop=0.0))


def footer(surface: pygame.Surface, item: Placed, _colours: ItemColours) -> None:
    """Draw all three side by side in one size, or the lexicon above the other two if the footer is high enough for two lines."""
    box = item.box
    lexicon, rulebook, station = item.texts
    surface.fill(COLOURS[Tone.QUIET].field, (box.x, box.y, box.width, box.height))
    inner = box.inset(item.size, max(1, box.height // 12))
    # A title is shortened rather than written too small for arm's length: without its middle parts, then without the last.
    parts, least = rulebook.split(", "), -(-item.size * 15 // 16)
    titles = (rulebook, ", ".join(parts[:: len(parts) - 1 or 1]), parts[0])
    pens = [Pen(MIST, item.size, place) for place in (0.0, 0.5, 1.0)]
    if box.height > item.size * 2.4:
        half = inner.height // 2
        write(surface, [lexicon], inner.top(half), pens[0])
        low = inner.below(half)
        wide = low.width - min(low.width * 2 // 5, measure(station, item.size) + item.size)
        write(surface, [next((each for each in titles if measure(each, least) <= wide), parts[0])], low.left(wide), pens[0])
        write(surface, [station], low.beside(wide + item.size), pens[2])
        return
    # One size for all three: the largest in which they fit side by side; with a narrow margin rather than one that is too small.
    for margin in (item.size, LEAST):
        inner = box.inset(margin, max(1, box.height // 12))
        rulebook = next((each for each in titles if _beside((lexicon, each, station), least) <= inner.width), parts[0])
        sizes = range(item.size, SMALLEST, -1)
        size = next((size for size in sizes if _beside((lexicon, rulebook, station), size) <= inner.width), SMALLEST)
        if size >= LEAST:
            break
    first, last = measure(lexicon, size), measure(station, size)
    write(surface, [lexicon], inner.left(first), replace(pens[0], largest=size))
    write(surface, [rulebook], inner.beside(first + size).left(inner.width - first - last - 2 * size), replace(pens[1], largest=size))
    write(surface, [station], inner.beside(inner.width - last), replace(pens[2], largest=size))


def _beside(texts: Sequence[str], size: int) -> int:
    return sum(measure(text, size) for text in texts) + (len(texts) - 1) * size


def row(surface: pygame.Surface, item: Placed, colours: ItemColours) -> None:
    """Draw the text and its detail in one line, or in two if they do not fit side by side."""
    text, detail = item.texts
    if item.target is not None:
        plate(surface, item.box, colours)
    inner = item.box.inset(max(4, item.box.height // 5) if item.target else 0, item.box.height // 10)
    if item.hint and item.target is not None:
        wide = item.hint * (1 + len(item.target.key)) // 2
        write(surface, [item.target.key], inner.left(wide), Pen(colours.quiet, item.hint))
        inner = inner.beside(wide + item.hint // 3)
    if not detail and (item.target is not None or measure(text, item.size) < inner.width // 2):
        labelled(surface, inner, text, item.icon, Pen(colours.text, item.size, 0.0))
        return
    # A row without a target may be a short word with its detail, which has the whole height if it is long.
    narrow = item.target is None and measure(text, item.size) < inner.width // 2
    if not detail or (not narrow and measure(text + detail, item.size) + 3 * item.size > inner.width):
        _two_lines(surface, item, inner, colours)
        return
    first = inner.width // 4 if narrow else inner.width * 11 // 20
    labelled(surface, inner.left(first), text, item.icon, Pen(colours.text, item.size, 0.0))
    rest = (item.box if narrow else inner).beside(first + inner.height // 4)
    sentence(surface, [detail], rest, Pen(colours.quiet, item.size * 9 // 10, 1.0 if item.target else 0.0))


def _two_lines(surface: pygame.Surface, item: Placed, box: Box, colours: ItemColours) -> None:
    text, detail = item.texts
    half = box.height * 11 // 20
    if item.icon is None:
        sentence(surface, [text], box.top(half), Pen(colours.text, item.size, 0.0))
    else:
        labelled(surface, box.top(half), text, item.icon, Pen(colours.text, item.size, 0.0))
    if detail:
        sentence(surface, [detail], box.below(half), Pen(colours.quiet, item.size * 8 // 10))


CURSOR: Final = 0.09
"""The width of the cursor, in sizes."""


def paint(surface: pygame.Surface, item: Placed, *, pressed: bool) -> None:
    colours = _colours(item)
    _PAINTS[item.what](surface, item, colours.pressed if pressed else colours)


def _colours(item: Placed) -> ItemColours:
    if item.what is What.KEY and item.tone is Tone.PLAIN:
        return LETTER
    if item.what in _BARE or (item.what is What.ROW and item.target is None):
        return BARE_COLOURS
    return CHOSEN if item.chosen else COLOURS[item.tone]


_BARE: Final = frozenset({What.TITLE, What.TABLE, What.LINES, What.ASIDE, What.FOOTER, What.SIDE, What.COUNTDOWN})


def _text(surface: pygame.Surface, item: Placed, colours: ItemColours) -> None:
    sentence(surface, item.texts, item.box, Pen(colours.text, item.size, item.place))


def _button(surface: pygame.Surface, item: Placed, colours: ItemColours) -> None:
    plate(surface, item.box, colours)
    if item.column and item.target is not None:
        box = inside(item.box)
        _beside_label(surface, box.left(item.column), item, item.target.key, colours)
        beside = box.beside(item.column)
        write(surface, largest(item.texts[0], beside, item.size, BARE, measure)[1], beside, Pen(colours.text, item.size, 0.5))
        return
    inner = _hint(surface, inside(item.box), item, colours)
    labelled(surface, inner, item.texts[0], item.icon, Pen(colours.text, item.size, item.place))


def _hint(surface: pygame.Surface, box: Box, item: Placed, colours: ItemColours) -> Box:
    """Write the key's name at the foot of ``box``, if it is shown; return the rest."""
    if not item.hint or item.target is None:
        return box
    rest = box.height - lines_height(1, item.hint)
    write(surface, [item.target.key], box.below(rest), Pen(colours.quiet, item.hint, 0.5))
    return box.top(rest)


def _beside_label(surface: pygame.Surface, column: Box, item: Placed, key: str, colours: ItemColours) -> None:
    """Draw the icon with the key's name under it, or that name alone."""
    column = column.left(column.width - round(NARROW * item.hint / 2))
    low = lines_height(1, item.hint) if item.icon else column.height
    tall = min(column.width, column.height - low, round(item.size * SIGN))
    top = column.y + (column.height - low - tall) // 2
    if item.icon is not None:
        sign(surface, item.icon, Box(column.x + (column.width - tall) // 2, top, tall, tall), colours.text)
    write(surface, [key], Box(column.x, top + tall, column.width, low), Pen(colours.quiet, item.hint, 0.5))


def _key(surface: pygame.Surface, item: Placed, colours: ItemColours) -> None:
    plate(surface, item.box, colours)
    inner = _hint(surface, item.box.inset(max(3, item.box.width // 16), 1), item, colours)
    if item.icon is None:
        write(surface, item.texts, inner, Pen(colours.text, item.size, 0.5))
    else:
        labelled(
            surface, inner, item.texts[0] if item.box.width > item.box.height * 2 else "", item.icon, Pen(colours.text, item.size, 0.5)
        )


def _icon(surface: pygame.Surface, item: Placed, colours: ItemColours) -> None:
    plate(surface, item.box, colours)
    room = _hint(surface, item.box.inset(2, max(2, item.box.height // 12)) if item.hint else item.box, item, colours)
    side = min(item.box.width, item.box.height) // 2
    middle = Box(room.x + (room.width - side) // 2, room.y + (room.height - side) // 2, side, side)
    if item.icon is not None:
        sign(surface, item.icon, middle, colours.text)
    else:
        write(surface, item.texts, item.box.inset(4), Pen(colours.text, item.size, 0.5))


def _word(surface: pygame.Surface, item: Placed, colours: ItemColours) -> None:
    number, text = item.texts
    plate(surface, item.box, colours, edge=max(2, item.box.height // 18) if item.chosen else None)
    inner = item.box.inset(max(4, item.box.height // 8), 2)
    taken = int(item.size * 0.85)
    write(
        surface,
        [number],
        inner.left(taken),
        Pen(colours.quiet, max(item.size * 5 // 8, min(item.size, max(LEAST, item.box.height * 3 // 10)))),
    )
    if text:
        write(surface, [text], inner.beside(taken), Pen(colours.text, item.size))
    if item.chosen and not text:
        _cursor(surface, inner.beside(taken), item.size, 0)


def _cursor(surface: pygame.Surface, box: Box, size: int, left: int) -> None:
    tall = int(size * 0.9)
    surface.fill(AMBER, (box.x + left, box.y + (box.height - tall) // 2, max(2, int(size * CURSOR)), tall))


def _entry(surface: pygame.Surface, item: Placed, colours: ItemColours) -> None:
    plate(surface, item.box, colours)
    inner = item.box.inset(item.box.height // 6, item.box.height // 12)
    if item.texts[0]:
        write(surface, item.texts, inner, Pen(colours.text, item.size, item.place))
    else:
        _cursor(surface, inner, item.size, inner.width // 2)


def _banner(surface: pygame.Surface, item: Placed, colours: ItemColours) -> None:
    plate(surface, item.box, colours, edge=max(3, item.box.height // 36))
    inner = item.box.inset(item.box.height // 7, item.box.height // 14)
    labelled(surface, inner, item.texts[0], item.icon, Pen(colours.text, item.size, 0.5))


def _practice(surface: pygame.Surface, item: Placed, colours: ItemColours) -> None:
    """Draw bars of amber and black, as at a building site, with the text on a plain field between them."""
    box = item.box
    surface.fill(colours.field, (box.x, box.y, box.width, box.height))
    step = max(6, box.height)
    part = surface.subsurface((box.x, box.y, box.width, box.height))
    for left in range(-step, box.width + step, step):
        points = [(left, box.height), (left + step // 2, box.height), (left + step // 2 + box.height, 0), (left + box.height, 0)]
        pygame.draw.polygon(part, INK, points)
    field = box.inset(box.width // 6, 0)
    surface.fill(colours.field, (field.x, field.y, field.width, field.height))
    write(surface, item.texts, field.inset(box.height // 2, 0), Pen(colours.text, item.size, 0.5))


def _notice(surface: pygame.Surface, item: Placed, colours: ItemColours) -> None:
    plate(surface, item.box, colours)
    pad = item.size // 2
    inner = item.box.inset(pad, pad // 3 if item.box.height > 2 * item.size else 1)
    tall = min(inner.height, int(item.size * 1.2))
    if item.icon is not None:
        sign(surface, item.icon, Box(inner.x, inner.y + (inner.height - tall) // 2, tall, tall), colours.text)
    sentence(surface, item.texts, inner.beside(tall + pad), Pen(colours.text, item.size, item.place))


_PAINTS: Final[dict[What, Callable[[pygame.Surface, Placed, ItemColours], None]]] = {
    What.TITLE: _text,
    What.LINES: _text,
    What.ASIDE: _text,
    What.TABLE: lambda surface, item, colours: write(surface, item.texts, item.box, Pen(colours.quiet, item.size, item.place)),
    What.COUNTDOWN: lambda surface, item, _: labelled(surface, item.box, item.texts[0], item.icon, Pen(AMBER, item.size, 1.0)),
    What.DOOR: _icon,
    What.HELP: _icon,
    What.PRACTICE: _practice,
    What.SIDE: lambda surface, item, colours: labelled(
        surface, item.box, item.texts[0], item.icon, Pen(colours.quiet, item.size, item.place)
    ),
    What.BANNER: _banner,
    What.CODE: lambda surface, item, _: draw_qr(surface, item.box, item.texts, INK, IVORY),
    What.NOTICE: _notice,
    What.ENTRY: _entry,
    What.WORD: _word,
    What.ROW: row,
    What.KEY: _key,
    What.BY_SIDE: _button,
    What.ACTION: _button,
    What.ADJUDICATE: _button,
    What.FOOTER: footer,
}


class Painter:
    def __init__(self) -> None:
        self._there: dict[tuple[Placed, bool], None] | None = None

    def draw(self, surface: pygame.Surface, arranged: Arranged, pressed: AbstractSet[str] = frozenset()) -> list[Box]:
        """Draw what has changed on ``surface``, of the same size each time; return the boxes drawn. ``pressed``: the ids of the targets that are down."""
        wanted = dict.fromkeys((item, item.target is not None and item.target.id in pressed) for item in arranged.items)
        there, self._there = self._there, wanted
        if there is None:
            surface.fill(GROUND)
            drawn, fresh = [Box(0, 0, *arranged.size)], list(wanted)
        else:
            removed = [item.box for item, _ in there.keys() - wanted.keys()]
            fresh = [each for each in wanted if each not in there]
            for box in removed:
                surface.fill(GROUND, (box.x, box.y, box.width, box.height))
            drawn = list(dict.fromkeys([*removed, *(item.box for item, _ in fresh)]))
        for item, down in fresh:
            paint(surface, item, pressed=down)
        forget_texts()
        return drawn
