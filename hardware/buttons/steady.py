"""Presses of a hand that trembles: one that is too short, or comes too soon after another of the same button, is left out before anything else hears of it. Pure.

The edges of a press that counts keep their instants, so it counts from its first edge as always; it is only heard of once it has lasted long enough. Whoever plays
takes edges that come 0.75 s late (docs/spec/events.md, "Gestures").
"""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct, field

from hardware.buttons.board_pins import Edge
from rules import contact as contacts
from rules.contact import Began, Contact, Ended

SWITCHES: Final = frozenset({"key"})
"""What is turned, not pressed."""


class _Button(Struct):
    contact: Contact = Contact()
    edges: list[Edge] = field(default_factory=list)
    """The edges of what may become a press that counts."""
    counts: bool = False
    quiet_until: int = 0
    """No press begins before this instant (ns)."""


class Steady:
    """Edges in, those that count out. ``press``: the shortest press that counts; ``guard``: how long after its release the button begins no other (ns)."""

    def __init__(self, press: int, guard: int) -> None:
        self._press, self._guard = press, guard
        self._buttons: dict[str, _Button] = {}

    def take(self, edges: Iterable[Edge], now: int) -> list[Edge]:
        """Return the edges that count as is known at ``now`` (ns), of ``edges`` (in the order of their instants) and of those before."""
        heard: list[Edge] = []
        for edge in edges:
            button = self._buttons.setdefault(edge.button, _Button())
            self._pass(button, edge.at, heard)
            held_before = button.contact.began_at is None and not edge.down
            button.contact = contacts.edge(button.contact, edge.at, down=edge.down)
            (heard if button.counts or held_before or edge.button in SWITCHES else button.edges).append(edge)
        for button in self._buttons.values():
            self._pass(button, now, heard)
        return sorted(heard, key=lambda edge: edge.at)

    @property
    def dues(self) -> list[int]:
        """The instants (ns) at which more may be known without an edge."""
        return [due for button in self._buttons.values() for due in (button.contact.due, self._long_at(button)) if due is not None]

    def _long_at(self, button: _Button) -> int | None:
        """Return the instant from which on it is certain that the press counts if no edge comes; None: it counts already, or never will."""
        began = button.contact.began_at
        if began is None or button.counts or began < button.quiet_until:
            return None
        return button.contact.held_for_sure(began + self._press)

    def _pass(self, button: _Button, now: int, heard: list[Edge]) -> None:
        while (due := button.contact.due) is not None and due <= now:
            button.contact, signal = contacts.ripen(button.contact)
            if isinstance(signal, Ended):
                self._end(button, signal, heard)
            if not isinstance(signal, Began):
                button.edges.clear()
        long_at = self._long_at(button)
        if long_at is not None and long_at <= now:
            button.counts = True
            heard += button.edges
            button.edges.clear()

    def _end(self, button: _Button, ended: Ended, heard: list[Edge]) -> None:
        if button.counts or (ended.at >= button.quiet_until and ended.released_at - ended.at >= self._press):
            heard += button.edges
            button.quiet_until = ended.released_at + self._guard
        button.counts = False
