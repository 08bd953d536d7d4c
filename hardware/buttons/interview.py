"""The part of a self-test that needs a finger: each button of a board is asked for by name and watched until it was pressed.

The clock's ``doctor --press`` and the station's ask with it, and take for a press what a game does.
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
"""How long one press is waited for."""
GRACE_NS: Final = 100 * MS
"""How much later than its instant an edge may still come out of a busy machine's queue."""


def wait(edges: queue.SimpleQueue[Edge], until_ns: int) -> Edge | None:
    """Return the next edge, or None where none has come by that instant (ns)."""
    try:
        return edges.get(timeout=max(0, until_ns - time.monotonic_ns()) / NS)
    except queue.Empty:
        return None


@dataclass(frozen=True, slots=True)
class Interview:
    """Whom we ask, and how we wait for the answer."""

    tell: Callable[[str], None]
    """Says a sentence to the person at the buttons."""
    wait: Callable[[queue.SimpleQueue[Edge], int], Edge | None] = wait
    now: Callable[[], int] = time.monotonic_ns
    limit_ns: int = LIMIT_NS


@dataclass(frozen=True, slots=True)
class ButtonsUnderTest:
    """What is pressed."""

    board: Board
    edges: queue.SimpleQueue[Edge]
    """The edges of its buttons, as they come."""
    down: Callable[[], Collection[str]]
    """Says which buttons are down now."""
    way_out: str = ""
    """What else may be done where two buttons' plugs cannot be swapped, as the end of a sentence."""


def ask_for_presses(tested: ButtonsUnderTest, interview: Interview) -> Iterator[Finding]:
    """Yield what came of asking for each button of the tested's board."""
    for button, pin in tested.board.buttons.items():
        while interview.wait(tested.edges, 0) is not None:
            pass  # the last button's end
        watch = begin(button, down=button in tested.down())
        verb = "Turn on and off again" if button == "key" else "Press"
        interview.tell(f"{verb}: {button}, on {pin}, within {interview.limit_ns // NS} s.")
        finding = _said(button, _watched(watch, tested.edges, interview), tested, interview.limit_ns)
        interview.tell(f"  {finding.found}")
        yield finding


def _watched(watch: Watch, edges: queue.SimpleQueue[Edge], interview: Interview) -> Watch:
    deadline = interview.now() + interview.limit_ns
    while watch.press is None:
        due = watch.due
        edge = interview.wait(edges, deadline if due is None else due + GRACE_NS)
        if edge is not None:
            watch = watch.hear(edge.button, edge.at, down=edge.down)
        elif due is not None:
            watch = watch.until(due)
        if (edge is None and due is None) or interview.now() >= deadline:
            break
    return watch


def _said(button: str, watch: Watch, tested: ButtonsUnderTest, limit_ns: int) -> Finding:
    name = f"press {button}"
    others = ", ".join(sorted(watch.others))
    if watch.press is None:
        return _unanswered(button, watch, tested, f"within {limit_ns // NS} s")
    seen = f"{button}: down for {watch.press.held_ns // MS} ms, {counted(watch.press.bounces, 'bounce')}"
    if watch.spikes:
        return note(name, f"{seen}; {counted(watch.spikes, 'touch', 'touches')} too short for a press before it: a loose contact?")
    return note(name, f"{seen}; {others} moved too: pressed as well, or wires that touch?") if others else ok(name, seen)


def _unanswered(button: str, watch: Watch, tested: ButtonsUnderTest, limit: str) -> Finding:
    name, pin = f"press {button}", tested.board.buttons[button]
    if watch.down:
        return fail(name, f"it is down and did not come up {limit}", f"Free the button, and look for a short from {pin} to ground.")
    if watch.others:
        others = ", ".join(sorted(watch.others))
        return fail(name, f"no press {limit}, but {others} moved", f"Swap the plugs of {button} and {others}{tested.way_out}.")
    touches = f", {counted(watch.spikes, 'touch', 'touches')} too short for one" if watch.spikes else ""
    return fail(name, f"no press {limit}{touches}", f"Check the button's two wires, one to {pin}, one to ground, and try again.")
