"""Watching one button for one press: pure, by the same contact that decides presses in a game, and counting what the contact hides.

Edges in, one ``Watch`` after another out; instants in ns of CLOCK_MONOTONIC. Both self-tests ask for presses and watch with it (``hardware.buttons.interview``).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.contact import Contact, Ended, Spike, ripen
from rules.contact import edge as contact_edge


@dataclass(frozen=True, slots=True)
class SeenPress:
    """A press that was seen from its first edge to its end."""

    held_ns: int
    """From its first edge down to its first edge up."""
    bounces: int
    """The edges beyond these two."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What has been seen of the button so far."""

    button: str
    contact: Contact
    edges: int = 0
    """Edges of the press in progress."""
    spikes: int = 0
    """How often it moved and was no press."""
    others: frozenset[str] = frozenset()
    """Other buttons of which edges came."""
    press: SeenPress | None = None

    @property
    def down(self) -> bool:
        """Whether it is down, as its last edge left it."""
        return self.contact.down

    @property
    def due(self) -> int | None:
        """The instant (ns) at which ``until`` has something to decide, or None."""
        return self.contact.due

    def hear(self, button: str, at: int, *, down: bool) -> Watch:
        """Return the watch after an edge of any button at the instant ``at`` (ns)."""
        watch = self.until(at)
        if watch.press is not None:
            return watch
        if button != watch.button:
            return replace(watch, others=watch.others | {button})
        edges = int(down) if watch.contact.began_at is None else watch.edges + 1
        return replace(watch, contact=contact_edge(watch.contact, at, down=down), edges=edges)

    def until(self, now: int) -> Watch:
        """Return the watch at ``now`` (ns), if no edge came since the last."""
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
    """Return the watch of a button of which nothing was seen yet; ``down``: it is down now, and has to come up first."""
    return Watch(button, Contact(down=down))
