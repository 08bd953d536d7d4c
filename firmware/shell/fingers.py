"""Touches and keys of the screen, as edges with instants like those of a board's pins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from firmware.screens.keys import ButtonEdge, Quit, ScreenInput, Tap
from hardware.buttons.edge import Edge

TAP_NS: Final = 20_000_000
"""The shortest time a key or finger is down: a press and release read at once would be a spike."""


class Fingers:
    """Schedules pending releases. Instants in ns; a key's instant is that of reading it."""

    def __init__(self) -> None:
        self._down: dict[str, int] = {}
        self._pending: list[Edge] = []

    @property
    def release_instants(self) -> list[int]:
        """The instants of the pending releases."""
        return [edge.at for edge in self._pending]

    def edges(self, pressed: Iterable[ScreenInput], now: int) -> list[Edge]:
        """Return the edges due at ``now``, including those of the inputs in ``pressed``."""
        for each in pressed:
            if isinstance(each, ButtonEdge):
                self._pending.append(self._edge(each, now))
            elif isinstance(each, Tap):
                self._pending.append(Edge(each.button, down=True, at=now, stamped=False))
                self._pending.append(Edge(each.button, down=False, at=now + each.held, stamped=False))
        due = [edge for edge in self._pending if edge.at <= now]
        self._pending = [edge for edge in self._pending if edge.at > now]
        return due

    def _edge(self, pressed: ButtonEdge, now: int) -> Edge:
        if pressed.down:
            self._down[pressed.button] = now
            return Edge(pressed.button, down=True, at=now, stamped=False)
        earliest = self._down.pop(pressed.button, now - TAP_NS) + TAP_NS
        return Edge(pressed.button, down=False, at=max(now, earliest), stamped=False)


def quits(pressed: Iterable[ScreenInput]) -> bool:
    """Return whether an input asks to quit."""
    return any(isinstance(each, Quit) for each in pressed)
