"""The parts of one player's half, upright and in its own pixels.

The digits have one place and one size in every phase: the space of ``-59:59``, in which every reading ends at the right, so that the colon
stands still too. A low wide half has its words beside them, any other above and below.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from appliance.display.box import Box
from firmware.screens.digits import COMMON_WIDTH, LONGEST_WIDTH

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
    """The one instruction to this half's reader."""
    info: Box | None
    """Banner, details and window; None if the players share them."""
    page: Box
    """What a fill or a page of the table menu covers: words only."""
    marks_place: float
    """The marks' alignment in their box: 0.0 left, 0.5 middle, 1.0 right."""
    words_place: float
    """The prompt's alignment."""

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The parts with content; none overlaps another."""
        parts = (self.pointer, self.status, self.digits, self.marks, self.prompt)
        return parts if self.info is None else (*parts, self.info)

    def with_wide_marks(self, status: int) -> HalfParts:
        """Return the parts with a status of ``status`` pixels only, where the marks stand beside it and get the rest."""
        if self.marks.y != self.status.y or status >= self.status.width:
            return self
        freed = self.status.width - status
        marks = Box(self.marks.x - freed, self.marks.y, self.marks.width + freed, self.marks.height)
        return replace(self, status=self.status.left(status), marks=marks)

    def with_high_marks(self, rows: int) -> HalfParts:
        """Return the parts with marks of ``rows`` pixels, or as many as can be freed: from prompt or info, or between the frame and the digits."""
        if self.marks.y == self.status.y:
            up = min(max(0, rows - self.marks.height), self.marks.y // 3)
            down = min(max(0, rows - self.marks.height - up), self.digits.y - self.marks.bottom)
            return replace(self, marks=_grown(_raised(self.marks, up), up + down))
        more = min(rows - self.marks.height, (self.prompt if self.info is None else self.info).height // 2)
        if more <= 0:
            return self
        if self.info is None:
            return replace(self, marks=_grown(self.marks, more), prompt=self.prompt.below(more))
        marks, prompt = _grown(_raised(self.marks, more), more), _raised(self.prompt, more)
        return replace(self, marks=marks, prompt=prompt, info=self.info.top(self.info.height - more))


def _raised(box: Box, by: int) -> Box:
    return Box(box.x, box.y - by, box.width, box.height)


def _grown(box: Box, by: int) -> Box:
    return Box(box.x, box.y, box.width, box.height + by)


def half_parts(width: int, height: int) -> HalfParts:
    """Return the parts of a half of that size in pixels, with its own banner, details and window."""
    frame, inner = _frames(width, height)
    return _wide(frame, inner) if width >= WIDE * height else _stacked(frame, inner)


def plain_parts(width: int, height: int) -> HalfParts:
    """Return the parts of a half of that size in pixels whose banner, details and window are in the shared strip."""
    frame, inner = _frames(width, height)
    tall = _tall(inner.width, int(frame.height * 0.52))
    head, gap = int(frame.height * 0.14), max(2, int(frame.height * 0.03))
    top, rest = inner.top(head), inner.below(head + gap + tall + gap)
    marked = rest.height * 4 // 10
    return HalfParts(
        frame=frame,
        pointer=top.left(head),
        status=top.beside(head + gap),
        digits=_digits(inner, inner.y + head + gap, tall),
        marks=rest.top(marked),
        prompt=rest.below(marked + gap),
        info=None,
        page=rest,
        marks_place=0.5,
        words_place=0.5,
    )


def _frames(width: int, height: int) -> tuple[Box, Box]:
    """Return the panel, and the box inside its margins."""
    frame = Box(0, 0, width, height).inset(max(2, min(width, height) // 60))
    low = max(3, min(width, height) // 17)
    return frame, frame.inset(low * 3 // 2 if width >= WIDE * height else low, low)


def _tall(width: int, tallest: int) -> int:
    return min(tallest, int((width - 1) / LONGEST_WIDTH))


def _digits(inner: Box, top: int, tall: int) -> Box:
    """Return the digits' box: readings without a sign stand in the middle of ``inner``, as far as the sign has room beside them."""
    width = int(tall * LONGEST_WIDTH) + 1
    right = inner.x + (inner.width + int(tall * COMMON_WIDTH)) // 2
    return Box(max(inner.x, right - width), top, width, tall)


def _wide(frame: Box, inner: Box) -> HalfParts:
    head = int(inner.height * 0.17)
    gap = max(2, inner.height // 24)
    tall = _tall(inner.width // 2, min(int(frame.height * 0.68), inner.height - head - gap))
    column = int(tall * LONGEST_WIDTH) + 1
    above = inner.y + head + gap + (inner.height - head - gap - tall) // 2
    top = inner.top(head)
    words = inner.beside(column + max(4, inner.width // 40))
    marked, told = int(inner.height * 0.13), int(inner.height * 0.26)
    rest = words.top(words.height - marked - gap)
    return HalfParts(
        frame=frame,
        pointer=top.left(head),
        status=top.left(column).beside(head + gap),
        digits=Box(inner.x, above, column, tall),
        marks=words.below(words.height - marked),
        prompt=rest.below(rest.height - told),
        info=rest.top(rest.height - told - gap),
        page=words,
        marks_place=0.0,
        words_place=0.0,
    )


def _stacked(frame: Box, inner: Box) -> HalfParts:
    head, foot, gap = int(frame.height * 0.11), int(frame.height * 0.12), max(2, int(frame.height * 0.02))
    tall = _tall(inner.width, int(frame.height * 0.435))
    top, rest = inner.top(head), inner.below(head + gap + tall + gap)
    words = top.beside(head + gap)
    named = words.width * 11 // 20
    return HalfParts(
        frame=frame,
        pointer=top.left(head),
        status=words.left(named),
        digits=_digits(inner, inner.y + head + gap, tall),
        marks=words.beside(named + gap),
        prompt=rest.below(rest.height - foot),
        info=rest.top(rest.height - foot - gap),
        page=rest,
        marks_place=1.0,
        words_place=0.5,
    )
