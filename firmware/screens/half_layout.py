"""The parts of one player's half, upright and in its own pixels.

A low wide half has its digits beside its words, any other has them above. Without details (while a turn runs, which is most of the game), the
digits also use their room.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from appliance.display.box import Box
from firmware.screens.digits import LONGEST_WIDTH

WIDE: Final = 2.8
"""From this ratio of width to height on, words fit beside the digits."""


@dataclass(frozen=True, slots=True)
class HalfParts:
    """The places of a half's parts."""

    frame: Box
    """The panel itself, without the gap to its neighbours."""
    pointer: Box
    """Its shape shows whether this clock runs."""
    status: Box
    digits: Box
    marks: Box
    prompt: Box
    info: Box | None
    """Banner, details and window; None if there are none, or if the players share them."""
    marks_place: float
    """The marks' alignment in their box: 0.0 left, 0.5 middle, 1.0 right."""
    words_place: float
    """The prompt's alignment."""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The parts with content; none overlaps another."""
        parts = (self.pointer, self.status, self.digits, self.marks, self.prompt)
        return parts if self.info is None else (*parts, self.info)


def info_parts(width: int, height: int) -> HalfParts:
    """Return the parts of a half of that size in pixels, with details or a window."""
    frame, inner = _frames(width, height)
    return _wide_info(frame, inner) if width >= WIDE * height else _stacked(frame, inner, share=0.435, with_info=True)


def bare_parts(width: int, height: int) -> HalfParts:
    """Return the parts of a half of that size in pixels, with its time only."""
    frame, inner = _frames(width, height)
    return _wide_bare(frame, inner) if width >= WIDE * height else _stacked(frame, inner, share=0.60, with_info=False)


def plain_parts(width: int, height: int) -> HalfParts:
    """Return the parts of a half of that size in pixels whose details and window are in the shared strip."""
    frame, inner = _frames(width, height)
    tall = _tall(inner, int(frame.height * 0.52))
    head, gap = int(frame.height * 0.14), max(2, int(frame.height * 0.035))
    top, rest = inner.top(head), inner.below(head + gap + tall + gap)
    marked = (rest.height - gap) // 2
    return HalfParts(
        frame=frame,
        pointer=top.left(head),
        status=top.beside(head + gap),
        digits=Box(inner.x, inner.y + head + gap, inner.width, tall),
        marks=rest.top(marked),
        prompt=rest.below(marked + gap),
        info=None,
        marks_place=0.5,
        words_place=0.5,
    )


def _frames(width: int, height: int) -> tuple[Box, Box]:
    """Return the panel, and the box inside its margins."""
    frame = Box(0, 0, width, height).inset(max(2, min(width, height) // 60))
    low = max(3, min(width, height) // 17)
    return frame, frame.inset(low * 3 // 2 if width >= WIDE * height else low, low)


def _tall(inner: Box, tallest: int) -> int:
    return min(tallest, int(inner.width / LONGEST_WIDTH))


def _wide_info(frame: Box, inner: Box) -> HalfParts:
    tall = min(int(frame.height * 0.54), int(inner.width * 0.60 / (LONGEST_WIDTH + 0.75)))
    head, foot = int(inner.height * 0.16), int(inner.height * 0.14)
    gap = int(tall * 0.24)
    pointer = int(tall * 0.46)
    figures = int(tall * LONGEST_WIDTH) + 1
    column = pointer + gap + figures
    above = inner.y + head + (inner.height - head - foot - tall) // 2
    right = inner.beside(column + gap * 3 // 2)
    return HalfParts(
        frame=frame,
        pointer=Box(inner.x, above, pointer, tall),
        status=inner.top(head).left(column),
        digits=Box(inner.x + pointer + gap, above, figures, tall),
        marks=right.below(right.height - foot),
        prompt=inner.below(inner.height - foot).left(column),
        info=right.top(right.height - foot - gap // 2),
        marks_place=0.0,
        words_place=0.0,
    )


def _wide_bare(frame: Box, inner: Box) -> HalfParts:
    tall = min(int(frame.height * 0.74), int(inner.width * 0.60 / LONGEST_WIDTH))
    figures = int(tall * LONGEST_WIDTH) + 1
    gap = inner.width // 50
    side = (inner.width - figures - 2 * gap) // 2
    digits = Box(inner.x + side + gap, inner.y + (inner.height - tall) // 2, figures, tall)
    left, right = inner.left(side), inner.beside(side + figures + 2 * gap)
    head, foot = int(inner.height * 0.24), int(inner.height * 0.26)
    return HalfParts(
        frame=frame,
        pointer=left.below(head).top(inner.height - head - foot).inset(0, gap // 2),
        status=left.top(head),
        digits=digits,
        marks=right,
        prompt=left.below(inner.height - foot),
        info=None,
        marks_place=1.0,
        words_place=0.0,
    )


def _stacked(frame: Box, inner: Box, *, share: float, with_info: bool) -> HalfParts:
    tall = _tall(inner, int(frame.height * share))
    head, foot, gap = int(frame.height * 0.11), int(frame.height * 0.09), max(2, int(frame.height * 0.025))
    top, rest = inner.top(head), inner.below(head + gap)
    room = rest.top(rest.height - foot - gap)
    words = top.beside(head + gap)
    above = 0 if with_info else (room.height - tall) // 2
    return HalfParts(
        frame=frame,
        pointer=top.left(head),
        status=words.left(words.width * 11 // 20),
        digits=Box(inner.x, room.y + above, inner.width, tall),
        marks=words.beside(words.width * 11 // 20 + gap),
        prompt=rest.below(rest.height - foot),
        info=room.below(tall + gap) if with_info else None,
        marks_place=1.0,
        words_place=0.5,
    )
