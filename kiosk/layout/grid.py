"""A screen as stacked bands, which share its height by their minimum and preferred heights; targets in rows and columns within one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from appliance.display.layout import Box
from kiosk.layout.placed import Placed, Scale

Placement: TypeAlias = Callable[[Box], tuple[Placed, ...]]
ENDLESS: Final = 1 << 20


class Band(Struct, frozen=True):
    """A strip of the screen; heights in pixels."""

    place: Placement
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
    """Return an empty band, which takes unused height."""
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
    return [replace(band, least=0) if band.need else band for band in remaining]


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
    tall = -(-count // columns)
    cells = [lines(column, tall, scale.gap_down) for column in row(box, [1] * columns, scale.gap_across)]
    return [cell for column in cells for cell in column][:count]
