"""The part of the self-test that needs a finger: each button is asked for by name and watched until it was pressed."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final

from firmware.core.contact import MS, Contact
from firmware.core.duration import NS
from firmware.doctor.watch import Watch, hear, until
from hardware.board import Board
from hardware.edges import Edge
from hardware.finding import Finding, counted, fail, note, ok

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


def ask_for_presses(
    board: Board, edges: queue.SimpleQueue[Edge], down: Callable[[], Collection[str]], interview: Interview
) -> Iterator[Finding]:
    """Yield what came of asking for each button of ``board``; ``down`` says which are down now."""
    for button, pin in board.buttons.items():
        while interview.wait(edges, 0) is not None:
            pass  # the last button's end
        watch = Watch(button, Contact(down=button in down()))
        verb = "Turn on and off again" if button == "key" else "Press"
        interview.tell(f"{verb}: {button}, on {pin}, within {interview.limit_ns // NS} s.")
        finding = _said(_watched(watch, edges, interview), str(pin), interview.limit_ns)
        interview.tell(f"  {finding.found}")
        yield finding


def _watched(watch: Watch, edges: queue.SimpleQueue[Edge], interview: Interview) -> Watch:
    deadline = interview.now() + interview.limit_ns
    while watch.press is None:
        due = watch.contact.due
        edge = interview.wait(edges, deadline if due is None else due + GRACE_NS)
        if edge is not None:
            watch = hear(watch, edge)
        elif due is not None:
            watch = until(watch, due)
        if (edge is None and due is None) or interview.now() >= deadline:
            break
    return watch


def _said(watch: Watch, pin: str, limit_ns: int) -> Finding:
    name = f"press {watch.button}"
    others = ", ".join(sorted(watch.others))
    if watch.press is None:
        return _unanswered(name, watch, pin, others, limit_ns)
    seen = f"{watch.button}: down for {watch.press.held_ns // MS} ms, {counted(watch.press.bounces, 'bounce')}"
    if watch.spikes:
        return note(name, f"{seen}; {counted(watch.spikes, 'touch', 'touches')} too short for a press before it: a loose contact?")
    return note(name, f"{seen}; {others} moved too: pressed as well, or wires that touch?") if others else ok(name, seen)


def _unanswered(name: str, watch: Watch, pin: str, others: str, limit_ns: int) -> Finding:
    if watch.contact.down:
        return fail(
            name,
            f"it is down and did not come up within {limit_ns // NS} s",
            f"Free the button, and look for a short from {pin} to ground.",
        )
    if others:
        return fail(
            name,
            f"no press within {limit_ns // NS} s, but {others} moved",
            f"Swap the wires of {watch.button} and {others}, or use board.remap.",
        )
    found = f"no press within {limit_ns // NS} s" + (
        f", {counted(watch.spikes, 'touch', 'touches')} too short for one" if watch.spikes else ""
    )
    return fail(name, found, f"Check the button's two wires, one to {pin}, one to ground, and try again.")
