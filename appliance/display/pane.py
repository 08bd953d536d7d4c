"""An open window: drawing, sleeping, waking, snapshots, closing. The shared base of all windows.

A bare panel shows the program's name until the first picture, and its console behind it for when the program ends. Finger and mouse positions are converted from
the panel's pixels to the layout's.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Final

import pygame

from appliance.display.frame_check import frame_arrived
from appliance.display.layout import Box, Rotation, Turn
from appliance.display.screen import WakePipe, lost
from appliance.display.sdl import is_bare
from appliance.display.sources import hotplug, sources
from appliance.display.window import DISPLAY, REMEDY, close_window, open_window, renderer
from appliance.errors import ScreenError
from appliance.log import get_logger
from appliance.process import blank
from appliance.splash.paint import GROUND, INK, name_picture, paint

_FINGERS: Final = (pygame.FINGERDOWN, pygame.FINGERUP, pygame.FINGERMOTION)
_MOUSE: Final = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION)
_NOWHERE: Final = -1.0


def upright(event: pygame.event.Event, turn: Turn) -> pygame.event.Event:
    """Return ``event`` as on an upright panel: fingers and mouse in layout coordinates, other events unchanged.

    A finger reported off the panel, or without a position, gets a position outside the layout: it presses nothing, and its release still counts.
    """
    if event.type in _FINGERS:
        x, y = _share(event.x, event.y, turn)
        return pygame.event.Event(event.type, {**event.dict, "x": x, "y": y})
    if event.type in _MOUSE and turn.degrees:
        return pygame.event.Event(event.type, {**event.dict, "pos": turn.seen(*event.pos)})
    return event


def _share(x: float, y: float, turn: Turn) -> tuple[float, float]:
    """Return the finger's position as shares of the layout's size, at the centre of its pixel. The device's largest value means the last pixel."""
    if not (isfinite(x) and isfinite(y) and 0 <= x <= 1 and 0 <= y <= 1):
        return _NOWHERE, _NOWHERE
    width, height = turn.panel
    column, row = turn.seen(min(width - 1, int(x * width)), min(height - 1, int(y * height)))
    return (column + 0.5) / turn.size[0], (row + 0.5) / turn.size[1]


