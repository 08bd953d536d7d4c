"""The interactive part of a self-test: asks for a press of each button and watches for it.

Used by ``doctor --press`` of both programs. A press is the same as in a game.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final

from appliance.checks.finding import Finding, counted, fail, note, ok
from hardware.boards.board import Board
from hardware.buttons.edge import Edge
from hardware.buttons.press_watch import Watch, begin

NS: Final = 1_000_000_000
MS: Final = 1_000_000
LIMIT_NS: Final = 20 * NS
"""How long to wait for one press."""
GRACE_NS: Final = 100 * MS
"""How late an edge may leave a busy machine's queue."""


def wait(edges: queue.SimpleQueue[Edge], until_ns: int) -> Edge | None:
    """Return the next edge, or None if none arrives by ``until_ns``."""
    try:
        return edges.get(timeout=max(0, until_ns - time.monotonic_ns()) / NS)
    except queue.Empty:
        return None


@dataclass(frozen=True, slots=True)
class Interview:
    """How to ask the person and wait for edges."""

    tell: Callable[[str], None]
    """Shows a sentence to the person at the buttons."""
    wait: Callable[[queue.SimpleQueue[Edge], int], Edge | None] = wait
    now: Callable[[], int] = time.monotonic_ns
    limit_ns: int = LIMIT_NS


@dataclass(frozen=True, slots=True)
class ButtonsUnderTest:
    """The board under test."""

    board: Board
    edges: queue.SimpleQueue[Edge]
    """The queue of its buttons' edges."""
    down: Callable[[], Collection[str]]
    """Returns the buttons that are down now."""
    alternative: str = ""
    """The end of a sentence: what to do if two buttons' plugs cannot be swapped."""


def ask_for_presses(tested: ButtonsUnderTest, interview: Interview) -> Iterator[Finding]:
    """Ask for a press of each button and yield the findings."""
    for button, pin in tested.board.buttons.items():
        while interview.wait(tested.edges, 0) is not None:
            pass  # drop the last button's remaining edges
        watch = begin(button, down=button in tested.down())
        verb = "Turn on and off again" if button == "key" else "Press"
        interview.tell(f"{verb}: {button}, on {pin}, within {interview.limit_ns // NS} s.")
        finding = _finding(button, _observe(watch, tested.edges, interview), tested, interview.limit_ns)
        interview.tell(f"  {finding.found}")
        yield finding


def _observe(watch: Watch, edges: queue.SimpleQueue[Edge], interview: Interview) -> Watch:
    deadline = interview.now() + interview.limit_ns
    while watch.press is None:
        due = watch.due
        edge = interview.wait(edges, deadline if due is None else due + GRACE_NS)
        if edge is not None:
            watch = watch.with_edge(edge.button, edge.at, down=edge.down)
        elif due is not None:
            watch = watch.until(due)
        if (edge is None and due is None) or interview.now() >= deadline:
            break
    return watch


def _finding(button: str, watch: Watch, tested: ButtonsUnderTest, limit_ns: int) -> Finding:
    name = f"press {button}"
    others = ", ".join(sorted(watch.others))
    if watch.press is None:
        return _no_press(button, watch, tested, f"within {limit_ns // NS} s")
    seen = f"{button}: down for {watch.press.held_ns // MS} ms, {counted(watch.press.bounces, 'bounce')}"
    if watch.spikes:
        return note(name, f"{seen}; {counted(watch.spikes, 'touch', 'touches')} too short for a press before it: a loose contact?")
    return note(name, f"{seen}; {others} moved too: pressed as well, or wires that touch?") if others else ok(name, seen)


def _no_press(button: str, watch: Watch, tested: ButtonsUnderTest, limit: str) -> Finding:
    name, pin = f"press {button}", tested.board.buttons[button]
    if watch.down:
        return fail(name, f"it is down and did not come up {limit}", f"Free the button, and look for a short from {pin} to ground.")
    if watch.others:
        others = ", ".join(sorted(watch.others))
        return fail(name, f"no press {limit}, but {others} moved", f"Swap the plugs of {button} and {others}{tested.alternative}.")
    touches = f", {counted(watch.spikes, 'touch', 'touches')} too short for one" if watch.spikes else ""
    return fail(name, f"no press {limit}{touches}", f"Check the button's two wires, one to {pin}, one to ground, and try again.")
