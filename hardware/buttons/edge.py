"""A contact edge: the only output of the buttons.

When a pin changes, the pin library calls us in its own thread and an ``Edge`` goes into the sink. What it means (press, bounce, half of a chord) is decided by
the gestures, from the instants alone.
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
    """True: the contact closed. False: it opened."""
    at: int
    """The instant, in ns of CLOCK_MONOTONIC."""
    stamped: bool
    """True: the instant is that of the edge itself. False: Python took it later."""


Sink = Callable[[Edge], None]
"""Queues an edge, in the pin library's thread, and returns. It must not raise: that would end the library's only thread and with it every button."""
