"""The self-test of pins and buttons, for ``doctor`` of both programs: which library drives the pins, and the interactive part, which asks for a press of each button.

One button is watched for one press with the game's contact logic, so a press is the same as in a game; the bounces and spikes that the logic hides are counted.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Collection, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.finding import Finding, counted, fail, note, ok
from hardware.boards.board import Board
from hardware.buttons.reader import Edge
from hardware.pins.contract import PinFactory, Stamps
from rules.contact import Contact, Ended, Spike, ripen
from rules.contact import edge as contact_edge

_STAMPS: Final[dict[Stamps, str]] = {
    "kernel": "the kernel stamps each edge at the edge itself",
    "python": "Python stamps each edge when it is notified: less exact, on a busy machine a press counts late",
}


def check_library(name: str, factory: PinFactory) -> Finding:
    """Return which library drives the pins and how exactly it stamps edges; ``name`` is the setting ``board.pins``."""
    if name == "mock":
        return note("pin library", "mock: simulated pins; no button works")
    found = name if factory.library == name else f"{name}, by {factory.library}"
    return (ok if factory.stamps == "kernel" else note)("pin library", f"{found}; {_STAMPS[factory.stamps]}")


class SeenPress(Struct, frozen=True):
    held_ns: int
    bounces: int


class Watch(Struct, frozen=True):
    button: str
    contact: Contact
    edges: int = 0
    spikes: int = 0
    """The number of closings too short to be a press."""
    others: frozenset[str] = frozenset()
    press: SeenPress | None = None

    def with_edge(self, button: str, at: int, *, down: bool) -> Watch:
        watch = self.until(at)
        if watch.press is not None:
            return watch
        if button != watch.button:
            return replace(watch, others=watch.others | {button})
        edges = int(down) if watch.contact.began_at is None else watch.edges + 1
        return replace(watch, contact=contact_edge(watch.contact, at, down=down), edges=edges)

    def until(self, now: int) -> Watch:
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


NS: Final = 1_000_000_000
MS: Final = 1_000_000
LIMIT_NS: Final = 20 * NS
GRACE_NS: Final = 100 * MS
"""How late an edge may leave a busy machine's queue."""


def wait(edges: queue.SimpleQueue[Edge], until_ns: int) -> Edge | None:
    try:
        return edges.get(timeout=max(0, until_ns - time.monotonic_ns()) / NS)
    except queue.Empty:
        return None


class Interview(Struct, frozen=True):
    tell: Callable[[str], None]
    wait: Callable[[queue.SimpleQueue[Edge], int], Edge | None] = wait
    now: Callable[[], int] = time.monotonic_ns
    limit_ns: int = LIMIT_NS


class ButtonsUnderTest(Struct, frozen=True):
    board: Board
    edges: queue.SimpleQueue[Edge]
    down: Callable[[], Collection[str]]
    alternative: str = ""
    """The end of a sentence: what to do if two buttons' plugs cannot be swapped."""


def ask_for_presses(tested: ButtonsUnderTest, interview: Interview) -> Iterator[Finding]:
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
        due = watch.contact.due
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
    if watch.contact.down:
        return fail(name, f"it is down and did not come up {limit}", f"Free the button, and look for a short from {pin} to ground.")
    if watch.others:
        others = ", ".join(sorted(watch.others))
        return fail(name, f"no press {limit}, but {others} moved", f"Swap the plugs of {button} and {others}{tested.alternative}.")
    touches = f", {counted(watch.spikes, 'touch', 'touches')} too short for one" if watch.spikes else ""
    return fail(name, f"no press {limit}{touches}", f"Check the button's two wires, one to {pin}, one to ground, and try again.")
