"""The buttons of a board as a stream of edges.

Between the pin library and the rest of the clock: every change of every button's pin becomes an ``Edge`` and goes into the sink, in the library's thread.
Nothing is filtered here, and what a flood has swallowed is made good: after a while of quiet each line is read again. The driver's debounce stays off: it drops short presses and stamps the others late; the gestures do it from the instants.
"""

from __future__ import annotations

from typing import Any, Final

from gpiozero import GPIOZeroError

from appliance.errors import PinUnavailable, reason
from hardware.boards.board import Board, PinSpec
from hardware.buttons.edge import Edge, Sink
from hardware.pins.contract import PinFactory

SETTLES_NS: Final = 100_000_000
"""An edge may be under way for so long before a line is believed that says otherwise."""
DEAF_NS: Final = 2_000_000_000
"""A library that has edges to tell, and tells none for so long, tells none any more: the lines are believed."""


class _Contact:
    """One button's contact to ground: low is down."""

    def __init__(self, button: str, *, stamped: bool, down: bool, sink: Sink) -> None:
        self._button = button
        self._stamped = stamped
        self._sink = sink
        self._down = down
        """As the last edge left it."""
        self.came = 0
        """How many edges have come."""
        self._doubted: int | None = None
        """Since when the line has been read otherwise."""
        self._told: int | None = None
        """The instant of the edge that only a look has told."""
        self.lost = 0
        """Edges that must have been there: two that came one after the other went the same way, or the line is not where the last one left it."""

    def changed(self, at: int, state: int) -> None:
        down = not state
        if self._told is not None and at < self._told:
            # It was not lost but under way, in a library's thread that did not come to run: the look has believed the line too early.
            self.lost -= 1
            self._told = None
        else:
            # Python reads the level late, and may read the same one twice inside a bounce.
            self.lost += self._stamped and down is self._down
        self.came += 1
        self._say(Edge(self._button, down=down, at=at, stamped=self._stamped))

    def believes(self) -> None:
        """Let go of a doubt: edges are coming, and may tell it themselves."""
        self._doubted = None

    def agrees(self, *, down: bool, now: int) -> bool:
        """Take in the level that is read at ``now``; return False to be asked again when things have settled."""
        if down is self._down:
            self._doubted = None
            return True
        if self._doubted is None:
            self._doubted = now
        if now - self._doubted < SETTLES_NS:
            return False
        self.lost += 1
        self._told = self._doubted
        # True whatever comes late: the line was at this level then. An edge that is still under way brings its own, earlier instant.
        self._say(Edge(self._button, down=down, at=self._doubted, stamped=False))
        return True

    def _say(self, edge: Edge) -> None:
        self._down = edge.down
        self._sink(edge)


class ButtonPins:
    """The open pins of a board's buttons; edges flow as long as this object is kept, or until ``close``.

    Args:
        board: says which buttons there are.
        factory: from ``open_factory`` or ``MockBoard``; stays the caller's to close.
        sink: takes every edge, in the pin library's thread: it only enqueues, and does not raise.

    Raises:
        PinUnavailable: a pin cannot be had; those opened before it are given back.
    """

    def __init__(self, board: Board, factory: PinFactory, sink: Sink) -> None:
        self._factory = factory
        self._pins: dict[str, Any] = {}
        # gpiozero keeps a weak reference to the handler: a contact that nobody else holds is dropped, and its button dies without a word.
        self._contacts: dict[str, _Contact] = {}
        self._looked = 0
        """How many edges had come at the last look."""
        self._quiet: int | None = None
        """The look (ns) since which none has come."""
        try:
            for button, spec in board.buttons.items():
                self._open(button, spec, factory, sink)
        except (GPIOZeroError, *factory.failures) as why:
            self.close()
            raise PinUnavailable(
                where=f"board {board.id}",
                expected=f"{spec} for buttons.{button}",
                found=reason(why),
                remedy=f"{spec.freed_by}, or give the button another",
            ) from why

    def _open(self, button: str, spec: PinSpec, factory: PinFactory, sink: Sink) -> None:
        pin = factory.pin(spec.name)
        pin.input_with_pull("up")
        pin.edges = "both"
        pin.bounce = None
        contact = _Contact(button, stamped=factory.stamps == "kernel", down=not pin.state, sink=sink)
        pin.when_changed = contact.changed
        self._contacts[button] = contact
        self._pins[button] = pin

    def levels(self) -> frozenset[str]:
        """Return the buttons that are down now: at the start, those that are stuck or held."""
        return frozenset(button for button, pin in self._pins.items() if not pin.state)

    @property
    def lost(self) -> int:
        """How many edges are known to have been lost, by the library's word or by ours; at least so many."""
        return max(self._factory.lost, sum(contact.lost for contact in self._contacts.values()))

    def reread(self, now: int) -> int | None:
        """Look whether every line is where its last edge left it; where one stays otherwise, that is an edge of its own, without the kernel's stamp.

        Args:
            now: the instant, in ns.

        Returns:
            The instant (ns) at which to look again, or None where all is as it was told.

        Raises:
            PinUnavailable: the library failed.
        """
        try:
            down = {button: not pin.state for button, pin in self._pins.items()}
            # Asked after the levels: what went before them is told by now, or still to be read.
            behind = self._factory.behind
        except (GPIOZeroError, *self._factory.failures) as why:
            raise PinUnavailable(
                expected="to read the buttons' pins", found=reason(why), remedy="Look at the board, and start the clock again"
            ) from why
        if self._are_coming(now, behind=behind):
            for contact in self._contacts.values():
                contact.believes()
            return now + SETTLES_NS
        settled = [contact.agrees(down=down[button], now=now) for button, contact in self._contacts.items()]
        return None if all(settled) else now + SETTLES_NS

    def _are_coming(self, now: int, *, behind: bool) -> bool:
        """Tell whether edges come: of whichever button, for those of the others may lie behind them, with instants of their own, and a look would tell them late."""
        came = sum(contact.came for contact in self._contacts.values())
        if came != self._looked or self._quiet is None:
            fresh = came != self._looked
            self._looked, self._quiet = came, now
            return fresh or behind
        return behind and now - self._quiet < DEAF_NS

    def close(self) -> None:
        """Let no edge through any more; harmless when done twice."""
        for pin in self._pins.values():
            pin.when_changed = None
        self._pins.clear()
        self._contacts.clear()
