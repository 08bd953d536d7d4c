"""Watches one button for one press: pure, with the game's contact logic, and counts the bounces and spikes it hides.

Each edge gives a new ``Watch``; instants in ns of CLOCK_MONOTONIC. Used by both self-tests (``hardware.buttons.interview``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.contact import Contact, Ended, Spike, ripen
from rules.contact import edge as contact_edge


@dataclass(frozen=True, slots=True)
class SeenPress:
    """A complete press."""

    held_ns: int
    """From the first edge down to the first edge up."""
    bounces: int
    """The number of further edges."""


@dataclass(frozen=True, slots=True)
class Watch:
    """The state of the watch so far."""

    button: str
    contact: Contact
    edges: int = 0
    """Edges of the press in progress."""
    spikes: int = 0
    """The number of closings too short to be a press."""
    others: frozenset[str] = frozenset()
    """Other buttons that had edges."""
    press: SeenPress | None = None

    @property
    def down(self) -> bool:
        """Whether it is down after its last edge."""
        return self.contact.down

    @property
    def due(self) -> int | None:
        """The instant (ns) at which to call ``until``, or None."""
        return self.contact.due

    def with_edge(self, button: str, at: int, *, down: bool) -> Watch:
        """Return the watch after an edge of any button at ``at`` (ns)."""
        watch = self.until(at)
        if watch.press is not None:
            return watch
        if button != watch.button:
            return replace(watch, others=watch.others | {button})
        edges = int(down) if watch.contact.began_at is None else watch.edges + 1
        return replace(watch, contact=contact_edge(watch.contact, at, down=down), edges=edges)

    def until(self, now: int) -> Watch:
        """Return the watch at ``now`` (ns) without further edges."""
        watch = self
        while watch.press is None and watch.contact.due is not None and watch.contact.due <= now:
            contact, signal = ripen(watch.contact)
            watch = replace(watch, contact=contact)
            if isinstance(signal, Ended):
                watch = replace(watch, press=SeenPress(signal.released_at - signal.at, max(0, watch.edges - 2)))
            elif isinstance(signal, Spike):
                watch = replace(watch, spikes=watch.spikes + 1, edges=0)
        return watch


def begin(button: str, *, down: bool) -> Watch:
    """Return a new watch; ``down``: the button is down now and must be released first."""
    return Watch(button, Contact(down=down))
