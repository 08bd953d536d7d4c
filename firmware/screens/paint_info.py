"""Draw banner, details and window, the words of a stop, in the room available; and the shell's notices, that neither players nor director must miss.

On a small screen the first arrangement may cut a word. Then the next one stands, which gives more room to what counts most: the window, then the
details, then the banner, which the half's symbol repeats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from appliance.display.drawing import Pen, framed, measure, rounded
from appliance.display.layout import Box, Colour, fit, lines_height
from firmware.face.value import WindowFace
from firmware.screens.digits import width_of
from firmware.screens.scribe import AMBER, INK, Coat, Scribe, reading

ROW: Final = 4
"""From this ratio of width to height on, words and window are side by side."""
FIGURES: Final = (45, 33, 25)
"""The largest share of a ticket's width for its reading, in percent: less if its words need the room."""
WORDS: Final = ((48, 50), (36, 38), (24, 26))
"""Beside a ticket: the words' share of the width and where the ticket begins, in percent."""


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


@dataclass(frozen=True, slots=True)
class _Writing:
    """Texts, each on a new line; ``most``: the last of them may be missing."""

    texts: tuple[str, ...]
    box: Box
    pen: Pen
    most: bool = False

    def fits(self, scribe: Scribe) -> bool:
        return scribe.fits(self.texts[:1] if self.most else self.texts, self.box, self.pen)

    def draw(self, scribe: Scribe) -> None:
        (scribe.write_most if self.most else scribe.write)(self.texts, self.box, self.pen)


@dataclass(frozen=True, slots=True)
class _Ticket:
    """The window's plate, its words and the place of its reading."""

    box: Box
    words: tuple[_Writing, ...]
    figures: Box


@dataclass(frozen=True, slots=True)
class _Plan:
    """One arrangement."""

    words: tuple[_Writing, ...] = ()
    ticket: _Ticket | None = None

    def fits(self, scribe: Scribe) -> bool:
        words = self.words if self.ticket is None else (*self.words, *self.ticket.words)
        return all(each.fits(scribe) for each in words)


def paint_info(scribe: Scribe, box: Box, info: Info, coat: Coat) -> None:
    """Draw ``info`` into ``box``: stacked in a column, or with the window at the right in a row."""
    plans = list(_plans(box, info, coat))
    plan = next((each for each in plans if each.fits(scribe)), plans[0])
    for words in plan.words:
        words.draw(scribe)
    if plan.ticket is not None and info.window is not None:
        _paint_ticket(scribe, plan.ticket, info.window, coat)


