"""A contact edge: the one thing that buttons hand to the rest of the clock.

A button's pin changes, the pin library calls us in a thread of its own, and an ``Edge`` goes into the sink. What it means (a press, a bounce, half of
a chord) is decided far from here, by the gestures, from the instants alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edge:
    """One change of one contact."""

    button: str
    """The button's name on its board: left, right, centre, up, down, ok, key; adjudicate at a station."""
    down: bool
    """True where the contact closed, False where it opened."""
    at: int
    """The instant, in ns of CLOCK_MONOTONIC."""
    stamped: bool
    """The instant is that of the edge itself; False where it was taken later, when Python came round to it."""


Sink = Callable[[Edge], None]
"""Takes an edge, in the pin library's thread: it puts the edge in a queue and returns. It must not raise: the library's only thread would end, and with it every button."""
