"""Draw banner, details and window: the words of a stop, in the room available."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from appliance.display.box import Box
from appliance.display.colour import Colour
from appliance.display.lettering import Pen
from appliance.display.stencil import framed, rounded
from firmware.face.value import WindowFace
from firmware.screens.digits import width_of
from firmware.screens.palette import AMBER, INK, Coat
from firmware.screens.scribe import Scribe
from firmware.screens.stencil import reading

ROW: Final = 4
"""From this ratio of width to height on, words and window are side by side."""


@dataclass(frozen=True, slots=True)
class Info:
    """The information for both players; false if there is none."""

    banner: str
    details: tuple[str, ...]
    window: WindowFace | None

    def __bool__(self) -> bool:
        return bool(self.banner or self.details or self.window)

    @property
    def heading(self) -> str:
        """The banner, unless the window's title says the same."""
        return "" if self.window is not None and self.window.title == self.banner else self.banner


def paint_info(scribe: Scribe, box: Box, info: Info, coat: Coat) -> None:
    """Draw ``info`` into ``box``: stacked in a column, or with the window at the right in a row."""
    if info.window is None:
        (_words_in_a_row if box.width >= ROW * box.height else _words)(scribe, box, info, coat)
    elif not (info.heading or info.details):
        _ticket(scribe, _not_too_tall(box), info.window, coat)
    elif box.width < ROW * box.height:
        _column(scribe, box, info, info.window, coat)
    else:
        words = box.left(box.width * 12 // 25)
        _words(scribe, words, info, coat)
        _ticket(scribe, box.beside(box.width // 2), info.window, coat)


def _not_too_tall(box: Box) -> Box:
    """Return the box at a ticket's proportions, for a ticket alone."""
    spare = max(0, box.height - box.width * 9 // 20)
    return Box(box.x, box.y + spare // 2, box.width, box.height - spare)


def _column(scribe: Scribe, box: Box, info: Info, window: WindowFace, coat: Coat) -> None:
    head = box.height * 20 // 100 if info.heading else 0
    tail = box.height * 24 // 100 if info.details else 0
    gap = box.height // 24
    if info.heading:
        scribe.write([info.heading], box.top(head), Pen(coat.accent))
    if info.details:
        scribe.write_most(info.details, box.below(box.height - tail), Pen(coat.words, largest=box.height // 6))
    _ticket(scribe, box.below(head).top(box.height - head - tail).inset(0, gap), window, coat)


def _words(scribe: Scribe, box: Box, info: Info, coat: Coat) -> None:
    """Draw the banner above the details."""
    head = 0
    if info.heading:
        head = box.height * (44 if info.details else 80) // 100
        scribe.write([info.heading], box.top(head), Pen(coat.accent, largest=min(box.width // 9, box.height * 3 // 10)))
    if info.details:
        scribe.write_most(info.details, box.below(head), Pen(coat.words, largest=max(12, box.height // 5), drop=0.2))


def _words_in_a_row(scribe: Scribe, box: Box, info: Info, coat: Coat) -> None:
    """Draw the banner beside the details, each as large as possible; a banner alone goes in the middle."""
    if not (info.heading and info.details):
        colour = coat.accent if info.heading else coat.words
        scribe.write_most([info.heading] if info.heading else info.details, box, Pen(colour, largest=box.height // 2, place=0.5))
        return
    scribe.write([info.heading], box.left(box.width * 9 // 25), Pen(coat.accent, largest=box.height // 2))
    scribe.write_most(info.details, box.beside(box.width * 2 // 5), Pen(coat.words, largest=box.height * 2 // 5))


def _ticket(scribe: Scribe, box: Box, window: WindowFace, coat: Coat) -> None:
    """Draw a filled plate while the window runs and an outlined one after it expires, so that the shape differs too."""
    filled, line = (AMBER, INK) if coat.panel != AMBER and coat.digits != INK else (INK, AMBER)
    radius = max(4, min(box.width, box.height) // 9)
    if window.expired:
        framed(scribe.surface, box, radius, (coat.words, coat.panel), max(2, box.height // 40))
        line = coat.words
    else:
        rounded(scribe.surface, box, radius, filled)
    _ticket_words(scribe, box.inset(max(6, box.height // 8), max(4, box.height // 10)), window, line)


def _ticket_words(scribe: Scribe, inner: Box, window: WindowFace, colour: Colour) -> None:
    figures = min(int(inner.height * 0.80 * width_of(window.reading)), inner.width * 9 // 20)
    words = inner.left(inner.width - figures - inner.width // 24)
    title = words.top(words.height * 40 // 100)
    scribe.write([window.title], title, Pen(colour))
    scribe.write([window.text], words.below(title.height), Pen(colour, largest=max(12, title.height * 8 // 10)))
    room = inner.beside(inner.width - figures)
    reading(scribe.surface, window.reading, room.inset(0, room.height // 10), colour, place=1.0)
