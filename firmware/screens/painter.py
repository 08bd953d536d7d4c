"""Draw a face on a surface, but only the parts that have changed.

A fill's words are drawn on an empty and on a full plate once, then for each frame the part of the full one that is reached: a frame costs one copied
rectangle. The words turn from light on dark to dark on light as the fill passes, so length, motion and words all show it.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

import pygame
from msgspec import Struct
from msgspec.structs import replace

from appliance.display.drawing import Pen, framed, measure, rounded, stamp, stencil
from appliance.display.layout import POINT, Box, Colour, lines_height
from firmware.face.value import FILL_STEPS, Face, FillFace, HalfFace, MessageTone, WindowFace
from firmware.screens.digits import DOWNWARD, NARROW, UPWARD, USUAL
from firmware.screens.layout import HalfLayout, Layout, Note, Room, Strip
from firmware.screens.page_layout import FillPlace, fill_place
from firmware.screens.paint_half import HalfView, paint_half, words_fit
from firmware.screens.paint_page import MenuView, notices_fit, paint_menu, paint_notices, paint_pattern, paint_seat
from firmware.screens.scribe import AMBER, EMBER, GROUND, INK, IVORY, MIST, STEEL, Scribe, half_colours, reading
from game.game import Phase
from rules.side import BySide, Side


class StripView(Struct, frozen=True):
    """Equal views give equal pictures."""

    notices: tuple[str, ...]
    rulebook: str
    names: BySide[str]
    runs: Side | None
    overtime: bool
    called: str
    hint: str
    other: HalfFace | None
    table: BySide[Box]


def _paint_words(scribe: Scribe, strip: Strip, view: StripView) -> None:
    scribe.surface.fill(GROUND)
    for note in strip.notes:
        _turned(scribe, _within(note.place, strip.place), note, view)
    if strip.other is not None and view.other is not None:
        _paint_other(scribe, _within(strip.other, strip.place), view.other)


def _paint_pointer(surface: pygame.Surface, strip: Strip, view: StripView) -> None:
    """Draw a triangle at the running half: between facing halves it points up or down, under two upright ones up. Where none runs, a bar."""
    if view.runs is not None and strip.pointers is not None:
        upward = strip.bar is None or view.runs is Side.LEFT
        place = _within(strip.pointers.of(view.runs), strip.place)
        stamp(surface, UPWARD if upward else DOWNWARD, place, EMBER if view.overtime else IVORY)
    elif strip.bar is not None:
        bar = _within(strip.bar, strip.place)
        rounded(surface, bar, bar.height // 2, STEEL)


def _within(box: Box, place: Box) -> Box:
    return Box(box.x - place.x, box.y - place.y, box.width, box.height)


def _turned(scribe: Scribe, box: Box, note: Note, view: StripView) -> None:
    upright = pygame.Surface((box.width, box.height))
    _paint_note(scribe.on(upright), Box(0, 0, box.width, box.height), note, view)
    scribe.surface.blit(pygame.transform.rotate(upright, note.turn) if note.turn else upright, (box.x, box.y))


def _paint_note(scribe: Scribe, box: Box, note: Note, view: StripView) -> None:
    """Draw, in this order of rank: the call for the director, notices, what to do, the rulebook's name."""
    scribe.surface.fill(GROUND)
    if view.called:
        rounded(scribe.surface, box, box.height // 6, AMBER)
        scribe.write([view.called], box.inset(box.height // 6, 0), Pen(INK, place=0.5))
    elif view.notices:
        paint_notices(scribe, box, view.notices)
    elif view.hint:
        largest = box.height * (3 if note.side is None else 2) // 4
        scribe.write([view.hint], box, Pen(AMBER, largest=largest, place=1.0, one_line=1.0))
    else:
        largest = max(scribe.smallest, min(box.height * 2 // 5, box.width // 12))
        pen = Pen(MIST, largest=largest, place=1.0, one_line=0.0 if note.side else 1.0)
        name = "" if note.side is None else view.names.of(note.side)
        size = scribe.size([name, view.rulebook], box, pen) if name else 0
        if note.side is not None and size:
            # The sign is on the surface of its reader, whose own half is the nearer one.
            seat, high = note.side if note.turn == 0 else note.side.other, lines_height(1, size)
            named = box.top(high).beside(max(0, box.width - high * 7 // 4 - measure(name, size)))
            scribe.write([name], paint_seat(scribe, named, view.table, seat, MIST), replace(pen, largest=size))
            box, pen = box.below(high), replace(pen, largest=size)
        scribe.write([view.rulebook], box, pen)


def _paint_other(scribe: Scribe, box: Box, other: HalfFace) -> None:
    if other.runs:
        rounded(scribe.surface, box, box.height // 6, EMBER if other.overtime else IVORY)
    colour = INK if other.runs else EMBER if other.overtime else MIST
    inner, pen = box.inset(box.height // 5), Pen(colour)
    # The reading itself shows overtime; its points are news.
    texts = (" ".join(other.marks[:2]), *other.marks[1:2], other.name) if other.overtime else (other.name,)
    shares = ((50, 55), (40, 43))
    fitting = ((share, text) for share in shares for text in texts if scribe.fits([text], inner.beside(inner.width * share[1] // 100), pen))
    (figures, begins), text = next(fitting, (shares[0], texts[-1]))
    reading(scribe.surface, other.reading, inner.left(inner.width * figures // 100), colour, place=0.0, heavy=other.low)
    scribe.write([text], inner.beside(inner.width * begins // 100), pen)


EMPTY: Final[Colour] = (44, 52, 62)


class FillPlate:
    def __init__(self, scribe: Scribe, place: FillPlace, fill: FillFace, ground: Colour = GROUND) -> None:
        """Draw both plates: ``fill``'s words in ``place``, whose round corners show ``ground``."""
        self.words = _said(fill)
        self._place = place
        self._empty = _plate(scribe, place, fill, (EMPTY, IVORY, ground))
        self._full = _plate(scribe, place, fill, (AMBER, INK, ground))
        self._done: int | None = None

    def cover(self) -> None:
        """Draw all of it next time: what lies under it was drawn anew."""
        self._done = None

    def draw(self, surface: pygame.Surface, done: int) -> Box | None:
        if done == self._done:
            return None
        box, before = self._place.box, self._done
        self._done = done
        if before is None or done < before:
            surface.blit(self._empty, (box.x, box.y))
        for part in _reached(self._place, done):
            surface.blit(self._full, (box.x + part.x, box.y + part.y), (part.x, part.y, part.width, part.height))
        return box


def _reached(place: FillPlace, done: int) -> tuple[Box, ...]:
    width, height = place.box.width, place.box.height
    if place.both_ways:
        reach = width // 2 * done // FILL_STEPS
        return (Box(width // 2 - reach, 0, 2 * reach, height),)
    reach = width * done // FILL_STEPS
    return (Box(width - reach if place.from_right else 0, 0, reach, height),)


def _said(fill: FillFace) -> tuple[str, str, int]:
    return fill.let_go, fill.hold_on, fill.stages


def _plate(scribe: Scribe, place: FillPlace, fill: FillFace, colours: tuple[Colour, Colour, Colour]) -> pygame.Surface:
    ground, words, behind = colours
    plate = pygame.Surface((place.box.width, place.box.height))
    plate.fill(behind)
    framed(plate, Box(0, 0, place.box.width, place.box.height), place.box.height // 8, (AMBER, ground), max(2, place.box.height // 30))
    for box, turn in place.readers:
        upright = pygame.Surface((box.width, box.height))
        upright.fill(ground)
        _words(scribe.on(upright), Box(0, 0, box.width, box.height), fill, words)
        plate.blit(pygame.transform.rotate(upright, turn) if turn else upright, (box.x, box.y))
    _notches(plate, place, fill.stages, words)
    return plate


def _notches(plate: pygame.Surface, place: FillPlace, stages: int, colour: Colour) -> None:
    """Mark at both edges where each stage but the last ends: the fill of the second one goes on from there."""
    thick, tall = max(2, place.box.height // 20), max(4, place.box.height // 5)
    for stage in range(1, stages):
        for part in _reached(place, FILL_STEPS * stage // stages):
            for x in {part.x, part.right} - {0, place.box.width}:
                for y in (0, place.box.height - tall):
                    plate.fill(colour, (x - thick // 2, y, thick, tall))


def _words(scribe: Scribe, box: Box, fill: FillFace, colour: Colour) -> None:
    """Write what letting go does above what holding on does, which is larger: it is read from across the table."""
    if not fill.hold_on:
        scribe.write([fill.let_go], box, Pen(colour, largest=box.height // 2))
        return
    shares = (box.height * share // 100 for share in (40, 50, 60))
    first = next((share for share in shares if scribe.fits([fill.let_go], box.top(share), Pen(colour))), box.height // 2)
    scribe.write([fill.let_go], box.top(first), Pen(colour, largest=first * 8 // 10))
    scribe.write([fill.hold_on], box.below(first), Pen(colour, largest=(box.height - first) * 8 // 10))


class Painter:
    def __init__(self, layout: Layout, *, digits_alone: bool = False) -> None:
        self._layout = layout
        self._digits_alone = digits_alone
        self._halves: dict[Side, HalfView] = {}
        self._strip: StripView | None = None
        self._words: tuple[StripView, pygame.Surface] | None = None
        """What the strip says without its pointer: a turn moves only that."""
        self._menu: MenuView | None = None
        self.room = Room.LARGE
        self.touched = False
        self._plates: dict[Side | None, FillPlate] = {}
        """The fills on the screen, by the half under them; None: over the strip."""

    def warm(self, faces: Iterable[Face]) -> Iterator[None]:
        """Draw ``faces``, their fills on a half and the strip, and the numerals in advance, a small piece with each step."""
        sheet = pygame.Surface(self._layout.size)
        # Both halves are equally large.
        half = self._layout.halves[0].side
        places = [fill_place(self._layout, where, room) for where, room in ((None, Room.LARGE), *((half, room) for room in Room))]
        sizes = {(parts.digits.height, parts.numerals is NARROW) for place in self._layout.halves for _, parts in place.rooms}
        sizes |= {
            (box.height, numerals is NARROW) for box, numerals in (place.alone for place in self._layout.halves if self._digits_alone)
        }
        for face in dict.fromkeys(faces):
            Painter(self._layout, digits_alone=self._digits_alone).draw(sheet, replace(face, fills=()))
            yield
            for place, fill in product(places, face.fills):
                FillPlate(Scribe(sheet, self._layout.smallest), place, fill)
                yield
        for height, narrow in sizes:
            numerals = NARROW if narrow else USUAL
            for shape in (*numerals.usual.values(), *numerals.heavy.values()):
                for colour in (IVORY, INK):
                    stencil(shape, height, colour)
                yield

    def draw(self, surface: pygame.Surface, face: Face) -> list[Box]:
        if face.menu is not None:
            return self._draw_menu(surface, MenuView(face.menu, face.halves, face.notices, self._layout.table))
        drawn: list[Box] = []
        if self._menu is not None or self._strip is None:
            self._forget()
            surface.fill(GROUND)
            drawn.append(Box(0, 0, *self._layout.size))
        fills = {fill_place(self._layout, fill.where, Room.LARGE).over: fill for fill in face.fills}
        self._uncover(fills)
        views = self._views(surface, face)
        room = views[0].room
        if room is not self.room:
            # The fills lie elsewhere.
            self.room = room
            self._plates.clear()
        drawn += [*self._draw_halves(surface, views), *self._draw_strip(surface, face)]
        return drawn + self._draw_fills(surface, fills, face.halves)

    def _forget(self) -> None:
        self._halves.clear()
        self._strip = None
        self._menu = None
        self._plates.clear()

    def _uncover(self, fills: dict[Side | None, FillFace]) -> None:
        """Forget the fills that ended or say something else, and what they cover."""
        for over, plate in list(self._plates.items()):
            fill = fills.get(over)
            if fill is not None and _said(fill) == plate.words:
                continue
            del self._plates[over]
            if fill is None and over is None:
                self._strip = None
            elif fill is None and over is not None:
                self._halves.pop(over, None)

    def _draw_menu(self, surface: pygame.Surface, view: MenuView) -> list[Box]:
        if view == self._menu:
            return []
        self._forget()
        self._menu = view
        if view.menu.pattern:
            whole = Box(0, 0, *self._layout.size)
            paint_pattern(self._scribe(surface, whole), whole, view.menu)
            return [whole]
        box = self._layout.menu
        paint_menu(self._scribe(surface, box), Box(0, 0, box.width, box.height), view)
        return [box]

    def _views(self, surface: pygame.Surface, face: Face) -> list[HalfView]:
        """Return what the halves show. The digits have the same room in both, and the large one only where an instruction is whole beside them."""
        notices, counting = self._moved_notices(surface, face), _counting(face)
        room, views = _room(face, notices), []
        for place in self._layout.halves:
            half = face.halves.of(place.side)
            state = _state(face, half)
            note = _note(face, half)
            card = None if counting is None else counting.read_by(place.side)
            views.append(
                HalfView(half, face.phase, card, note, room, state, face.reason, notices=notices, code=face.code, touched=self.touched)
            )
        instructs = room is Room.LARGE and any(half.tone is not MessageTone.QUIET for _, half in face.halves.items())
        if instructs and not all(
            words_fit(self._scribe(surface, place.place), place, view) for place, view in zip(self._layout.halves, views, strict=True)
        ):
            return [replace(view, room=Room.BESIDE) for view in views]
        quiet = all(half.tone is MessageTone.QUIET and half.turn_left is None for _, half in face.halves.items())
        if self._digits_alone and room is Room.LARGE and quiet:
            return [replace(view, alone=True) for view in views]
        return views

    def _draw_halves(self, surface: pygame.Surface, views: list[HalfView]) -> list[Box]:
        drawn = []
        for place, view in zip(self._layout.halves, views, strict=True):
            if self._halves.get(place.side) != view:
                self._halves[place.side] = view
                drawn.append(self._draw_half(surface, place, view))
                self._cover(place.side)
        return drawn

    def _draw_strip(self, surface: pygame.Surface, face: Face) -> list[Box]:
        strip = self._layout.strip
        runs = next((half for _, half in face.halves.items() if half.runs), None) if strip.pointers else None
        view = StripView(
            notices=() if self._moved_notices(surface, face) else face.notices,
            rulebook=face.rulebook,
            names=face.halves.map(lambda half: half.name),
            runs=runs.side if runs else None,
            overtime=bool(runs and runs.overtime),
            called=face.called,
            hint=face.hint,
            other=face.halves.of(self._layout.halves[0].side.other) if strip.other else None,
            table=self._layout.table,
        )
        if self._strip == view:
            return []
        self._strip = view
        words = replace(view, runs=None, overtime=False)
        if self._words is None or self._words[0] != words:
            self._words = words, pygame.Surface((strip.place.width, strip.place.height))
            _paint_words(Scribe(self._words[1], self._layout.smallest), strip, words)
        on_strip = self._scribe(surface, strip.place).surface
        on_strip.blit(self._words[1], (0, 0))
        _paint_pointer(on_strip, strip, view)
        self._cover(None)
        return [strip.place]

    def _moved_notices(self, surface: pygame.Surface, face: Face) -> tuple[str, ...]:
        """Return the notices if they stand in the place of banner and details: the strip would cut them, and no window counts."""
        if not face.notices or face.called or face.window is not None:
            return ()
        scribe = Scribe(surface, self._layout.smallest)
        return () if all(notices_fit(scribe, note.place, face.notices) for note in self._layout.strip.notes) else face.notices

    def _draw_fills(self, surface: pygame.Surface, fills: dict[Side | None, FillFace], halves: BySide[HalfFace]) -> list[Box]:
        drawn = []
        for over, fill in fills.items():
            if over not in self._plates:
                place = fill_place(self._layout, fill.where, self.room)
                half = None if over is None else halves.of(over)
                ground = GROUND if half is None else half_colours(runs=half.runs, overtime=half.overtime).panel
                self._plates[over] = FillPlate(Scribe(surface, self._layout.smallest), place, fill, ground)
            box = self._plates[over].draw(surface, fill.done)
            drawn += [] if box is None else [box]
        return drawn

    def _cover(self, over: Side | None) -> None:
        if over in self._plates:
            self._plates[over].cover()

    def _draw_half(self, surface: pygame.Surface, place: HalfLayout, view: HalfView) -> Box:
        scribe = self._scribe(surface, place.place)
        paint_half(scribe, place, view)
        if place.turn:
            scribe.surface.blit(pygame.transform.rotate(scribe.surface, place.turn), (0, 0))
        return place.place

    def _scribe(self, surface: pygame.Surface, box: Box) -> Scribe:
        return Scribe(surface.subsurface((box.x, box.y, box.width, box.height)), self._layout.smallest)


def _room(face: Face, notices: tuple[str, ...]) -> Room:
    if any(half.page for _, half in face.halves.items()):
        return Room.PAGE
    stands = face.banner and face.phase is not Phase.HOLD
    return Room.BESIDE if stands or _counting(face) or notices else Room.LARGE


def _counting(face: Face) -> WindowFace | None:
    """Return the window that has a card: one that has expired is a line of the note, so that the digits have its room."""
    return None if face.window is None or face.window.expired else face.window


def _state(face: Face, half: HalfFace) -> str:
    return face.banner if face.phase in (Phase.NEUTRAL, Phase.OVER) and face.banner != half.prompt else ""


def _note(face: Face, half: HalfFace) -> tuple[str, ...]:
    """Return what both players have to know, the most important first; state, instruction, window and status of a hold say theirs themselves."""
    if face.code:
        # A call has taken the strip, so the hint stands beside the code.
        return (face.hint,) if face.called and face.hint else ()
    window = face.window
    expired = "" if window is None or not window.expired else f"{window.title} {window.reading} {POINT} {window.text}"
    return tuple(text for text in (half.note, expired, *face.details) if text)
