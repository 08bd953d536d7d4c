"""A window, or a whole bare panel, by pygame: SDL's display and its font, nothing else of it.

Drawing goes to SDL's plain framebuffer (with acceleration it costs four times as much on a small machine), and only the boxes that changed are handed over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pygame

from firmware.core.side import Side
from firmware.face.value import Face
from firmware.screens.keys import Held, Input
from firmware.screens.layout import Arrangement, Layout, arrange
from firmware.screens.painter import Painter
from firmware.screens.pointing import translate
from hardware.display.alarm import Alarm
from hardware.display.lost import lost
from hardware.display.sources import sources
from hardware.display.window import ADVICE, DISPLAY, close_window, open_window

SMALLEST: Final = (320, 240)
"""Width and height in pixels below which nothing is laid out: a smaller window shows the left upper part of it."""
_ADVICE: Final = f"{ADVICE}, or use --screen terminal"


class WindowScreen:
    """One screen on one display. One process has one."""

    def __init__(
        self, size: tuple[int, int], arrangement: Arrangement, title: str, *, fullscreen: bool = False, side: Side | None = None
    ) -> None:
        """Open it.

        Args:
            size: width and height in pixels; ``fullscreen`` takes what the panel has.
            arrangement: how the halves stand.
            title: of the window.
            fullscreen: without a frame, without a mouse pointer.
            side: whose half, in the arrangement ``single``.

        Raises:
            ScreenError: there is no display.
        """
        self._arrangement, self._side = arrangement, side
        self._surface = open_window(size, title, fullscreen=fullscreen, advice=_ADVICE)
        self._source = sources()
        self._alarm = Alarm()
        self._held = Held()
        self._inputs: list[Input] = []
        self._face: Face | None = None
        self._drawn = 0
        self._open = True
        self._lay_out()

    @property
    def drawn(self) -> int:
        """How many pictures have been drawn."""
        return self._drawn

    @property
    def layout(self) -> Layout:
        """Where everything stands at the present size."""
        return self._layout

    @property
    def blocks(self) -> bool:
        """Whether ``wait`` sleeps without looking again and again: on X11's connection, or on a bare panel's input devices."""
        return self._source.blocks

    def draw(self, face: Face) -> bool:
        """Show ``face``; return whether anything had to be drawn.

        Raises:
            ScreenError: the display is gone.
        """
        if face == self._face or not self._open:
            return False
        self._face = face
        with lost(DISPLAY, pygame.error):
            return self._paint(face)

    def poll(self) -> list[Input]:
        """Return what was pressed since the last call, oldest first, without waiting.

        Raises:
            ScreenError: the display is gone.
        """
        if self._open:
            with lost(DISPLAY, pygame.error):
                self._collect()
        inputs, self._inputs = self._inputs, []
        return inputs

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep until an event, ``wake``, or the end of ``timeout_ms``; None: without limit. Where it cannot sleep so long it returns early.

        Raises:
            ScreenError: the display is gone.
        """
        if not self._open:
            return
        with lost(DISPLAY, pygame.error):
            # What was read while drawing lies in SDL's queue already, and the connection would stay silent about it.
            self._collect()
            if not self._inputs:
                self._source.sleep(self._alarm, timeout_ms)

    def wake(self) -> None:
        """End a ``wait``, this one or the next; from any thread, harmless once closed."""
        self._alarm.ring()

    def snapshot(self, path: Path) -> None:
        """Write what stands on the screen to a picture (PNG by its name).

        Raises:
            OSError: the picture cannot be written.
        """
        try:
            pygame.image.save(self._surface, path)
        except pygame.error as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        """Close the display. More than once does no harm."""
        if self._open:
            self._open = False
            self._alarm.close()
            self._source.close()
            close_window()

    def _paint(self, face: Face) -> bool:
        boxes = self._painter.draw(self._page, face)
        if not boxes:
            return False
        if self._page is self._surface:
            pygame.display.update([(box.x, box.y, box.width, box.height) for box in boxes])
        else:
            self._surface.blit(self._page, (0, 0))
            pygame.display.flip()
        self._drawn += 1
        return True

    def _collect(self) -> None:
        # Until there are none: answering an exposure talks to the server, and reads what came meanwhile.
        while events := pygame.event.get():
            for event in events:
                self._take(event)

    def _take(self, event: pygame.event.Event) -> None:
        if event.type in (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED):
            self._resized()
        elif event.type == pygame.WINDOWEXPOSED:
            pygame.display.flip()
        else:
            self._held, inputs = translate(self._held, event, self._layout, self._surface.get_size())
            self._inputs += inputs

    def _resized(self) -> None:
        surface = pygame.display.get_surface()
        if surface is None or surface.get_size() == self._size:
            return
        self._surface = surface
        self._lay_out()
        face, self._face = self._face, None
        if face is not None:
            self.draw(face)

    def _lay_out(self) -> None:
        width, height = self._size = self._surface.get_size()
        self._layout = arrange(max(width, SMALLEST[0]), max(height, SMALLEST[1]), self._arrangement, self._side)
        self._page = self._surface if self._layout.size == self._size else pygame.Surface(self._layout.size)
        self._painter = Painter(self._layout)
        self._painter.warm()
