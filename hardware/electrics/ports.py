"""Serial displays: checks for a UART on the pin, conflicts over its pins, and 5 V on a pin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from appliance.checks.finding import Finding, fail, note, ok
from hardware.boards.board import Board, DisplaySpec, PinSpec
from hardware.boards.parts import Part, parts
from hardware.boards.pis import Pi, display_port

_LONG_CM: Final = 200


def check_displays(board: Board, pi: Pi) -> Iterator[Finding]:
    """Yield each display's port on this Pi, and its faults."""
    users = {gpio: user for user, gpio in board.wired()}
    for name, display in board.displays.items():
        user = f"displays.{name}"
        yield from _port(user, display, pi, users)
        if display.part:
            yield from _levels(user, display, parts()[display.part], pi)
        yield from _line(user, display)
    ports = [display_port(display, pi) for display in board.displays.values()]
    if len(set(ports)) < len(ports):
        yield fail(
            "displays",
            f"expected a port for each on a {pi.title}, found {ports[0]} for both",
            "Hang one on a USB adaptor: take its tx out and name the adaptor's port.",
        )


def _port(user: str, display: DisplaySpec, pi: Pi, users: dict[int, str]) -> Iterator[Finding]:
    uart = pi.uart(display.tx)
    if display.tx is None:
        yield ok(user, f"on an adaptor at {display.port}, {display.baud} baud")
    elif uart is None:
        yield note(
            user,
            f"a {pi.title} has no UART that sends on {PinSpec(display.tx, '').name}: hang this display on a USB adaptor of 3.3 V, at {display.port}",
        )
    elif users.get(uart.rx, f"{user}.rx") != f"{user}.rx":
        yield fail(
            user,
            f"expected {PinSpec(uart.rx, '')} free, which {uart.name} takes with {PinSpec(uart.tx, '').name}, found {users[uart.rx]} on it",
            f"Give {users[uart.rx]} another pin, or hang the display on a USB adaptor.",
        )
    else:
        yield ok(user, f"{uart.name} ({uart.type}) at {uart.device}, {display.baud} baud; config.txt: {', '.join(uart.config)}")


def _levels(user: str, display: DisplaySpec, part: Part, pi: Pi) -> Iterator[Finding]:
    if display.rx is not None and part.volts > pi.volts:
        yield fail(
            user,
            f"expected at most {pi.volts} V on {PinSpec(display.rx, '')}, found the TX of {part.name}, which gives {part.volts:g} V and kills the pin",
            "Leave the module's TX free and take rx out: nothing listens to it.",
        )
    elif display.rx is not None:
        yield note(user, f"rx: nothing listens on {PinSpec(display.rx, '')}; the wire can be left out")
    needs = part.volts * part.input_high
    if needs > pi.volts:
        yield fail(
            user,
            f"expected an input that reads {pi.volts} V as high, found {part.name}, which at {part.volts:g} V wants {needs:.1f} V",
            "Feed the module with 3.3 V, or put a level shifter of the 74HCT type between.",
        )


def _line(user: str, display: DisplaySpec) -> Iterator[Finding]:
    if display.tx is not None and display.part and not display.resistor:
        yield note(user, "330 ohm in series with its line would protect the Pi from a short: resistor = 330")
    if display.tx is not None and display.wire > _LONG_CM:
        yield note(user, f"its wire of {display.wire} cm is long for 3.3 V: twist it with ground, or put a USB adaptor beside the module")
