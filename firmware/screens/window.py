"""The clock's window or full-screen panel: faces in, inputs out. No other module of the clock uses pygame's event names."""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Final

import pygame
from msgspec import Struct, field

from appliance.display.drawing import measure
from appliance.display.layout import Rotation
from appliance.display.pane import LIFTED, POINTED, Pane, pointer
from appliance.display.screen import lost
from appliance.display.window import DISPLAY, REMEDY
from firmware.face.value import Face
from firmware.screens.layout import Arrangement, HalfLayout, Layout, Room, arrange, hit
from firmware.screens.page_layout import PageParts, entry_parts, menu_parts, place_at
from firmware.screens.painter import Painter
from firmware.screens.screen import (
    KEYS,
    PLAYERS_MENU_KEYS,
    DigitHit,
    Held,
    Quit,
    RowHit,
    ScreenInput,
    key_down,
    press,
    release,
    release_all,
)
from hardware.boards.board import ButtonName
from rules.side import Side

NAMED: dict[int, str] = {
    pygame.K_LEFT: "left",
    pygame.K_RIGHT: "right",
    pygame.K_a: "a",
    pygame.K_l: "l",
    pygame.K_k: "k",
    pygame.K_SPACE: "space",
    pygame.K_UP: "up",
    pygame.K_DOWN: "down",
    pygame.K_RETURN: "return",
    pygame.K_KP_ENTER: "enter",
    pygame.K_ESCAPE: "escape",
}
"""By key code: ``pygame.key.name`` depends on the display."""


_BUTTONS: Final = (1, 2, 3)
"""Each button of a mouse presses."""


class PointerTarget(Struct, frozen=True):
    """What a mouse or a finger hits, and what keys press."""

    layout: Layout
    shown: tuple[int, int]
    """The size in pixels of the part of ``layout`` in the window: a finger's position is a fraction of that."""
    page: PageParts | None = None
    """The director's page, if it is shown: there rows are hit, not buttons."""
    keys: Mapping[str, ButtonName] = field(default_factory=lambda: KEYS)
    entered_on: HalfLayout | None = None

    def inputs(self, held: Held, source: Hashable, spot: tuple[int, int]) -> tuple[Held, tuple[ScreenInput, ...]]:
        if self.page is not None:
            row = place_at(self.page.rows, *spot)
            return held, () if row is None else (RowHit(row),)
        if self.entered_on is not None and (digit := _digit_at(self.entered_on, *spot)) is not None:
            return held, (DigitHit(digit),)
        button = hit(self.layout, *spot)
        return (held, ()) if button is None else press(held, source, button)


def _digit_at(half: HalfLayout, x: int, y: int) -> int | None:
    place = half.place
    inner = (x - place.x, y - place.y) if half.turn == 0 else (place.right - 1 - x, place.bottom - 1 - y)
    return place_at(entry_parts(half.parts(Room.PAGE).words, touched=True).keys, *inner)


def translate(held: Held, event: pygame.event.Event, target: PointerTarget) -> tuple[Held, tuple[ScreenInput, ...]]:
    if event.type == pygame.QUIT:
        return held, (Quit(),)
    if event.type == pygame.WINDOWFOCUSLOST:
        return release_all(held)
    if event.type in (pygame.KEYDOWN, pygame.KEYUP):
        name = NAMED.get(event.key, "")
        return key_down(held, name, target.keys) if event.type == pygame.KEYDOWN else release(held, name)
    found = pointer(event, target.shown, _BUTTONS) if event.type in (*POINTED, *LIFTED) else None
    if found is None:
        return held, ()
    return release(held, found[0]) if event.type in LIFTED else target.inputs(held, *found)


_REMEDY: Final = f"{REMEDY}, or use --screen terminal"


class WindowScreen(Pane):
    """A process can have only one."""

    def __init__(  # noqa: PLR0913 - one parameter for each property of a window
        self,
        size: tuple[int, int],
        arrangement: Arrangement,
        title: str,
        *,
        fullscreen: bool = False,
        rotate: Rotation = 0,
        side: Side | None = None,
        digits_alone: bool = False,
    ) -> None:
        """Open the window, of ``size`` pixels, or of the panel's if ``fullscreen``, without frame and mouse pointer. Raises ScreenError: there is no display.

        ``rotate`` turns the picture clockwise, in degrees; ``side`` is the half of the arrangement ``single``; ``digits_alone``: a half that asks for
        nothing shows only its digits.
        """
        super().__init__(size, title, fullscreen=fullscreen, rotate=rotate, remedy=_REMEDY)
        self._arrangement, self._side, self._digits_alone = arrangement, side, digits_alone
        self._held = Held()
        self._inputs: list[ScreenInput] = []
        self._face: Face | None = None
        self._rehearsed: tuple[Face, ...] = ()
        self._warming: Iterator[None] = iter(())
        self._lay_out()

    def draw(self, face: Face) -> bool:
        """Show ``face``; return whether a picture was needed. Raises ScreenError: the display is lost."""
        if face == self._face or not self._open:
            return False
        self._face = face
        with lost(DISPLAY, pygame.error):
            return self._show(self._painter.draw(self._sheet, face))

    def warm(self, faces: Iterable[Face]) -> None:
        """Draw ``faces`` and the numerals in advance, a piece with each ``wait``, so that a press waits for one piece at most."""
        self._rehearsed = tuple(faces)
        self._warming = self._painter.warm(self._rehearsed)
        while not self.blocks and self._warmed():
            pass  # the loop does not wait here

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep as ``Pane.wait`` does, or draw a piece in advance and only look."""
        super().wait(0 if self._warmed() else timeout_ms)

    def _warmed(self) -> bool:
        with lost(DISPLAY, pygame.error):
            return self._open and next(self._warming, True) is None

    def poll(self) -> list[ScreenInput]:
        """Return the inputs since the last call, oldest first, without waiting. Raises ScreenError: the display is lost."""
        if self._open:
            with lost(DISPLAY, pygame.error):
                self._gather()
        inputs, self._inputs = self._inputs, []
        return inputs

    def _gather(self) -> bool:
        # Repeat until there are none: handling an exposure talks to the server, which reads further events.
        while events := pygame.event.get():
            for event in events:
                self._handle(event)
        return bool(self._inputs)

    def _on_event(self, event: pygame.event.Event) -> None:
        # Where a button keeps its meaning, the page has no own moves, and the keys of the menu press none.
        moves = self._face is not None and any(half.page and half.page.own_move for _, half in self._face.halves.items())
        target = PointerTarget(self.layout, self.size, self._page(), PLAYERS_MENU_KEYS if moves else KEYS, self._entered_on())
        self._painter.touched |= event.type in POINTED
        self._held, inputs = translate(self._held, event, target)
        self._inputs += inputs

    def _entered_on(self) -> HalfLayout | None:
        if self._face is None or not self._painter.touched:
            return None
        halves = self._face.halves
        return next((each for each in self.layout.halves if (page := halves.of(each.side).page) and page.digit is not None), None)

    def _page(self) -> PageParts | None:
        if self._face is None or self._face.menu is None:
            return None
        return menu_parts(self.layout.menu, self._face.menu, self.layout.smallest, measure, warned=bool(self._face.notices))

    def _resized(self) -> None:
        self._lay_out()
        face, self._face = self._face, None
        if face is not None:
            self.draw(face)
        self.warm(self._rehearsed)

    def _lay_out(self) -> None:
        self.layout = arrange(*self._sheet.get_size(), self._arrangement, self._side)
        self._painter = Painter(self.layout, digits_alone=self._digits_alone)
