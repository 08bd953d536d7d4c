"""Fits texts into a box: shrink, then wrap, then cut with an ellipsis. Pure: the caller passes the measuring function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from appliance.display.box import Box

Measure: TypeAlias = Callable[[str, int], int]
"""Returns the width in pixels of a text at a size in pixels."""
PITCH: Final = 1.14
"""Line pitch, in font sizes."""
ONE_LINE: Final = 0.62
"""A text shrinks to this share of its largest size before it wraps."""
ELLIPSIS: Final = "…"
POINT: Final = "·"
SMALLEST: Final = 9
"""The smallest font size in pixels: a longer text is cut."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Fitting lines, at one size in pixels."""

    size: int
    lines: tuple[str, ...]

    @property
    def height(self) -> int:
        """The height of the lines, in pixels."""
        return lines_height(len(self.lines), self.size)


def lines_height(count: int, size: int) -> int:
    """Return the height of ``count`` lines at ``size``, in pixels."""
    return int(count * size * PITCH + 0.999)


def fit(texts: Sequence[str], box: Box, measure: Measure, largest: int | None = None, one_line: float = ONE_LINE) -> Fitted:
    """Return ``texts``, each on a new line, fitted to ``box``: at most ``largest`` pixels, by default what the box's height allows.

    A text shrinks to ``one_line`` of that before it wraps; with 1.0 it wraps first.
    """
    top = max(SMALLEST, min(largest or box.height, int(box.height / PITCH)))
    floor = max(SMALLEST, int(top * one_line))
    for size in _sizes(top, floor):
        if lines_height(len(texts), size) <= box.height and all(measure(text, size) <= box.width for text in texts):
            return Fitted(size, tuple(texts))
    for size in _sizes(top, SMALLEST):
        wrapped = [line for text in texts for line in _wrap(text, box.width, measure, size)]
        if lines_height(len(wrapped), size) <= box.height and all(measure(line, size) <= box.width for line in wrapped):
            return Fitted(size, tuple(wrapped))
    return _cut(texts, box, measure, SMALLEST)


def _sizes(largest: int, smallest: int) -> list[int]:
    """Return few sizes, so that few fonts are opened: every pixel up to 20, every second up to 48, then every fourth."""
    sizes, size = [], largest
    while size >= smallest:
        sizes.append(size)
        size -= 1 if size <= 20 else 2 if size <= 48 else 4
    return sizes


def split(text: str) -> list[str]:
    """Return the words of ``text``. A non-breaking space joins words; a middle dot stays with the word before it."""
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
