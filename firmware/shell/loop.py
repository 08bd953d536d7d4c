"""The loop: sleep until somebody does something or the face changes by itself; then apply, keep, draw.

One queue takes all inputs: the pins' edges from their library's thread, the journal's progress from its own. The main thread alone touches the table and the screen.
"""

from __future__ import annotations

from queue import Empty, SimpleQueue
from typing import Final, TypeAlias

from firmware.face.value import Face
from firmware.journal.writer import Progress
from firmware.screens.keys import ButtonEdge, Quit, Tap
from firmware.screens.screen import Screen
from firmware.shell.clock import TableClock
from firmware.shell.pins import Pins
from firmware.shell.stamps import Clocks
from hardware.edges import Edge

Input: TypeAlias = Edge | Progress | Quit


class Inbox:
    """The queue of inputs; whoever puts something in wakes the loop."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Input] = SimpleQueue()
        self.screen: Screen | None = None
        """A screen that the loop sleeps in has to be woken; without one the queue itself wakes it."""

    def put(self, item: Input) -> None:
        """Take in an input, from any thread; never blocks."""
        self._queue.put(item)
        if self.screen is not None and self.screen.blocks:
            self.screen.wake()

    def wait(self, timeout_s: float | None) -> list[Input]:
        """Return all inputs that are there, waiting for the first at most so long (None: for ever)."""
        items: list[Input] = []
        try:
            items.append(self._queue.get(timeout=timeout_s) if timeout_s is None or timeout_s > 0 else self._queue.get_nowait())
            while True:
                items.append(self._queue.get_nowait())
        except Empty:
            return items


TAP_NS: Final = 20_000_000
"""A key or finger is down so long at the least."""
POLL_NS: Final = 10_000_000
"""A screen that cannot be slept in, and is all there is to press, is looked at so often."""


class Loop:
    """Plays the table clock on a screen and, where there are any, pins."""

    def __init__(self, clock: TableClock, screen: Screen, pins: Pins | None, inbox: Inbox, clocks: Clocks) -> None:
        self._clock = clock
        self._screen = screen
        self._pins = pins
        self.inbox = inbox
        self._clocks = clocks
        self._expired = False
        self._quits = False
        self._went_down: dict[str, int] = {}
        self._coming: list[Edge] = []
        """Releases that a keyboard without key-up has announced."""
        inbox.screen = screen

    def run(self) -> None:
        """Play until somebody quits."""
        going = True
        while going:
            wake = self._show(self._clocks.now())
            going = self._take(self._wait(wake))

    def _show(self, now: int) -> int | None:
        """Bring everything to ``now``, show it, and return when to come again (ns, None: when somebody does something)."""
        self._clock.tick(now)
        face = self._clock.face(now)
        self._screen.draw(face)
        if self._pins is not None:
            self._signal(face, self._pins)
        instants = [self._clock.mark(now), self._clock.next_wake(now), *(edge.at for edge in self._coming)]
        if self._pins is None and not self._screen.blocks:
            instants.append(now + POLL_NS)
        return min((instant for instant in instants if instant is not None), default=None)

    def _signal(self, face: Face, pins: Pins) -> None:
        pins.light(next((side for side, half in face.halves.items() if half.runs), None))
        expired = face.window is not None and face.window.expired
        if expired and not self._expired:
            pins.sound()
        self._expired = expired

    def _wait(self, wake: int | None) -> list[Input]:
        left_ns = None if wake is None else max(0, wake - self._clocks.now())
        if not self._screen.blocks:
            return self.inbox.wait(None if left_ns is None else left_ns / 1e9)
        # Rounded up: to wake a moment too early is to wake twice.
        self._screen.wait(None if left_ns is None else -(-left_ns // 1_000_000))
        return self.inbox.wait(0)

    def _take(self, items: list[Input]) -> bool:
        """Apply the inputs in the order of their instants; False: somebody quits."""
        now = self._clocks.now()
        edges = [item for item in items if isinstance(item, Edge)] + self._pressed(now)
        for edge in sorted(edges, key=lambda edge: edge.at):
            self._clock.edge(edge.button, edge.at, down=edge.down)
        for item in items:
            if isinstance(item, Progress):
                self._clock.notices.not_recorded = item.trouble
        return not (self._quits or any(isinstance(item, Quit) for item in items))

    def _pressed(self, now: int) -> list[Edge]:
        """Return the edges made on the screen itself: keys, mouse, fingers. They are stamped when we come to them."""
        due = [edge for edge in self._coming if edge.at <= now]
        self._coming = [edge for edge in self._coming if edge.at > now]
        for pressed in self._screen.poll():
            if isinstance(pressed, Quit):
                self._quits = True
            elif isinstance(pressed, Tap):
                due.append(Edge(pressed.button, down=True, at=now, stamped=False))
                self._coming.append(Edge(pressed.button, down=False, at=now + pressed.held, stamped=False))
            else:
                due += self._keyed(pressed, now)
        return due

    def _keyed(self, pressed: ButtonEdge, now: int) -> list[Edge]:
        """Return the edge of a key or finger; a release that is read in one go with its press has to come later, or it was a spike."""
        if pressed.down:
            self._went_down[pressed.button] = now
        at = now if pressed.down else max(now, self._went_down.get(pressed.button, now - TAP_NS) + TAP_NS)
        edge = Edge(pressed.button, pressed.down, at, stamped=False)
        if at > now:
            self._coming.append(edge)
            return []
        return [edge]
