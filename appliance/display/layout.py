"""What a layout is made of: boxes in pixels, texts that fit them, a panel's rotation, shapes of strokes and outlines, and the type of a colour. Pure.

A text is fitted into a box by shrinking, then wrapping, then cutting with an ellipsis; the caller passes the measuring function. The layout is as players see it: on
a panel mounted on its side or upside down, pictures are turned, touches turned back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

TYPEFACE: Final = Path(__file__).parent / "typeface/AtkinsonHyperlegibleNext-Bold.ttf"
"""The one typeface of all screens and golden pictures; README.md beside it says where it comes from and what was changed, OFL.txt goes wherever the file goes."""
Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255."""


class Box(Struct, frozen=True):
    """A rectangle: upper left corner and size, in pixels."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column beyond it."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The first row beyond it."""
        return self.y + self.height

    def holds(self, x: int, y: int) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, by: int, down: int | None = None) -> Box:
        rows = by if down is None else down
        return Box(self.x + by, self.y + rows, max(0, self.width - 2 * by), max(0, self.height - 2 * rows))

    def top(self, rows: int) -> Box:
        return Box(self.x, self.y, self.width, min(rows, self.height))

    def below(self, rows: int) -> Box:
        taken = min(rows, self.height)
        return Box(self.x, self.y + taken, self.width, self.height - taken)

    def left(self, columns: int) -> Box:
        return Box(self.x, self.y, min(columns, self.width), self.height)

    def beside(self, columns: int) -> Box:
        taken = min(columns, self.width)
        return Box(self.x + taken, self.y, self.width - taken, self.height)


Rotation: TypeAlias = Literal[0, 90, 180, 270]
"""Clockwise rotation of the picture, in degrees."""
Size: TypeAlias = tuple[int, int]


