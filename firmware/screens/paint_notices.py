"""Draw the shell's notices on a plate: messages that neither players nor director must miss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from appliance.display.box import Box
from appliance.display.fit import fit
from appliance.display.lettering import Pen, measure
from appliance.display.stencil import rounded
from firmware.screens.palette import AMBER, INK
from firmware.screens.scribe import Scribe

LEGIBLE: Final = 0.28
"""The smallest text size, as a share of the plate's height: if all notices together would be smaller, only the gravest is shown, with a count of the rest."""


def notices_fit(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> bool:
    """Return whether the gravest notice fits uncut on a plate that fills ``box``."""
    words, _ = _words(scribe, box, notices)
    return scribe.fits(words.notices, words.box, words.pen)


def paint_notices(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> None:
    """Draw ``notices``, gravest first, on a plate that fills ``box``; whole sentences of them, if not all."""
    rounded(scribe.surface, box, box.height // 6, AMBER)
    words, count = _words(scribe, box, notices)
    if count is not None:
        more = count.width * 2 // 3
        scribe.write([f"+{len(notices) - 1}"], count, Pen(INK, largest=more, place=1.0))
    whole = [words.notices] if len(words.notices) > 1 else [(text,) for text in _beginnings(words.notices[0])]
    shown = next((each for each in whole if scribe.fits(each, words.box, words.pen)), words.notices)
    scribe.write(shown, words.box, words.pen)


@dataclass(frozen=True, slots=True)
class _Words:
    """The notices on the plate, where they stand, and how."""

    notices: tuple[str, ...]
    box: Box
    pen: Pen


def _words(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> tuple[_Words, Box | None]:
    """Return what stands on the plate, and the place for the count of the other notices, if they have no room."""
    inner = box.inset(max(4, box.height // 5), max(1, box.height // 40))
    pen = Pen(INK, largest=max(11, inner.height * 6 // 10))
    small = fit(notices, inner, measure, pen.largest).size < max(LEGIBLE * box.height, scribe.smallest)
    if len(notices) == 1 or not (small or not scribe.fits(notices, inner, pen)):
        return _Words(notices, inner, pen), None
    counted = min(inner.height * 7 // 10, max(inner.width // 12, scribe.smallest * 2))
    return _Words(notices[:1], inner.left(inner.width - counted), pen), inner.beside(inner.width - counted)


def _beginnings(notice: str) -> Iterator[str]:
    """Yield the notice, then ever fewer of its sentences."""
    sentences = notice.split(". ")
    yield notice
    for count in range(len(sentences) - 1, 0, -1):
        yield ". ".join(sentences[:count])
