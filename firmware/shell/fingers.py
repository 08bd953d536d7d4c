"""Fingers on the screen and keys: what was pressed there becomes edges with instants, as a board's pins would give."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from firmware.screens.keys import ButtonEdge, Input, Quit, Tap
from hardware.buttons.edge import Edge

TAP_NS: Final = 20_000_000
"""A key or finger is down so long at the least: a press and release that are read in one go would be a spike."""


class Fingers:
    """Remembers what has to be let go yet. Instants in ns; a key is stamped when we come to it."""

    def __init__(self) -> None:
        self._down: dict[str, int] = {}
        self._coming: list[Edge] = []

    @property
    def coming(self) -> list[int]:
        """The instants of the releases to come."""
        return [edge.at for edge in self._coming]

    def edges(self, pressed: Iterable[Input], now: int) -> list[Edge]:
        """Return the edges that are due at ``now``, with those of what was just ``pressed``."""
        for each in pressed:
            if isinstance(each, ButtonEdge):
                self._coming.append(self._edge(each, now))
            elif isinstance(each, Tap):
                self._coming.append(Edge(each.button, down=True, at=now, stamped=False))
                self._coming.append(Edge(each.button, down=False, at=now + each.held, stamped=False))
        due = [edge for edge in self._coming if edge.at <= now]
        self._coming = [edge for edge in self._coming if edge.at > now]
        return due

    def _edge(self, pressed: ButtonEdge, now: int) -> Edge:
        if pressed.down:
            self._down[pressed.button] = now
            return Edge(pressed.button, down=True, at=now, stamped=False)
        earliest = self._down.pop(pressed.button, now - TAP_NS) + TAP_NS
        return Edge(pressed.button, down=False, at=max(now, earliest), stamped=False)


def quits(pressed: Iterable[Input]) -> bool:
    """Tell whether somebody asked to leave."""
    return any(isinstance(each, Quit) for each in pressed)
