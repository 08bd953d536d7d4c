"""The clock's window or full-screen panel: faces in, inputs out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pygame

from appliance.display.pane import Pane
from appliance.display.rotation import Rotation
from appliance.display.screen_loss import lost
from appliance.display.window import DISPLAY, REMEDY
from firmware.face.value import Face, FillFace
from firmware.screens.keys import Held, ScreenInput
from firmware.screens.layout import Arrangement, Layout, arrange
from firmware.screens.page_layout import PageParts, menu_parts
from firmware.screens.painter import Painter
from firmware.screens.pointing import PointerTarget, translate
from rules.side import Side

_REMEDY: Final = f"{REMEDY}, or use --screen terminal"


class WindowScreen(Pane):
    """One screen on one display. A process can have only one."""

    def __init__(  # noqa: PLR0913 - one parameter for each property of a window
        self,
        size: tuple[int, int],
        arrangement: Arrangement,
        title: str,
        *,
        fullscreen: bool = False,
        rotate: Rotation = 0,
        side: Side | None = None,
    ) -> None:
        """Open the window.

        Args:
            size: width and height in pixels; ``fullscreen`` uses the panel's instead.
            arrangement: the arrangement of the halves.
            title: the window's title.
            fullscreen: no frame and no mouse pointer.
            rotate: clockwise rotation of the picture in degrees.
            side: the half of the arrangement ``single``.

        Raises:
            ScreenError: there is no display.
        """
        super().__init__(size, title, fullscreen=fullscreen, rotate=rotate, remedy=_REMEDY)
        self._arrangement, self._side = arrangement, side
        self._held = Held()
        self._inputs: list[ScreenInput] = []
        self._face: Face | None = None
        self._rehearsed: tuple[FillFace, ...] = ()
        self._lay_out()

    @property
    def layout(self) -> Layout:
        """The layout at the present size."""
        return self._layout

    def draw(self, face: Face) -> bool:
        """Show ``face``; return whether a picture was needed.

        Raises:
            ScreenError: the display is lost.
        """
        if face == self._face or not self._open:
            return False
        self._face = face
        with lost(DISPLAY, pygame.error):
            return self._show(self._painter.draw(self._sheet, face))

    def warm(self, fills: Iterable[FillFace]) -> None:
        """Draw the numerals and ``fills`` in every size of the layout in advance."""
        self._rehearsed = tuple(fills)
        self._painter.warm(self._sheet, self._rehearsed)

    def poll(self) -> list[ScreenInput]:
        """Return the inputs since the last call, oldest first, without waiting.

        Raises:
            ScreenError: the display is lost.
        """
        if self._open:
            with lost(DISPLAY, pygame.error):
                self._gather()
        inputs, self._inputs = self._inputs, []
        return inputs

    def _gather(self) -> bool:
        # Repeat until there are none: handling an exposure talks to the server, which reads further events.
        while events := pygame.event.get():
            for event in events:
                self._take(event)
        return bool(self._inputs)

    def _handle(self, event: pygame.event.Event) -> None:
        self._held, inputs = translate(self._held, event, PointerTarget(self._layout, self.size, self._page()))
        self._inputs += inputs

    def _page(self) -> PageParts | None:
        """Return the places on the director's page, if it is shown."""
        if self._face is None or self._face.menu is None:
            return None
        return menu_parts(self._layout.menu, self._face.menu, warned=bool(self._face.notices))

    def _resized(self) -> None:
        self._lay_out()
        face, self._face = self._face, None
        if face is not None:
            self.draw(face)
        self.warm(self._rehearsed)

    def _lay_out(self) -> None:
        self._layout = arrange(*self._sheet.get_size(), self._arrangement, self._side)
        self._painter = Painter(self._layout)
