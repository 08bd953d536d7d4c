"""The complete check of a board: pins, buttons, lamps, buzzer, serial displays, and total currents."""

from __future__ import annotations

from collections.abc import Iterator

from appliance.checks.finding import Finding, State, fail, note, ok
from hardware.boards.board import Board
from hardware.boards.header import BUSES
from hardware.boards.pis import Pi
from hardware.electrics.contacts import check_button, check_buttons
from hardware.electrics.loads import check_load, pin_milliamps, rail_milliamps
from hardware.electrics.ports import check_displays


def check(board: Board, pi: Pi) -> tuple[Finding, ...]:
    """Return all findings on a loaded board and a Pi, including passed checks."""
    return tuple(_findings(board, pi))


def check_wiring(board: Board, pi: Pi | None) -> Iterator[Finding]:
    """Yield the check for a self-test: notes and failures, and one line if nothing failed; nothing if ``pi`` is None (not a Pi)."""
    if pi is None:
        return
    open_findings = [finding for finding in check(board, pi) if finding.state is not State.OK]
    if all(finding.state is State.NOTE for finding in open_findings):
        yield ok("wiring", f"the parts that board {board.id} names make electrical sense on a {pi.title}")
    yield from open_findings


def _findings(board: Board, pi: Pi) -> Iterator[Finding]:
    yield ok("pins", f"{len(list(board.wired()))} of the header's {pi.header_pins} in use, none twice; {pi.title}: {pi.header_note}")
    yield from _shared(board)
    yield from _unknown(board)
    yield from check_buttons(board.buttons, pi)
    if board.power is not None:
        yield from check_button("power", board.power, pi)
    for user, pin in board.pins():
        if not user.startswith("buttons."):
            yield from check_load(user, pin, pi)
    yield from check_displays(board, pi)
    yield _pins_together(board, pi)
    yield _rail(board, pi)


def _shared(board: Board) -> Iterator[Finding]:
    power = () if board.power is None else (("power", board.power),)
    for user, pin in (*board.pins(), *power):
        if pin.gpio in BUSES:
            yield note(user, f"{pin} is also a pin of {BUSES[pin.gpio]}: leave that turned off in config.txt")


def _unknown(board: Board) -> Iterator[Finding]:
    users = [user for user, pin in board.pins() if not pin.part]
    users += [f"displays.{name}" for name, display in board.displays.items() if not display.part]
    if users:
        yield note("parts", f"the board names no part for {', '.join(users)}: what they take and bear is not checked")


def _pins_together(board: Board, pi: Pi) -> Finding:
    given = sum(pin_milliamps(pin, pi) for _, pin in board.pins())
    if given > pi.total_milliamps:
        return fail(
            "current of the pins",
            f"expected at most {pi.total_milliamps} mA from all pins of a {pi.title} together, found {given:.1f} mA",
            "Give the lamps greater resistors, or let transistors switch them.",
        )
    return ok("current of the pins", f"{given:.1f} mA with everything lit, of {pi.total_milliamps} mA")


def _rail(board: Board, pi: Pi) -> Finding:
    taken, spare = rail_milliamps(board), pi.supply_milliamps - pi.own_milliamps
    if taken > spare:
        return fail(
            "current at 5 V",
            f"expected at most {spare} mA beside the {pi.title} itself ({pi.supply}), found {taken:.0f} mA",
            "Give the lamps a 5 V supply of their own, its ground joined to the Pi's.",
        )
    return ok(
        "current at 5 V",
        f"{taken:.0f} mA from the header, of the {spare} mA that the supply ({pi.supply}) has beside the Pi; a screen comes on top",
    )
