"""The buttons of a board as a stream of edges.

Between the pin library and the rest of the clock: every change of every button's pin becomes an ``Edge`` and goes into the sink, in the library's thread.
Nothing is filtered here. The driver's debounce stays off: it drops short presses and stamps the others late; the gestures do it from the instants.
"""

from __future__ import annotations

from typing import Any

from gpiozero import GPIOZeroError

from hardware.board import Board, PinSpec
from hardware.edges import Edge, Sink
from hardware.errors import PinUnavailable
from hardware.factories import PinFactory


class _Contact:
    """One button's contact to ground: low is down."""

    def __init__(self, button: str, *, stamped: bool, sink: Sink) -> None:
        self._button = button
        self._stamped = stamped
        self._sink = sink

    def changed(self, ticks: int, state: int) -> None:
        self._sink(Edge(self._button, down=not state, at=ticks, stamped=self._stamped))


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
        self._pins: dict[str, Any] = {}
        # gpiozero keeps a weak reference to the handler: a contact that nobody else holds is dropped, and its button dies without a word.
        self._contacts: list[_Contact] = []
        try:
            for button, spec in board.buttons.items():
                self._open(button, spec, factory, sink)
        except (GPIOZeroError, *factory.failures) as why:
            self.close()
            raise PinUnavailable(
                f"board {board.id}: expected {spec} for buttons.{button}, found: {why}; end the program that holds the pin, or give the button another"
            ) from why

    def _open(self, button: str, spec: PinSpec, factory: PinFactory, sink: Sink) -> None:
        contact = _Contact(button, stamped=factory.stamps == "kernel", sink=sink)
        pin = factory.pin(spec.name)
        pin.input_with_pull("up")
        pin.edges = "both"
        pin.bounce = None
        pin.when_changed = contact.changed
        self._contacts.append(contact)
        self._pins[button] = pin

    def levels(self) -> frozenset[str]:
        """Return the buttons that are down now: at the start, those that are stuck or held."""
        return frozenset(button for button, pin in self._pins.items() if not pin.state)

    def close(self) -> None:
        """Let no edge through any more; harmless when done twice."""
        for pin in self._pins.values():
            pin.when_changed = None
        self._pins.clear()
        self._contacts.clear()
