"""Draw a window's card, and the shell's notices, that neither players nor director must miss."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from appliance.display.drawing import Pen, measure, rounded
from appliance.display.layout import Box, Colour, fit
from firmware.face.value import WindowFace
from firmware.screens.digits import USUAL
from firmware.screens.scribe import AMBER, INK, HalfColours, Scribe, reading

FIGURES: Final = (45, 33)
"""The largest share of a ticket's width for its reading, in percent: less if its words need the room."""


class _Writing(Struct, frozen=True):
    """A text in its place."""

    text: str
    box: Box
    pen: Pen

    def fits(self, scribe: Scribe) -> bool:
        return scribe.is_even(self.text, self.box, self.pen)

    def draw(self, scribe: Scribe) -> None:
        scribe.write((self.text,), self.box, self.pen)


class _Ticket(Struct, frozen=True):
    """The window's plate, its words and the place of its reading."""

    box: Box
    words: tuple[_Writing, ...]
    figures: Box

    def fits(self, scribe: Scribe) -> bool:
        return all(words.fits(scribe) for words in self.words)


def paint_window(scribe: Scribe, box: Box, window: WindowFace, colours: HalfColours) -> None:
    """Draw the window's card into ``box``: what it allows, and its reading."""
    tickets = _tickets(box, window, colours)
    _paint_ticket(scribe, next((each for each in tickets if each.fits(scribe)), tickets[0]), window, colours)


def window_fits(scribe: Scribe, box: Box, window: WindowFace, colours: HalfColours) -> bool:
    """Return whether the words of a window's card in ``box`` are whole."""
    return any(each.fits(scribe) for each in _tickets(box, window, colours))


def _tickets(box: Box, window: WindowFace, colours: HalfColours) -> list[_Ticket]:
    return [_ticket(_not_too_tall(box), window, colours, share) for share in FIGURES]


def _not_too_tall(box: Box) -> Box:
    """Return the box at a ticket's proportions."""
    spare = max(0, box.height - box.width * 9 // 20)
    return Box(box.x, box.y + spare // 2, box.width, box.height - spare)


def _ticket_colours(colours: HalfColours) -> tuple[Colour, Colour]:
    """Return the colours of a running window's plate and of its words."""
    return (AMBER, INK) if colours.panel != AMBER and colours.digits != INK else (INK, AMBER)


def _ticket(box: Box, window: WindowFace, colours: HalfColours, share: int) -> _Ticket:
    """Return the window's ticket in ``box``, with at most ``share`` percent of its width for the reading."""
    tight = share != FIGURES[0]
    inner = box.inset(4, 1) if tight else box.inset(max(6, box.height // 8), max(4, box.height // 10))
    figures = min(int(inner.height * 0.80 * USUAL.width_of(window.reading)), inner.width * share // 100)
    words = inner.left(inner.width - figures - inner.width // 24)
    title = words.top(words.height * (35 if tight else 40) // 100)
    colour = _ticket_colours(colours)[1]
    room = inner.beside(inner.width - figures)
    said = (
        _Writing(window.title, title, Pen(colour)),
        _Writing(window.text, words.below(title.height), Pen(colour, largest=max(12, title.height * 8 // 10), one_line=0.8)),
    )
    return _Ticket(box, said, room.inset(0, room.height // 10))


def _paint_ticket(scribe: Scribe, ticket: _Ticket, window: WindowFace, colours: HalfColours) -> None:
    box = ticket.box
    rounded(scribe.surface, box, max(4, min(box.width, box.height) // 9), _ticket_colours(colours)[0])
    for words in ticket.words:
        words.draw(scribe)
    reading(scribe.surface, window.reading, ticket.figures, ticket.words[0].pen.colour, place=1.0)


LEGIBLE: Final = 0.28
"""The smallest text size, as a share of the plate's height: if all notices together would be smaller, only the gravest is shown, with a count of the rest."""


def notices_fit(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> bool:
    """Return whether the gravest notice fits uncut on a plate that fills ``box``."""
    words, _ = _notice_words(scribe, box, notices)
    return scribe.fits(words.notices, words.box, words.pen)


def paint_notices(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> None:
    """Draw ``notices``, gravest first, on a plate that fills ``box``; whole sentences of them, if not all."""
    rounded(scribe.surface, box, box.height // 6, AMBER)
    words, count = _notice_words(scribe, box, notices)
    if count is not None:
        more = count.width * 2 // 3
        scribe.write([f"+{len(notices) - 1}"], count, Pen(INK, largest=more, place=1.0))
    whole = [words.notices] if len(words.notices) > 1 else [(text,) for text in _beginnings(words.notices[0])]
    shown = next((each for each in whole if scribe.fits(each, words.box, words.pen)), words.notices)
    scribe.write(shown, words.box, words.pen)


class _Words(Struct, frozen=True):
    """The notices on the plate, where they stand, and how."""

    notices: tuple[str, ...]
    box: Box
    pen: Pen


def _notice_words(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> tuple[_Words, Box | None]:
    """Return what stands on the plate, and the place for the count of the other notices, if they have no room."""
    inner = box.inset(max(4, min(box.width, box.height) // 5), max(1, box.height // 40))
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
