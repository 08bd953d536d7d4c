"""Presses as trains of contact edges, clean or with bounce, and a table to drive them through. Instants in ms since the script's start."""

from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from firmware.gestures.clock_state import ClockState
from firmware.gestures.hands import Hands
from firmware.menu.setup import Setup
from firmware.texts import load_reasons, load_texts
from game.event_table import format_event
from game.history import History
from rules.rulebooks import load_rulebook
from tests.firmware.saying import RULEBOOKS, play

MS = 1_000_000
BOUNCES = (0, 700_000, 1_900_000, 4_000_000, 4_600_000, 11_000_000, 12_000_000, 29_000_000, 29_900_000)
"""After the first edge, in ns: the contact leaves and comes back, up to 30 ms."""


@dataclass(frozen=True, order=True)
class Edge:
    at: int
    button: str
    down: bool


class Press(Struct, frozen=True, dict=True):
    """A press: when its first edge comes and for how long it is held, both in ms."""

    button: str
    at: int
    held: int = 120

    def edges(self, *, bouncy: bool) -> list[Edge]:
        """Return its edges; with bounce the contact chatters on the way down and on the way up."""
        offsets = BOUNCES if bouncy else (0,)
        return [
            *chatter(self.button, self.at * MS, offsets, down=True),
            *chatter(self.button, (self.at + self.held) * MS, offsets, down=False),
        ]


def chatter(button: str, at: int, offsets: tuple[int, ...], *, down: bool) -> list[Edge]:
    """Return edges at ``at`` + each offset (ns), the first one to ``down``, each the other way from the one before; an odd number of them."""
    return [Edge(at + offset, button, down=down is (index % 2 == 0)) for index, offset in enumerate(offsets)]


def setup(*, two_button: bool = False, **more: Any) -> Setup:
    return Setup(
        two_button, tuple((name, load_rulebook(name)) for name in RULEBOOKS), load_texts(two_button=two_button), load_reasons(), **more
    )


def table(rulebook: str, *lines: str, two_button: bool = False, **more: Any) -> ClockState:
    return ClockState(play(rulebook, *lines).history, setup(two_button=two_button, **more))


def drive(start: ClockState, edges: list[Edge], until: int) -> ClockState:
    """Return what is shown at ``until`` (ms) after ``edges``."""
    hands = Hands(start, 0)
    for one in sorted(edges):
        hands = hands.edge(one.button, one.at, down=one.down)
    return hands.tick(until * MS).shown


def tick(start: ClockState, now: int) -> ClockState:
    """Return what is shown at ``now`` (ns) if no edge comes."""
    return Hands(start, 0).tick(now).shown


def said(history: History) -> list[tuple[int, str]]:
    """Return the events of a history in order: instant in ms, and words."""
    return [
        (link.at // MS, " ".join(str(value).lower() for value in format_event(link.event, link.given_by).values()))
        for link in history.oldest_first()
    ]
