"""The buttons of a board as a stream of edges.

Every change of a button's pin becomes an ``Edge`` and goes into the sink, in the pin library's thread. Nothing is filtered here: what an edge means (press, bounce,
half of a chord) is decided by the gestures, from the instants alone. After a flood may have lost edges, each line is read again once it is quiet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

from appliance.errors import PinUnavailable
from faults.errors import Phrase, reason
from hardware.boards.board import Board, PinSpec
from hardware.pins.contract import PinFactory


class Edge(Struct, frozen=True):
    button: str
    """The button's name on its board: left, right, centre, up, down, ok, key; adjudicate at a station."""
    down: bool
    at: int
    """The instant, in ns of CLOCK_MONOTONIC."""
    stamped: bool
    """True: the instant is that of the edge itself. False: Python took it later."""


Sink = Callable[[Edge], None]
"""Queues an edge, in the pin library's thread, and returns. It must not raise: that would end the library's only thread and with it every button."""


SETTLE_NS: Final = 100_000_000
"""How long to wait for a late edge before trusting a differing level, in ns."""
STALLED_NS: Final = 2_000_000_000
"""A library with unread edges that delivers none for so long (ns) has stalled: trust the levels."""


class _Contact:
    """One button's contact to ground; low is down."""

    def __init__(self, button: str, *, stamped: bool, down: bool, sink: Sink) -> None:
        self._button = button
        self._stamped = stamped
        self._sink = sink
        self._down = down
        self.edges_seen = 0
        self._doubted_since: int | None = None
        self._reported_at: int | None = None
        """The instant of an edge that was inferred from the level."""
        self.lost = 0
        """Edges that must have been lost: two consecutive edges had the same direction, or the level differs from the last edge."""

    def changed(self, at: int, state: int) -> None:
        down = not state
        if self._reported_at is not None and at < self._reported_at:
            # The edge was late, not lost: the library's thread did not run, and ``check_level`` inferred the edge too early.
            self.lost -= 1
            self._reported_at = None
        else:
            # Python reads the level late, and may read the same level twice inside a bounce.
            self.lost += self._stamped and down is self._down
        self.edges_seen += 1
        self._emit(Edge(self._button, down=down, at=at, stamped=self._stamped))

    def clear_doubt(self) -> None:
        """Reset the doubt: edges are arriving and may explain the level."""
        self._doubted_since = None

    def check_level(self, *, down: bool, now: int) -> bool:
        if down is self._down:
            self._doubted_since = None
            return True
        if self._doubted_since is None:
            self._doubted_since = now
        if now - self._doubted_since < SETTLE_NS:
            return False
        self.lost += 1
        self._reported_at = self._doubted_since
        # The line had this level then, whatever arrives late. A late edge has its own, earlier instant.
        self._emit(Edge(self._button, down=down, at=self._doubted_since, stamped=False))
        return True

    def _emit(self, edge: Edge) -> None:
        self._down = edge.down
        self._sink(edge)


class ButtonPins:
    """The open pins of a board's buttons; edges arrive until ``close`` or until this object is garbage. The caller closes ``factory``.

    ``sink`` takes every edge, in the pin library's thread; it must only enqueue and not raise. Raises PinUnavailable: those opened are released.
    """

    def __init__(self, board: Board, factory: PinFactory, sink: Sink) -> None:
        self._factory = factory
        self._pins: dict[str, Any] = {}
        # gpiozero only holds a weak reference to the handler: without this one the contact would be collected and its button silently dead.
        self._contacts: dict[str, _Contact] = {}
        self._edges_at_last_read = 0
        self._quiet_since: int | None = None
        """The ``reread`` (ns) since which no edge has arrived."""
        try:
            for button, spec in board.buttons.items():
                self._open(button, spec, factory, sink)
        except factory.failures as why:
            ButtonPins.close(self)
            raise PinUnavailable(
                where=f"board {board.id}",
                expected=Phrase("{pin} for {user}", pin=spec, user=f"buttons.{button}"),
                found=reason(why),
                remedy=Phrase("{freed}, or give the button another", freed=spec.freed_by),
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

    def down(self) -> frozenset[str]:
        """Return the buttons that are down now: at the start, stuck or held ones, or a key switch that is on."""
        return frozenset(button for button, pin in self._pins.items() if not pin.state)

    @property
    def lost(self) -> int:
        """The number of edges known to be lost, by the library's count or ours: a lower bound."""
        return max(self._factory.lost, sum(contact.lost for contact in self._contacts.values()))

    def reread(self, now: int) -> int | None:
        """Compare every line's level with its last edge at ``now`` (ns); a lasting difference becomes an edge without the kernel's stamp.

        Return the instant (ns) at which to compare again, or None if all levels agree. Raises PinUnavailable: the library failed.
        """
        try:
            down = {button: not pin.state for button, pin in self._pins.items()}
            # Query this after the levels: earlier edges are then delivered or still unread.
            behind = self._factory.behind
        except self._factory.failures as why:
            raise PinUnavailable(
                expected="to read the buttons' pins", found=reason(why), remedy="Check the board and restart the clock"
            ) from why
        if self._edges_arriving(now, behind=behind):
            for contact in self._contacts.values():
                contact.clear_doubt()
            return now + SETTLE_NS
        settled = [contact.check_level(down=down[button], now=now) for button, contact in self._contacts.items()]
        return None if all(settled) else now + SETTLE_NS

    def _edges_arriving(self, now: int, *, behind: bool) -> bool:
        """Return whether edges of any button are arriving.

        Edges of other buttons may be queued behind them, with their own instants; inferring these now would date them late.
        """
        seen = sum(contact.edges_seen for contact in self._contacts.values())
        if seen != self._edges_at_last_read or self._quiet_since is None:
            fresh = seen != self._edges_at_last_read
            self._edges_at_last_read, self._quiet_since = seen, now
            return fresh or behind
        return behind and now - self._quiet_since < STALLED_NS

    def close(self) -> None:
        for pin in self._pins.values():
            pin.when_changed = None
        self._pins.clear()
        self._contacts.clear()
