"""The inbox: one queue for all inputs, from whatever thread they come; whoever puts something in wakes the loop."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import TypeAlias

from firmware.journal.writer import Progress
from firmware.screens.keys import Quit
from firmware.screens.screen import Screen
from hardware.edges import Edge

Input: TypeAlias = Edge | Progress | Quit


class Inbox:
    """What has come in and is not taken yet."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Input] = SimpleQueue()
        self._screen: Screen | None = None

    def wakes(self, screen: Screen) -> None:
        """Wake ``screen`` from now on, where the loop sleeps in it; what came before this is not slept over."""
        self._screen = screen
        screen.wake()

    def put(self, item: Input) -> None:
        """Take in an input, from any thread; never blocks."""
        self._queue.put(item)
        screen = self._screen
        if screen is not None and screen.blocks:
            screen.wake()

    def wait(self, timeout_s: float | None) -> list[Input]:
        """Return all inputs that are there, waiting for the first at most so long (None: for ever)."""
        items: list[Input] = []
        try:
            items.append(self._queue.get(timeout=timeout_s) if timeout_s is None or timeout_s > 0 else self._queue.get_nowait())
            while True:
                items.append(self._queue.get_nowait())
        except Empty:
            return items
