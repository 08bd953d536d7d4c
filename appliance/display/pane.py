"""An open window as a thing to draw on, sleep on, wake, photograph and close: what every program's screen does alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pygame

from appliance.display.box import Box
from appliance.display.frame_check import frame_arrived
from appliance.display.library import release_keys, renderer
from appliance.display.pointing import upright
from appliance.display.screen_loss import lost
from appliance.display.sdl import is_bare
from appliance.display.sources import sources
from appliance.display.turn import Rotation, Turn
from appliance.display.wake_pipe import Alarm
from appliance.display.window import DISPLAY, REMEDY, close_window, open_window
from appliance.log import get_logger
from appliance.splash.held import hold, leave

SMALLEST: Final = (320, 240)
"""Width and height in pixels below which nothing is laid out: a smaller window shows the left upper part of it."""
_SIZED: Final = (pygame.VIDEORESIZE, pygame.WINDOWSIZECHANGED)
SERVED: Final = (*_SIZED, pygame.WINDOWEXPOSED)
"""The events that are the window's own affair; all others are its program's."""
_MODIFIERS: Final = pygame.KMOD_SHIFT | pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_GUI | pygame.KMOD_MODE
"""Keys that change what others type as long as they are down."""


class Pane(ABC):
    """One window on one display; a program's own says what is drawn and what is heard. One process has one; any thread may wake it, all else is one thread's."""

    def __init__(self, size: tuple[int, int], title: str, *, fullscreen: bool, rotate: Rotation = 0, remedy: str = REMEDY) -> None:
        """Open it, as ``open_window`` does, and draw on it turned clockwise by ``rotate`` degrees.

        Raises:
            ScreenError: there is no display.
        """
        self._surface = open_window(size, title, fullscreen=fullscreen, remedy=remedy)
        self._program = title.lower()
        self._settled = not is_bare(pygame.display.get_driver())
        if not self._settled:
            hold(self._surface, self._program, rotate)
        self._turn = Turn(rotate, self._surface.get_size())
        self._sheet = self._new_sheet()
        self._source = sources()
        self._alarm = Alarm()
        self._drawn = 0
        self._open = True

    @property
    def drawn(self) -> int:
        """How many pictures have been drawn."""
        return self._drawn

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height in pixels, as players see it."""
        return self._turn.size

    @property
    def blocks(self) -> bool:
        """Whether ``wait`` sleeps without looking again and again: on X11's connection, or on a bare panel's input devices."""
        return self._source.blocks

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep until an event, ``wake``, or the end of ``timeout_ms``; None: without limit. Where it cannot sleep so long it returns early.

        Raises:
            ScreenError: the display is gone.
        """
        if not self._open:
            return
        with lost(DISPLAY, pygame.error):
            if self._drawn and not self._settled:
                self._settle()
            # What was read while drawing lies in SDL's queue already, and the connection would stay silent about it.
            if not self._gather() and self._source.sleep(self._alarm, timeout_ms):
                self._let_go()

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

    @abstractmethod
    def _gather(self) -> bool:
        """Take what SDL has read, each event through ``_take``; return whether there is something to poll."""

    @abstractmethod
    def _heard(self, event: pygame.event.Event) -> None:
        """Take an event that is none of ``SERVED``."""

    @abstractmethod
    def _resized(self) -> None:
        """Lay out and draw anew: the sheet is an empty one of another size."""

    def _take(self, event: pygame.event.Event) -> None:
        if event.type in _SIZED:
            self._resize()
        elif event.type == pygame.WINDOWEXPOSED:
            pygame.display.flip()
        else:
            self._heard(upright(event, self._turn))

    def _let_go(self) -> None:
        """Take keys and fingers for lifted: SDL goes on holding a key of a keyboard that is gone, and forgets a finger without a word."""
        stuck = is_bare(pygame.display.get_driver()) and pygame.key.get_mods() & _MODIFIERS
        release_keys()
        self._heard(pygame.event.Event(pygame.WINDOWFOCUSLOST))
        if stuck:
            self._reopen()

    def _reopen(self) -> None:
        """Open the bare panel anew. SDL 2.32 counts the modifiers of all keyboards apart from its other keys, and has no other way to reset the count."""
        self._source.close()
        pygame.display.quit()
        self._surface = open_window(SMALLEST, self._program, fullscreen=True)
        self._turn = Turn(self._turn.degrees, self._surface.get_size())
        self._sheet = self._new_sheet()
        self._source = sources()
        self._resized()

    def _show(self, boxes: Sequence[Box]) -> bool:
        """Give these parts of the sheet to the display; return whether there are any."""
        if not boxes:
            return False
        if self._sheet is self._surface:
            pygame.display.update([(box.x, box.y, box.width, box.height) for box in boxes])
        else:
            pygame.display.update([self._copied(box) for box in boxes])
        self._drawn += 1
        return True

    def _settle(self) -> None:
        """Do for a bare panel what its first picture does not have to wait for: paint the name for the time after the program, and log what the picture stands on."""
        self._settled = True
        leave(self._program, self._turn.degrees)
        arrived = frame_arrived(self._surface)
        width, height = self._turn.panel
        panel = {"driver": pygame.display.get_driver(), "renderer": renderer(), "size": f"{width}x{height}", "rotate": self._turn.degrees}
        if arrived is False:
            get_logger().error("the panel stays black: no frame arrives", **panel)
        else:
            get_logger().info("panel", frame="arrived" if arrived else "cannot be told", **panel)

    def _copied(self, box: Box) -> pygame.Rect:
        """Copy this part of the sheet, as far as there is room for it; return where on the surface it lies now."""
        shown = pygame.Rect(box.x, box.y, box.width, box.height).clip(pygame.Rect((0, 0), self.size))
        lies = self._turn.placed(Box(shown.x, shown.y, shown.width, shown.height))
        # pygame turns the other way round; by right angles it moves the pixels, and mixes none.
        return self._surface.blit(pygame.transform.rotate(self._sheet.subsurface(shown), -self._turn.degrees), (lies.x, lies.y))

    def _resize(self) -> None:
        surface = pygame.display.get_surface()
        if surface is not None and surface.get_size() != self._turn.panel:
            self._surface, self._turn = surface, Turn(self._turn.degrees, surface.get_size())
            self._sheet = self._new_sheet()
            self._resized()

    def _new_sheet(self) -> pygame.Surface:
        """Return what to draw on: the window itself, or where that is too small, or turned, a sheet of which it shows a part or all."""
        width, height = self.size
        if self._turn.degrees == 0 and width >= SMALLEST[0] and height >= SMALLEST[1]:
            return self._surface
        return pygame.Surface((max(width, SMALLEST[0]), max(height, SMALLEST[1])), depth=self._surface.get_bitsize())
