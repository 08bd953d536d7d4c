"""The wiring list for the builder: for each connection the hole, the nearest ground, the wire's colour and the parts.

Wiring picture, pin table, parts list and the terminal's pinout all come from this list, and it comes from the board file, so they agree.
"""

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from hardware.boards.board import Board, DisplaySpec, PinSpec
from hardware.boards.parts import FEEDS, GROUNDS, HEADER, LOGIC, Part, of_sorts, ohms, parts
from hardware.boards.pis import Pi

LOGIC_COLOUR: Final = "lime"
COLOURS: Final = ("blue", "green", "yellow", "orange", "brown", "violet", "grey", "pink", "turquoise", "white", "cream")
"""The wires' colours in order of use; black is always ground, red 5 V and lime 3.3 V."""

How = Literal["contact", "led", "fed", "driven", "serial", "bus"]
"""How a part is wired: a contact to ground, an LED with resistor, a lamp or buzzer fed by its pin or driven by a transistor, a display on a UART, a line of the bus
that all displays share."""


class Hookup(Struct, frozen=True):
    user: str
    """The board file's key: ``buttons.left``."""
    gpio: int
    colour: str
    spec: PinSpec | DisplaySpec
    how: How

    @property
    def title(self) -> str:
        group, _, name = self.user.partition(".")
        if not name:
            return "power button" if group == "power" else group
        if name == "key":
            return "key switch"
        if name in {"sda", "scl"}:
            return f"{name.upper()} of both displays"
        return f"{name.upper() if name == 'ok' else name} {group.removesuffix('s')}"

    @property
    def hole(self) -> int:
        return HEADER[self.gpio]

    @property
    def ground(self) -> int:
        return min(GROUNDS, key=lambda hole: (abs((hole + 1) // 2 - (self.hole + 1) // 2) + (hole - self.hole) % 2 / 2, hole))

    @property
    def part(self) -> Part | None:
        return parts()[self.spec.part] if self.spec.part else None

    @property
    def way(self) -> str:
        spec = self.spec
        way = [ohms(spec.resistor)] if spec.resistor else []
        if isinstance(spec, PinSpec):
            way += [f"{spec.capacitor} nF to ground"] if spec.capacitor else []
            way += [f"{ohms(spec.pull_up)} to 3.3 V"] if spec.pull_up else []
            way += [parts()[name].name for name in (spec.driver, spec.diode) if name]
        way += [self.part.name] if self.part is not None else []
        return ", ".join(way) or "a plain wire"


def hookups(board: Board, pi: Pi | None = None) -> tuple[Hookup, ...]:
    """Return all connections to the header, in the board's order; ``pi`` omits what is not on its header: displays on a USB adaptor, a power button on its pads.

    A wire has the same colour on every Pi, as the strip board has.
    """
    every = [Hookup(user, gpio, COLOURS[at % len(COLOURS)], spec, how) for at, (user, gpio, spec, how) in enumerate(_wired(board))]
    return tuple(each for each in every if not _elsewhere(each, pi))


def adaptors(board: Board, pi: Pi | None = None) -> tuple[tuple[str, DisplaySpec], ...]:
    return tuple((name, display) for name, display in board.displays.items() if not _on_header(display, pi))


class Supply(Struct, frozen=True):
    """A supply voltage of the header and what it feeds; ``colour`` empty: only parts on the strip board."""

    volts: str
    hole: int
    colour: str
    way: str


def supplies(board: Board, pi: Pi | None = None) -> Iterator[Supply]:
    there = hookups(board, pi)
    if fed := [each.title for each in there if each.how in {"driven", "serial"}]:
        fuses = [parts()[name].name for name in board.parts if name in of_sorts("fuse")]
        yield Supply("5 V", FEEDS[1 if fuses else 0], "red", ", ".join([*fuses, f"to {fed[0]}", *fed[1:]]))
    bus = any(each.how == "bus" for each in there)
    pulled = any(isinstance(each.spec, PinSpec) and each.spec.pull_up for each in there)
    if bus or pulled:
        to = [*(["the pull-ups"] if pulled else []), *(["both displays"] if bus else [])]
        yield Supply("3.3 V", LOGIC[0], LOGIC_COLOUR if bus else "", f"to {' and '.join(to)}")


def _on_header(display: DisplaySpec, pi: Pi | None) -> bool:
    return display.sda is not None or (display.tx is not None and (pi is None or pi.uart(display.tx) is not None))


def _elsewhere(each: Hookup, pi: Pi | None) -> bool:
    if isinstance(each.spec, DisplaySpec):
        return not _on_header(each.spec, pi)
    return each.user == "power" and pi is not None and bool(pi.power_pads)


def _wired(board: Board) -> Iterator[tuple[str, int, PinSpec | DisplaySpec, How]]:
    for user, pin in board.pins():
        yield user, pin.gpio, pin, _how(user, pin)
    if board.power is not None:
        yield "power", board.power.gpio, board.power, "contact"
    for name, display in board.displays.items():
        if display.tx is not None:
            yield f"displays.{name}", display.tx, display, "serial"
    for user, gpio in board.bus():
        yield user, gpio, next(iter(board.displays.values())), "bus"


def _how(user: str, pin: PinSpec) -> How:
    if user.startswith("buttons."):
        return "contact"
    if pin.driver:
        return "driven"
    return "led" if pin.part and parts()[pin.part].sort == "led" else "fed"
