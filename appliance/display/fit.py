"""Words that have to fit a box: shrink, then wrap, then cut with an ellipsis. Pure: what a text measures is asked of the caller."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from appliance.display.box import Box

Measure: TypeAlias = Callable[[str, int], int]
"""The width in pixels of a text at a size in pixels."""
PITCH: Final = 1.14
"""From line to line, in sizes."""
ONE_LINE: Final = 0.62
"""A text shrinks to this share of its largest size before it is wrapped."""
ELLIPSIS: Final = "…"
POINT: Final = "·"
SMALLEST: Final = 9
"""Nothing is set smaller than so many pixels: it is cut instead."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Lines that fit, at one size in pixels."""

    size: int
    lines: tuple[str, ...]

    @property
    def height(self) -> int:
        """What the lines take, in pixels."""
        return lines_height(len(self.lines), self.size)


def lines_height(count: int, size: int) -> int:
    """Return the height of ``count`` lines at that size, in pixels."""
    return int(count * size * PITCH + 0.999)


def fit(texts: Sequence[str], box: Box, measure: Measure, largest: int | None = None, one_line: float = ONE_LINE) -> Fitted:
    """Return ``texts``, each from a new line, as they fit ``box``: at most at ``largest`` pixels, by default what the box's height allows.

    A text shrinks to ``one_line`` of that before it is wrapped; at 1.0 it is wrapped first.
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
    """Few sizes, so that few fonts are opened: every pixel below 20, then every second, from 48 every fourth."""
    sizes, size = [], largest
    while size >= smallest:
        sizes.append(size)
        size -= 1 if size <= 20 else 2 if size <= 48 else 4
    return sizes


def split(text: str) -> list[str]:
    """Return the words of ``text``; a space that does not break keeps two together, and a point between two parts stays with the first."""
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
    kept = [_shortened(line, box.width, measure, size) for line in wrapped[:room]]
    if len(wrapped) > room:
        kept[-1] = _shortened(f"{wrapped[room - 1]} {wrapped[room]}", box.width, measure, size, always=True)
    return Fitted(size, tuple(kept))


def _shortened(text: str, width: int, measure: Measure, size: int, *, always: bool = False) -> str:
    if not always and measure(text, size) <= width:
        return text
    kept = len(text)
    while kept and measure(text[:kept].rstrip() + ELLIPSIS, size) > width:
        kept -= 1
    return text[:kept].rstrip() + ELLIPSIS
