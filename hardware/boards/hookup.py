"""What hangs where, one thing after the other, as whoever solders it needs it: the hole, the ground beside it, the colour of the wire, the parts.

Wiring picture, pin table, parts list and the terminal's pinout are all made from this one list, and this from the board file: they cannot differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from hardware.boards.board import Board, DisplaySpec, PinSpec
from hardware.boards.header import GROUNDS, header_pin
from hardware.boards.parts import Part, ohms, parts
from hardware.boards.pis import Pi

COLOURS: Final = ("blue", "green", "yellow", "orange", "brown", "violet", "grey", "pink", "turquoise", "white", "cream")
"""The wires' colours in the order in which they are given out; black is ground and red is 5 V, always."""

How = Literal["contact", "led", "fed", "driven", "serial"]
"""How a thing is wired: a contact to ground, a led by its resistor, a lamp or buzzer fed by its pin or switched by a transistor, a display on a UART."""


@dataclass(frozen=True, slots=True)
class Hookup:
    """One thing that hangs on the header."""

    user: str
    """As the board file names it: ``buttons.left``."""
    gpio: int
    colour: str
    spec: PinSpec | DisplaySpec
    how: How

    @property
    def title(self) -> str:
        """What a person calls it: ``left button``."""
        group, _, name = self.user.partition(".")
        if not name:
            return "power button" if group == "power" else group
        if name == "key":
            return "key switch"
        return f"{name.upper() if name == 'ok' else name} {group.removesuffix('s')}"

    @property
    def hole(self) -> int:
        """The hole of the header, 1 to 40."""
        return header_pin(self.gpio)

    @property
    def ground(self) -> int:
        """The ground hole nearest to it."""
        return min(GROUNDS, key=lambda hole: (abs(_row(hole) - _row(self.hole)) + (hole - self.hole) % 2 / 2, hole))

    @property
    def part(self) -> Part | None:
        """What hangs there, where the board says so."""
        return parts()[self.spec.part] if self.spec.part else None

    @property
    def way(self) -> str:
        """What stands between the hole and ground, in the order in which it is met."""
        spec = self.spec
        met = [ohms(spec.resistor)] if spec.resistor else []
        if isinstance(spec, PinSpec):
            met += [f"{spec.capacitor} nF to ground"] if spec.capacitor else []
            met += [f"{ohms(spec.pull_up)} to 3.3 V"] if spec.pull_up else []
            met += [parts()[name].name for name in (spec.driver, spec.diode) if name]
        met += [self.part.name] if self.part is not None else []
        return ", ".join(met) or "a plain wire"


def hookups(board: Board, pi: Pi | None = None) -> tuple[Hookup, ...]:
    """Return all that hangs on the header, in the board's order.

    Args:
        board: which one.
        pi: leaves out the displays that take a USB adaptor on this Pi; None takes every display with a ``tx`` for wired.
    """
    return tuple(Hookup(user, gpio, COLOURS[at % len(COLOURS)], spec, how) for at, (user, gpio, spec, how) in enumerate(_wired(board, pi)))


def adaptors(board: Board, pi: Pi | None = None) -> tuple[tuple[str, DisplaySpec], ...]:
    """Return the displays that hang on a USB adaptor on that Pi, with their names."""
    return tuple((name, display) for name, display in board.displays.items() if not _on_header(display, pi))


def _row(hole: int) -> int:
    return (hole + 1) // 2


def _on_header(display: DisplaySpec, pi: Pi | None) -> bool:
    return display.tx is not None and (pi is None or pi.uart(display.tx) is not None)


def _wired(board: Board, pi: Pi | None) -> Iterator[tuple[str, int, PinSpec | DisplaySpec, How]]:
    for user, pin in board.pins():
        yield user, pin.gpio, pin, _how(user, pin)
    if board.power is not None:
        yield "power", board.power.gpio, board.power, "contact"
    for name, display in board.displays.items():
        if display.tx is not None and _on_header(display, pi):
            yield f"displays.{name}", display.tx, display, "serial"


def _how(user: str, pin: PinSpec) -> How:
    if user.startswith("buttons."):
        return "contact"
    if pin.driver:
        return "driven"
    return "led" if pin.part and parts()[pin.part].sort == "led" else "fed"
