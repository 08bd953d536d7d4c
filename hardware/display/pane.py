"""An open window as a thing to sleep on, wake, photograph and close: what every program's screen does alike."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pygame

from hardware.display.alarm import Alarm
from hardware.display.box import Box
from hardware.display.sources import sources
from hardware.display.window import ADVICE, close_window, open_window


class Pane:
    """One window on one display. One process has one; any thread may wake it, all else is one thread's."""

    def __init__(self, size: tuple[int, int], title: str, *, fullscreen: bool, advice: str = ADVICE) -> None:
        """Open it, as ``open_window`` does.

        Raises:
            ScreenError: there is no display.
        """
        self._surface = open_window(size, title, fullscreen=fullscreen, advice=advice)
        self._size = self._surface.get_size()
        self._source = sources()
        self._alarm = Alarm()
        self._open = True

    @property
    def surface(self) -> pygame.Surface:
        """What is drawn on."""
        return self._surface

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height in pixels."""
        return self._size

    @property
    def open(self) -> bool:
        """Whether it is."""
        return self._open

    @property
    def blocks(self) -> bool:
        """Whether ``sleep`` sleeps without looking again and again: on X11's connection, or on a bare panel's input devices."""
        return self._source.blocks

    def sleep(self, timeout_ms: int | None) -> None:
        """Sleep until an event, ``wake``, or the end of ``timeout_ms``; None: without limit. Where it cannot sleep so long it returns early."""
        self._source.sleep(self._alarm, timeout_ms)

    def wake(self) -> None:
        """End a ``sleep``, this one or the next; from any thread, harmless once closed."""
        self._alarm.ring()

    def hand_over(self, boxes: Iterable[Box]) -> None:
        """Give these parts of the surface to the display."""
        pygame.display.update([(box.x, box.y, box.width, box.height) for box in boxes])

    def resized(self) -> bool:
        """Take the surface of the window's new size; return whether it is another than it was."""
        surface = pygame.display.get_surface()
        if surface is None or surface.get_size() == self._size:
            return False
        self._surface, self._size = surface, surface.get_size()
        return True

    def snapshot(self, path: Path) -> None:
        """Write what stands on it to a picture (PNG by its name).

        Raises:
            OSError: the picture cannot be written.
        """
        try:
            pygame.image.save(self._surface, path)
        except pygame.error as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        """Close it. More than once does no harm."""
        if self._open:
            self._open = False
            self._alarm.close()
            self._source.close()
            close_window()
