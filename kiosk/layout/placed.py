"""The parts of an arrangement: boxes with their content; the screen's options for its players, its millimetres in pixels, and stacked bands.

Equal values look the same, so the painter redraws only new ones. Bands share the screen's height by their minimum and preferred heights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import pairwise
from math import ceil
from typing import Final

from appliance.display.layout import Box
from kiosk.context import Value
from kiosk.face.page import Icon, Target, Tone

MIN_MM: Final = 9.0
"""The minimum width and height of a target."""
APART_MM: Final = 1.0
"""The minimum distance of two targets."""
LYING_MM: Final = 154.08
"""The width of the official 7-inch panel in landscape."""
UPRIGHT_MM: Final = 85.92
"""The same panel's width in portrait."""
FLAT: Final = UPRIGHT_MM / LYING_MM
"""Height to width of the official 7-inch panel, and of most others. Its 800 x 480 pixels are slightly wider than high."""


class Options(Value, frozen=True):
    large_text: bool = False
    left_handed: bool = False
    """The typing hand's keys (next, erase, the number pad) are on the left."""
    millimetres_wide: float | None = None
    """The panel's active width as mounted; None: that of the official 7-inch one, as it stands."""


class Scale(Value, frozen=True):
    """Lengths of one screen in pixels."""

    width: int
    height: int
    across: float
    """Pixels in a millimetre, horizontally."""
    down: float
    """Pixels in a millimetre, vertically."""
    text: int
    """The size of a sentence for two standing readers."""
    plain_text: int
    """The same without large text, which minimum heights are made of: large text takes what room there is, and none from other content."""

    @property
    def lying(self) -> bool:
        return self.width >= self.height

    @property
    def least_across(self) -> int:
        return ceil(MIN_MM * self.across)

    @property
    def least_down(self) -> int:
        return ceil(MIN_MM * self.down)

    @property
    def gap_across(self) -> int:
        return ceil(APART_MM * self.across)

    @property
    def gap_down(self) -> int:
        return ceil(APART_MM * self.down)

    def rows(self, count: int) -> int:
        return max(0, count * (self.least_down + self.gap_down) - self.gap_down)

    def columns(self, count: int) -> int:
        return max(0, count * (self.least_across + self.gap_across) - self.gap_across)

    def most_across(self, width: int) -> int:
        """Return how many targets of minimum width fit side by side in ``width`` pixels, at least one."""
        return max(1, (width + self.gap_across) // (self.least_across + self.gap_across))


def scale(size: tuple[int, int], options: Options) -> Scale:
    """Return the lengths of a screen of ``size`` pixels (width, height)."""
    width, height = size
    wide = options.millimetres_wide or (LYING_MM if width >= height else UPRIGHT_MM)
    high = wide * FLAT if width >= height else wide / FLAT
    # A screen of 4 to 3 has more height than its width can use: a title's size comes from both.
    text = min(min(width, height) / 20, max(width, height) / 33)
    return Scale(width, height, width / wide, height / high, round(text * 1.25 if options.large_text else text), round(text))


class What(StrEnum):
    TITLE = "title"
    TABLE = "table"
    COUNTDOWN = "countdown"
    DOOR = "door"
    HELP = "help"
    PRACTICE = "practice"
    SIDE = "side"
    BANNER = "banner"
    CODE = "code"
    """A QR code; ``texts`` are its rows."""
    LINES = "lines"
    ASIDE = "aside"
    NOTICE = "notice"
    ENTRY = "entry"
    WORD = "word"
    """Its number and its letters; a target if it can be chosen."""
    ROW = "row"
    KEY = "key"
    BY_SIDE = "by_side"
    ACTION = "action"
    ADJUDICATE = "adjudicate"
    FOOTER = "footer"


class Placed(Value, frozen=True):
    what: What
    box: Box
    texts: tuple[str, ...] = ()
    size: int = 0
    """The maximum text size in pixels; longer text is smaller, or in two lines."""
    tone: Tone = Tone.PLAIN
    icon: Icon | None = None
    target: Target | None = None
    chosen: bool = False
    hint: int = 0
    """The size in pixels of its shown keyboard key; 0: none is shown."""
    column: int = 0
    """The width of a column beside the label with the key under the icon; 0: the key is at the foot."""
    place: float = 0.5
    """The text's alignment: 0.0 left, 0.5 centre, 1.0 right."""


class Arranged(Value, frozen=True):
    """No two parts overlap."""

    size: tuple[int, int]
    page: str
    items: tuple[Placed, ...]

    @property
    def without_key_labels(self) -> Arranged:
        """The same arrangement for a screen whose players use no keyboard."""
        return self.replace(items=tuple(item.replace(hint=0, column=0) if item.hint else item for item in self.items))

    @property
    def targets(self) -> tuple[Target, ...]:
        return tuple(item.target for item in self.items if item.target is not None)


ENDLESS: Final = 1 << 20


class Band(Value, frozen=True):
    """A strip of the screen; heights in pixels."""

    place: Callable[[Box], tuple[Placed, ...]]
    need: int = 0
    """The minimum for its targets to fit a finger."""
    want: int = 0
    """The preferred height for its text; granted after every ``need`` and ``least``."""
    most: int = ENDLESS
    share: int = 0
    """Its share of the rest after every ``want``."""
    least: int = 0
    """The minimum for its text to be readable at arm's length; granted after every ``need``."""
    spare: bool = False
    """It repeats other content, so it is dropped first if there is too little room."""


def room() -> Band:
    return Band(lambda _: (), share=1)


def stack(box: Box, bands: Sequence[Band], gap: int) -> tuple[Placed, ...]:
    """Return the content of ``bands``, from the top of ``box`` to its bottom, ``gap`` pixels apart."""
    placed: tuple[Placed, ...] = ()
    top = box.y
    bands = _affordable(box.height, bands, gap)
    for band, height in zip(bands, heights(box.height, bands, gap), strict=True):
        if height > 0:
            placed += band.place(Box(box.x, top, box.width, height))
            top += height + gap
    return placed


def heights(height: int, bands: Sequence[Band], gap: int) -> list[int]:
    """Return the bands' heights: needs first, then readable minimums, then wants, then shares of the rest; 0 for none."""
    given = [band.need for band in bands]
    over = height - sum(given) - _between(bands, gap)
    for wanted in ([band.least for band in bands], [band.want for band in bands]):
        more = [max(0, want - have) for want, have in zip(wanted, given, strict=True)]
        part = min(1.0, max(0, over) / (sum(more) or 1))
        given = [have + int(want * part) for have, want in zip(given, more, strict=True)]
        over -= sum(int(want * part) for want in more)
    while over > 0:
        over, taken = _share(over, bands, given)
        if not taken:
            break
    return given


def _affordable(height: int, bands: Sequence[Band], gap: int) -> Sequence[Band]:
    """Return the bands, without spare ones if there is too little room for all to be readable.

    If that is not enough, bands of text alone come before the readability of bands with targets, which are large enough for fingers.
    """
    if least_of(bands, gap) <= height:
        return bands
    remaining = [band for band in bands if not band.spare]
    if least_of(remaining, gap) <= height:
        return remaining
    return [band.replace(least=0) if band.need else band for band in remaining]


def least_of(bands: Sequence[Band], gap: int) -> int:
    """Return the minimum height of ``bands``, ``gap`` pixels apart, that fits fingers and can be read."""
    return sum(max(band.need, band.least) for band in bands) + _between(bands, gap)


def _between(bands: Sequence[Band], gap: int) -> int:
    return gap * (sum(1 for band in bands if band.need or band.least or band.want or band.share) - 1)


def _share(over: int, bands: Sequence[Band], given: list[int]) -> tuple[int, bool]:
    """Distribute ``over`` pixels once by the shares, within each maximum; return the rest, and whether any band took some."""
    hungry = [index for index, band in enumerate(bands) if band.share and given[index] < band.most]
    total = sum(bands[index].share for index in hungry)
    left = over
    for index in hungry:
        more = min(over * bands[index].share // total, bands[index].most - given[index])
        given[index] += more
        left -= more
    return left, left < over


def row(box: Box, weights: Sequence[int], gap: int) -> list[Box]:
    """Return boxes side by side that fill ``box``, ``gap`` pixels apart, with widths by weight."""
    total, left = sum(weights), box.x
    free = box.width - gap * (len(weights) - 1)
    boxes: list[Box] = []
    used = 0
    for weight in weights:
        start, used = used, used + weight
        wide = free * used // total - free * start // total
        boxes.append(Box(left, box.y, wide, box.height))
        left += wide + gap
    return boxes


def lines(box: Box, count: int, gap: int) -> list[Box]:
    """Return ``count`` stacked boxes of equal height that fill ``box``, ``gap`` pixels apart."""
    free = box.height - gap * (count - 1)
    edges = [free * index // count for index in range(count + 1)]
    return [Box(box.x, box.y + start + gap * index, box.width, end - start) for index, (start, end) in enumerate(pairwise(edges))]


def even(count: int, most: int) -> list[int]:
    """Return the lengths of rows for ``count`` things, at most ``most`` each: as even as possible, the fuller rows first."""
    rows = max(1, -(-count // most))
    short, longer = divmod(count, rows)
    return [short + 1] * longer + [short] * (rows - longer)


def mirrored(boxes: Sequence[Box], within: Box) -> list[Box]:
    return [Box(within.x + within.right - box.right, box.y, box.width, box.height) for box in boxes]


def columns(box: Box, count: int, columns: int, scale: Scale) -> list[Box]:
    """Return ``count`` equal boxes that fill ``box`` column by column, each from top to bottom."""
    cells = [lines(column, -(-count // columns), scale.gap_down) for column in row(box, [1] * columns, scale.gap_across)]
    return [cell for column in cells for cell in column][:count]
