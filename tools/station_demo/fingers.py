"""Fingers on an invisible window: touches of targets, put into SDL's own queue and read from there like a panel's."""

import pygame

from kiosk.screens.window import KioskWindow


class DemoFinger:
    """A finger of either player on ``window``."""

    def __init__(self, window: KioskWindow) -> None:
        self._window = window

    def tap(self, target: str) -> None:
        """Tap the middle of the target with that name.

        Raises:
            LookupError: the page has no such target.
        """
        x, y = self._middle(target)
        for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
            pygame.event.post(pygame.event.Event(kind, touch_id=0, finger_id=0, x=x, y=y, dx=0.0, dy=0.0, pressure=1.0))

    def _middle(self, target: str) -> tuple[float, float]:
        """Return its position, in fractions of the window."""
        arranged = self._window.arranged
        for item in () if arranged is None else arranged.items:
            if item.target is not None and item.target.id == target:
                width, height = self._window.size
                return (item.box.x + item.box.width / 2) / width, (item.box.y + item.box.height / 2) / height
        raise LookupError(f"expected a target {target} on the page {None if arranged is None else arranged.page}")
