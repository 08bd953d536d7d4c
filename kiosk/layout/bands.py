"""A screen as bands, one under the other: each says what it must have and what it would like, and they share what there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from appliance.display.box import Box
from kiosk.layout.placed import Placed

Place: TypeAlias = Callable[[Box], tuple[Placed, ...]]
ENDLESS: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Band:
    """A strip of the screen; heights in pixels."""

    place: Place
    """What stands in it, once it has its box."""
    need: int = 0
    """Below this its targets would be too small for a finger."""
    want: int = 0
    """What its text would like; given when every need and every ``least`` is met."""
    most: int = ENDLESS
    """More is of no use to it."""
    share: int = 0
    """Of what is over when every want is met."""
    least: int = 0
    """Below this its text could not be read at arm's length; given when every need is met."""
    spare: bool = False
    """It says what stands elsewhere too: it goes first where there is not the least for all."""


def nothing(box: Box) -> tuple[Placed, ...]:
    """Place nothing: for a band of empty room."""
    return ()


def room(share: int = 1) -> Band:
    """Return a band of nothing, which takes what nobody else can use."""
    return Band(nothing, share=share)


def stack(box: Box, bands: Sequence[Band], gap: int) -> tuple[Placed, ...]:
    """Return what stands in ``bands``, from the top of ``box`` to its bottom, ``gap`` pixels between them."""
    placed: tuple[Placed, ...] = ()
    top = box.y
    bands = _kept(box.height, bands, gap)
    for band, height in zip(bands, heights(box.height, bands, gap), strict=True):
        if height > 0:
            placed += band.place(Box(box.x, top, box.width, height))
            top += height + gap
    return placed


def heights(height: int, bands: Sequence[Band], gap: int) -> list[int]:
    """Return how high each band is: needs first, then what can just be read, then wants, then the shares of what is over; 0 for one that got nothing."""
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


def _kept(height: int, bands: Sequence[Band], gap: int) -> Sequence[Band]:
    """Return the bands without those that can be spared, where all of them would not have the least they need to be read.

    Where that is not enough either, what has room for fingers has room enough for eyes, and mere texts come first.
    """
    if _least(bands, gap) <= height:
        return bands
    kept = [band for band in bands if not band.spare]
    if _least(kept, gap) <= height:
        return kept
    return [replace(band, least=0) if band.need else band for band in kept]


def _least(bands: Sequence[Band], gap: int) -> int:
    return sum(max(band.need, band.least) for band in bands) + _between(bands, gap)


def _between(bands: Sequence[Band], gap: int) -> int:
    return gap * (sum(1 for band in bands if band.need or band.least or band.want or band.share) - 1)


def _share(over: int, bands: Sequence[Band], given: list[int]) -> tuple[int, bool]:
    """Give out ``over`` pixels once by the shares, at most what each can use; return what is left, and whether anybody took any."""
    hungry = [index for index, band in enumerate(bands) if band.share and given[index] < band.most]
    total = sum(bands[index].share for index in hungry)
    left = over
    for index in hungry:
        more = min(over * bands[index].share // total, bands[index].most - given[index])
        given[index] += more
        left -= more
    return left, left < over
