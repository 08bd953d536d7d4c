"""The self-test of pins and buttons, for ``doctor`` of both programs: which library drives the pins, which buttons are down, and the interactive part, which asks for a press of each."""

import queue
import time
from collections.abc import Callable, Collection, Iterator
from typing import Final

from msgspec import Struct

from appliance.errors import Finding, counted, error_finding, fail, note, ok
from faults.errors import TileclockError
from hardware.boards.board import Board
from hardware.buttons.board_pins import BoardPins, Edge
from hardware.buttons.watch import Watch, begin, press_finding
from hardware.pins.contract import PinFactory, Stamps
from rules.contact import MS
from rules.duration import NS

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
        seen = _observe(watch, tested.edges, interview)
        finding = press_finding(seen, pin, f"within {interview.limit_ns // NS} s", tested.alternative)
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


def check_opened(
    board: Board, factory: PinFactory, interview: Interview | None, *, buzzer: bool = False, way_out: str = ""
) -> Iterator[Finding]:
    """Yield findings about the pins of ``board``, opened by ``factory``, which is closed then; ``interview`` None: only which buttons are down.

    ``way_out``: the end of a sentence, what to do if two buttons' plugs cannot be swapped.
    """
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    try:
        # Not remapped: the board's own button names help to find a wire.
        pins = BoardPins(board, factory, edges.put, buzzer=buzzer)
    except TileclockError as error:
        factory.close()
        yield error_finding("pins", error)
        return
    with pins:  # closes the factory too
        used = [user for user, _ in board.pins() if user != "buzzer" or buzzer]
        yield ok("pins", f"{counted(len(used), 'pin')} of board {board.id} opened")
        yield from _buttons(board, pins.down())
        if interview is not None:
            yield from ask_for_presses(ButtonsUnderTest(board, edges, pins.down, way_out), interview)


def _buttons(board: Board, down: Collection[str]) -> Iterator[Finding]:
    for button in sorted(set(down) - {"key"}):
        pin = board.buttons[button]
        yield fail(
            f"button {button}",
            f"it is down, on {pin}: stuck or held",
            f"Release it; if it is not held, free the button and look for a short from {pin} to ground.",
        )
    if "key" in down:
        yield note("button key", "the director's key is on")
    if not set(down) - {"key"}:
        yield ok("buttons", f"none is down: {', '.join(board.buttons)}" if not down else "no other is down")
