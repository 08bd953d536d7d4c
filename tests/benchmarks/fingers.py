"""A scripted pair of players on three buttons, and by plain arithmetic what their presses cost each of them.

The arithmetic knows nothing of the clock's own code: it is what the clock is measured against.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MS = 1_000_000


@dataclass(frozen=True, slots=True)
class Move:
    """A button goes down at ``at`` and up again ``held`` later (ns); ``runs`` is the side that then runs, None after a stop."""

    at: int
    button: str
    held: int
    runs: str | None


def played(chance: random.Random, start: int, count: int) -> Iterator[Move]:
    """Yield presses at random instants after ``start`` (ns): turns, and stops with the bar that are resumed.

    Player buttons are more than 400 ms apart, or two presses would be a chord; every press lasts 50 to 90 ms.
    """
    turn, runs, begun = "right", False, False
    at = last_player = start
    for _ in range(count):
        at += chance.randrange(160 * MS, 420 * MS)
        held = chance.randrange(50 * MS, 90 * MS)
        if begun and (not runs or chance.randrange(2)):
            runs = not runs
            yield Move(at, "centre", held, turn if runs else None)
        else:
            at = last_player = max(at, last_player + 420 * MS)
            pressed, turn, runs, begun = turn, _other(turn), True, True
            yield Move(at, pressed, held, turn)


def charged(moves: Iterable[Move], until: int) -> dict[str, int]:
    """Return the ns that each side's clock has run by ``until``, from the true instants alone."""
    used = {"left": 0, "right": 0}
    runs, since = None, 0
    for move in moves:
        if runs is not None:
            used[runs] += move.at - since
        runs, since = move.runs, move.at
    if runs is not None:
        used[runs] += until - since
    return used


def _other(side: str) -> str:
    return "left" if side == "right" else "right"