_LEVELS: Final = [[ground + (ink - ground) * level // 255 for ground, ink in zip(GROUND, INK, strict=True)] for level in range(256)]
"""The palette from ground to ink, mixed as in ``paint``."""


def show_name(surface: pygame.Surface, program: str, rotate: Rotation) -> None:
    """Show the name of ``program`` on ``surface``, turned: pygame opens a panel black, and the first picture may take a while."""
    width, height = surface.get_size()
    rows = name_picture(program, height if rotate in (90, 270) else width)
    name = pygame.image.frombuffer(b"".join(rows), (len(rows[0]), len(rows)), "P")
    name.set_palette(_LEVELS)
    # pygame rotates anticlockwise.
    turned = pygame.transform.rotate(name, -rotate)
    surface.fill(GROUND)
    surface.blit(turned, ((width - turned.get_width()) // 2, (height - turned.get_height()) // 2))
    pygame.display.flip()
    blank()


def paint_console(program: str, rotate: Rotation) -> None:
    """Paint the name into the console's frame buffer, turned as the settings say, which are known by now. Do nothing if that fails."""
    with suppress(OSError):
        paint(program, rotate)


SMALLEST: Final = (320, 240)
"""The smallest layout, width and height in pixels: a smaller window shows its upper left part."""
_SIZED: Final = (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED)
SERVED: Final = (*_SIZED, pygame.WINDOWEXPOSED)
"""The events that the window handles itself; all others go to the program."""


class Pane(ABC):
    """One window on one display; subclasses draw and handle events. One per process. Any thread may call ``wake``, one thread everything else."""

    def __init__(self, size: tuple[int, int], title: str, *, fullscreen: bool, rotate: Rotation = 0, remedy: str = REMEDY) -> None:
        """Open the window with ``open_window``; pictures are turned clockwise by ``rotate`` degrees. Raises ``ScreenError``."""
        # Before SDL looks for input devices: one that comes meanwhile must not be missed.
        plugged = hotplug()
        try:
            self._surface = open_window(size, title, fullscreen=fullscreen, remedy=remedy)
        except ScreenError:
            if plugged is not None:
                plugged.close()
            raise
        self._program = title.lower()
        self._settled = not is_bare(pygame.display.get_driver())
        self._show_name(rotate)
        self._turn = Turn(rotate, self._surface.get_size())
        self._sheet = self._new_sheet()
        self._source = sources(plugged)
        self._alarm = WakePipe()
        self._drawn = 0
        self._open = True

    @property
    def drawn(self) -> int:
        """The number of pictures drawn so far."""
        return self._drawn

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels, as players see it."""
        return self._turn.size

    @property
    def blocks(self) -> bool:
        """Whether ``wait`` sleeps without polling: on X11's connection, or on a bare panel's input devices."""
        return self._source.blocks

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep until an event, ``wake`` or ``timeout_ms`` (None: no limit). May return early. Raises ``ScreenError``."""
        if not self._open:
            return
        with lost(DISPLAY, pygame.error):
            if self._drawn and not self._settled:
                self._settle()
            # Events read while drawing are already in SDL's queue, so the connection does not signal them.
            if not self._gather() and self._source.sleep(self._alarm, timeout_ms):
                self._reopen()

    def wake(self) -> None:
        """End this ``wait`` or the next. Thread-safe; no effect once closed."""
        self._alarm.wake()

    def snapshot(self, path: Path) -> None:
        """Save the picture on the screen (PNG by its name); raises ``OSError``."""
        try:
            pygame.image.save(self._surface, path)
        except pygame.error as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        """Close the display. Idempotent."""
        if self._open:
            self._open = False
            self._alarm.close()
            self._source.close()
            close_window()

    @abstractmethod
    def _gather(self) -> bool:
        """Read SDL's events and pass each to ``_take``; return whether there is something to poll."""

    @abstractmethod
    def _handle(self, event: pygame.event.Event) -> None:
        """Handle an event that is not in ``SERVED``."""

    @abstractmethod
    def _resized(self) -> None:
        """Lay out and draw again: the sheet is new, empty and of another size."""

    def _take(self, event: pygame.event.Event) -> None:
        if event.type in _SIZED:
            self._resize()
        elif event.type == pygame.WINDOWEXPOSED:
            pygame.display.flip()
        else:
            self._handle(upright(event, self._turn))

    def _reopen(self) -> None:
        """Reopen the bare panel, by which SDL finds added devices, lets go of removed ones, and releases their keys and fingers."""
        self._handle(pygame.event.Event(pygame.WINDOWFOCUSLOST))
        pygame.display.quit()
        self._surface = open_window(self._turn.panel, self._program, fullscreen=False)
        self._show_name(self._turn.degrees)
        self._turn = Turn(self._turn.degrees, self._surface.get_size())
        self._sheet = self._new_sheet()
        self._resized()

    def _show_name(self, rotate: Rotation) -> None:
        """Show the program's name on a bare panel: SDL's own first picture is black."""
        if is_bare(pygame.display.get_driver()):
            show_name(self._surface, self._program, rotate)

    def _show(self, boxes: Sequence[Box]) -> bool:
        """Update these parts of the display from the sheet; return whether there are any."""
        if not boxes:
            return False
        if self._sheet is self._surface:
            pygame.display.update([(box.x, box.y, box.width, box.height) for box in boxes])
        else:
            pygame.display.update([self._copied(box) for box in boxes])
        self._drawn += 1
        return True

    def _settle(self) -> None:
        """Do what can wait until a bare panel's first picture: paint the name on the console for when the program ends, and log the panel."""
        self._settled = True
        paint_console(self._program, self._turn.degrees)
        arrived = frame_arrived(self._surface)
        width, height = self._turn.panel
        panel = {"driver": pygame.display.get_driver(), "renderer": renderer(), "size": f"{width}x{height}", "rotate": self._turn.degrees}
        if arrived is False:
            get_logger().error("the panel stays black: no frame arrives", **panel)
        else:
            get_logger().info("panel", frame="arrived" if arrived else "unknown", **panel)

    def _copied(self, box: Box) -> pygame.Rect:
        """Copy this part of the sheet, clipped, to the surface; return its place there."""
        shown = pygame.Rect(box.x, box.y, box.width, box.height).clip(pygame.Rect((0, 0), self.size))
        lies = self._turn.placed(Box(shown.x, shown.y, shown.width, shown.height))
        # pygame rotates anticlockwise; right angles only move pixels.
        return self._surface.blit(pygame.transform.rotate(self._sheet.subsurface(shown), -self._turn.degrees), (lies.x, lies.y))

    def _resize(self) -> None:
        surface = pygame.display.get_surface()
        if surface is not None and surface.get_size() != self._turn.panel:
            self._surface, self._turn = surface, Turn(self._turn.degrees, surface.get_size())
            self._sheet = self._new_sheet()
            self._resized()

    def _new_sheet(self) -> pygame.Surface:
        """Return the drawing surface: the window itself, or a separate sheet if the window is too small or turned."""
        width, height = self.size
        if self._turn.degrees == 0 and width >= SMALLEST[0] and height >= SMALLEST[1]:
            return self._surface
        return pygame.Surface((max(width, SMALLEST[0]), max(height, SMALLEST[1])), depth=self._surface.get_bitsize())