def _plans(box: Box, info: Info, coat: Coat) -> Iterator[_Plan]:
    """Yield the arrangements, the best first."""
    if info.window is None:
        yield _Plan(tuple(_words_in_a_row(box, info, coat) if box.width >= ROW * box.height else _words(box, info, coat)))
        yield _Plan(tuple(_words(box, info, coat, tight=True)))
        yield _Plan((_Writing(info.details or (info.heading,), box, Pen(coat.words, largest=max(12, box.height // 5)), most=True),))
        return
    if info.heading or info.details:
        yield from _beside_words(box, info, info.window, coat)
    for share in FIGURES:
        yield _Plan(ticket=_ticket(_not_too_tall(box), info.window, coat, share))


def _beside_words(box: Box, info: Info, window: WindowFace, coat: Coat) -> Iterator[_Plan]:
    if box.width < ROW * box.height:
        for share in FIGURES:
            yield _column(box, info, window, coat, share)
        return
    for tight in (False, True):
        for (named, begins), share in zip(WORDS, FIGURES, strict=True):
            words = _words(box.left(box.width * named // 100), info, coat, tight=tight)
            yield _Plan(tuple(words), _ticket(box.beside(box.width * begins // 100), window, coat, share))
    heading = _Writing((info.heading or info.details[0],), box.left(box.width * WORDS[-1][0] // 100), Pen(coat.accent))
    yield _Plan((heading,), _ticket(box.beside(box.width * WORDS[-1][1] // 100), window, coat, FIGURES[-1]))


def _not_too_tall(box: Box) -> Box:
    """Return the box at a ticket's proportions, for a ticket alone."""
    spare = max(0, box.height - box.width * 9 // 20)
    return Box(box.x, box.y + spare // 2, box.width, box.height - spare)


def _column(box: Box, info: Info, window: WindowFace, coat: Coat, share: int) -> _Plan:
    head = box.height * 20 // 100 if info.heading else 0
    tail = box.height * 24 // 100 if info.details else 0
    gap = box.height // 24
    words = []
    if info.heading:
        words.append(_Writing((info.heading,), box.top(head), Pen(coat.accent)))
    if info.details:
        words.append(_Writing(info.details, box.below(box.height - tail), Pen(coat.words, largest=box.height // 6), most=True))
    return _Plan(tuple(words), _ticket(box.below(head).top(box.height - head - tail).inset(0, gap), window, coat, share))


def _words(box: Box, info: Info, coat: Coat, *, tight: bool = False) -> Iterator[_Writing]:
    """Yield the banner above the details; ``tight``: with no more room than its line needs."""
    head = 0
    if info.heading:
        largest = min(box.width // 9, box.height * 3 // 10)
        head = lines_height(1, largest) if tight else box.height * (44 if info.details else 80) // 100
        yield _Writing((info.heading,), box.top(head), Pen(coat.accent, largest=largest))
    if info.details:
        yield _Writing(info.details, box.below(head), Pen(coat.words, largest=max(12, box.height // 5), drop=0.2), most=True)


def _words_in_a_row(box: Box, info: Info, coat: Coat) -> Iterator[_Writing]:
    """Yield the banner beside the details, each as large as possible; a banner alone goes in the middle."""
    if not (info.heading and info.details):
        colour, texts = (coat.accent, (info.heading,)) if info.heading else (coat.words, info.details)
        yield _Writing(texts, box, Pen(colour, largest=box.height // 2, place=0.5), most=True)
        return
    yield _Writing((info.heading,), box.left(box.width * 9 // 25), Pen(coat.accent, largest=box.height // 2))
    yield _Writing(info.details, box.beside(box.width * 2 // 5), Pen(coat.words, largest=box.height * 2 // 5), most=True)


def _ticket_colours(coat: Coat) -> tuple[Colour, Colour]:
    """Return the colours of a running window's plate and of its words."""
    return (AMBER, INK) if coat.panel != AMBER and coat.digits != INK else (INK, AMBER)


def _ticket(box: Box, window: WindowFace, coat: Coat, share: int) -> _Ticket:
    """Return the window's ticket in ``box``, with at most ``share`` percent of its width for the reading."""
    tight = share != FIGURES[0]
    inner = box.inset(4, 1) if tight else box.inset(max(6, box.height // 8), max(4, box.height // 10))
    figures = min(int(inner.height * 0.80 * width_of(window.reading)), inner.width * share // 100)
    words = inner.left(inner.width - figures - inner.width // 24)
    title = words.top(words.height * (35 if tight else 40) // 100)
    colour = coat.words if window.expired else _ticket_colours(coat)[1]
    room = inner.beside(inner.width - figures)
    said = (
        _Writing((window.title,), title, Pen(colour)),
        _Writing((window.text,), words.below(title.height), Pen(colour, largest=max(12, title.height * 8 // 10))),
    )
    return _Ticket(box, said, room.inset(0, room.height // 10))


def _paint_ticket(scribe: Scribe, ticket: _Ticket, window: WindowFace, coat: Coat) -> None:
    """Draw a filled plate while the window runs and an outlined one after it expires, so that the shape differs too."""
    box = ticket.box
    radius = max(4, min(box.width, box.height) // 9)
    if window.expired:
        framed(scribe.surface, box, radius, (coat.words, coat.panel), max(2, box.height // 40))
    else:
        rounded(scribe.surface, box, radius, _ticket_colours(coat)[0])
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


@dataclass(frozen=True, slots=True)
class _Words:
    """The notices on the plate, where they stand, and how."""

    notices: tuple[str, ...]
    box: Box
    pen: Pen


def _notice_words(scribe: Scribe, box: Box, notices: tuple[str, ...]) -> tuple[_Words, Box | None]:
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