class Turn(Struct, frozen=True):
    degrees: Rotation
    panel: Size
    """Width and height of the panel itself, in pixels."""

    @property
    def size(self) -> Size:
        width, height = self.panel
        return (height, width) if self.degrees in (90, 270) else (width, height)

    def seen(self, x: int, y: int) -> tuple[int, int]:
        """Return the layout's pixel that the panel shows at (x, y)."""
        width, height = self.panel
        for _ in range(self.degrees // 90):
            x, y, width, height = y, width - 1 - x, height, width
        return x, y

    def placed(self, box: Box) -> Box:
        width, height = self.size
        for _ in range(self.degrees // 90):
            box, width, height = Box(height - box.bottom, box.x, box.height, box.width), height, width
        return box


Point: TypeAlias = tuple[float, float]
Polyline: TypeAlias = tuple[Point, ...]


class Shape(Struct, frozen=True):
    """A shape one unit tall and ``width`` wide: round-ended strokes of ``weight``, and filled outlines. Hashed by name."""

    name: str
    width: float
    lines: tuple[Polyline, ...] = ()
    weight: float = 0.0
    fills: tuple[Polyline, ...] = ()

    def __hash__(self) -> int:
        return hash(self.name)


DISC: Final = Shape("disc", 1.0, (((0.5, 0.5), (0.5, 0.501)),), 1.0)


Measure: TypeAlias = Callable[[str, int], int]
"""Returns the width in pixels of a text at a size in pixels."""
PITCH: Final = 1.14
"""Line pitch, in font sizes."""
ONE_LINE: Final = 0.62
ELLIPSIS: Final = "…"
POINT: Final = "·"
PAUSES: Final = (POINT, ".", "?", "!")
"""A text on two lines breaks behind one of these where both parts fit."""
WHOLE_PARTS: Final = 0.85
"""A text shrinks to this share of its size before a line breaks within one of the parts that its middle dots separate."""
SMALLEST: Final = 9


class Fitted(Struct, frozen=True):
    size: int
    lines: tuple[str, ...]

    @property
    def height(self) -> int:
        return lines_height(len(self.lines), self.size)


def lines_height(count: int, size: int) -> int:
    return int(count * size * PITCH + 0.999)


def fit(  # noqa: PLR0913 - each parameter is a property of the style
    texts: Sequence[str],
    box: Box,
    measure: Measure,
    largest: int | None = None,
    one_line: float = ONE_LINE,
    *,
    smallest: int = SMALLEST,
    even: bool = False,
) -> Fitted:
    """Return ``texts``, each on a new line, fitted to ``box``: from ``smallest`` to ``largest`` pixels, by default what the box's height allows.

    A text shrinks to ``one_line`` of that before it wraps; with 1.0 it wraps first. ``even``: its lines are about equally long, break at middle
    dots if a size of ``WHOLE_PARTS`` achieves that, and the last has more than one word if a smaller size does.
    """
    top = max(smallest, min(largest or box.height, int(box.height / PITCH)))
    floor = max(smallest, int(top * one_line))
    for size in _sizes(top, floor):
        if lines_height(len(texts), size) <= box.height and all(measure(text, size) <= box.width for text in texts):
            return Fitted(size, tuple(texts))
    wrapped = (fitted for size in _sizes(top, smallest) if (fitted := _wrapped(texts, box, measure, size)))
    found = _evenly(texts, box, measure, (fitted.size for fitted in wrapped)) if even else next(wrapped, None)
    return found or _cut(texts, box, measure, smallest)


def _wrapped(texts: Sequence[str], box: Box, measure: Measure, size: int) -> Fitted | None:
    lines = [line for text in texts for line in _wrap(text, box.width, measure, size)]
    fits = lines_height(len(lines), size) <= box.height and all(measure(line, size) <= box.width for line in lines)
    return Fitted(size, _without_points(lines)) if fits else None


def _evenly(texts: Sequence[str], box: Box, measure: Measure, sizes: Iterable[int]) -> Fitted | None:
    """Return the texts at the largest of ``sizes``, or at a smaller one that breaks no part or leaves no word; at each of them all fit wrapped."""
    whole: Fitted | None = None
    fallback: Fitted | None = None
    for size in sizes:
        if whole is not None and size < WHOLE_PARTS * whole.size:
            break
        for breaks in (_by_parts, _evened):
            broken = [breaks(text, box.width, measure, size) for text in texts]
            fitted = Fitted(size, tuple(line for lines in broken for line in _without_points(lines)))
            if not all(broken) or fitted.height > box.height:
                continue
            if any(map(leaves_a_word, broken)):
                fallback = fallback or fitted
            elif breaks is _by_parts:
                return fitted
            else:
                whole = whole or fitted
    return whole or fallback


def _without_points(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the lines without the middle dots at their ends: the break separates."""
    return tuple(line.removesuffix(f" {POINT}") for line in lines)


def leaves_a_word(lines: Sequence[str]) -> bool:
    """Return whether the last line of a text of three words or more has one word only, and a word of the line before it leaves there no shorter one."""
    if len(lines) < 2 or len(split(lines[-1])) > 1:
        return False
    first, *others = split(lines[-2])
    if len(others) == 1:
        return first.endswith(":") or len(first) >= len(lines[-1])
    return len(lines) > 2 or bool(others)


def _by_parts(text: str, width: int, measure: Measure, size: int) -> list[str]:
    """Return the text in lines of which none has the end of one part and the beginning of another, or no lines if a part would leave a word."""
    if measure(text, size) <= width:
        return [text]
    balanced = _at_a_pause(text, lambda line: measure(line, size), (POINT,))
    if balanced is not None and all(measure(line, size) <= width for line in balanced):
        return balanced
    first, *rest = text.split(f" {POINT} ")
    rows = [first]
    for part in rest:
        joined = f"{rows[-1]} {POINT} {part}"
        rows = [*rows[:-1], joined] if measure(joined, size) <= width else [*rows, part]
    broken = [_evened(row, width, measure, size) for row in rows]
    return [] if any(map(leaves_a_word, broken)) else [line for each in broken for line in each]


def _evened(text: str, width: int, measure: Measure, size: int) -> list[str]:
    """Return the text in as few lines as fit, about equally long; two lines break at a pause where both parts fit."""
    lines = _wrap(text, width, measure, size)
    if len(lines) == 1:
        return lines
    paused = _at_a_pause(text, lambda line: measure(line, size)) if len(lines) == 2 else None
    if paused is not None and all(measure(line, size) <= width for line in paused) and not leaves_a_word(paused):
        return paused
    narrow, wide = max(measure(word, size) for word in split(text)), width
    while narrow < wide:
        middle = (narrow + wide) // 2
        tried = _wrap(text, middle, measure, size)
        if len(tried) == len(lines):
            lines, wide = tried, middle
        else:
            narrow = middle + 1
    if leaves_a_word(lines) and len(split(lines[-2])) > 1:
        *rest, moved = split(lines[-2])
        last = f"{moved} {lines[-1]}"
        if measure(last, size) <= width:
            lines = [*lines[:-2], " ".join(rest), last]
    return lines


def _at_a_pause(text: str, long: Callable[[str], int], pauses: tuple[str, ...] = PAUSES) -> list[str] | None:
    words = split(text)
    parts = [[" ".join(words[:place]), " ".join(words[place:])] for place in range(1, len(words)) if words[place - 1].endswith(pauses)]
    return min(parts, key=lambda lines: max(map(long, lines)), default=None)


def _sizes(largest: int, smallest: int) -> list[int]:
    """Return few sizes, so that few fonts are opened: every pixel up to 20, every second up to 48, then every fourth; the smallest always."""
    sizes, size = [], largest
    while size > smallest:
        sizes.append(size)
        size -= 1 if size <= 20 else 2 if size <= 48 else 4
    return [*sizes, smallest]


def split(text: str) -> list[str]:
    """Return the words of ``text``. A non-breaking space joins words; a middle dot stays with the word before it."""
    if POINT not in text:
        return [word for word in text.split(" ") if word]
    words: list[str] = []
    for word in text.split(" "):
        if words and word == POINT:
            words[-1] += f" {POINT}"
        elif word:
            words.append(word)
    return words


def _wrap(text: str, width: int, measure: Measure, size: int) -> list[str]:
    lines: list[str] = []
    for word in split(text):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and measure(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines or [""]


def _cut(texts: Sequence[str], box: Box, measure: Measure, size: int) -> Fitted:
    wrapped = [line for text in texts for line in _wrap(text, box.width, measure, size)]
    room = max(1, int(box.height / (size * PITCH)))
    lines = [_shortened(line, box.width, measure, size) for line in wrapped[:room]]
    if len(wrapped) > room:
        lines[-1] = _shortened(f"{wrapped[room - 1]} {wrapped[room]}", box.width, measure, size, always=True)
    return Fitted(size, tuple(lines))


def _shortened(text: str, width: int, measure: Measure, size: int, *, always: bool = False) -> str:
    if not always and measure(text, size) <= width:
        return text
    count = len(text)
    while count and measure(text[:count].rstrip() + ELLIPSIS, size) > width:
        count -= 1
    return text[:count].rstrip() + ELLIPSIS
