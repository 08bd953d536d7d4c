"""Lamps, LEDs and buzzers: checks the current through pin or transistor, and that they are off until a program starts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from appliance.checks.finding import Finding, fail, note
from hardware.boards.board import Board, PinSpec
from hardware.boards.parts import Part, parts
from hardware.boards.pis import Pi

RAIL_VOLTS: Final = 5.0
"""The header's other supply voltage besides 3.3 V."""
_BASE_VOLTS: Final = 0.7
_HARD_GAIN: Final = 20
"""Forced gain of a saturated transistor: the base gets a twentieth of the load, a tenth of the data sheet's gain."""
_DIM_MILLIAMPS: Final = 1.0


def check_load(user: str, pin: PinSpec, pi: Pi) -> Iterator[Finding]:
    """Yield the findings on one lamp, LED or buzzer; none if all is well."""
    if pin.gpio in pi.pulled_up:
        yield fail(
            user,
            f"expected a pin that is pulled down at reset, found {pin}, which is pulled up: it glows or sounds while the Pi starts",
            "Take one of GPIO 9 to 27.",
        )
    if not pin.part:
        return
    part = parts()[pin.part]
    if part.sort == "led":
        yield from _led(user, pin, part, pi)
    elif pin.driver:
        yield from _driven(user, pin, part, pi)
    else:
        yield from _fed(user, pin, part, pi)


def pin_milliamps(pin: PinSpec, pi: Pi) -> float:
    """Return a pin's current in mA when its lamp, LED or buzzer is on; 0 for buttons and unknown parts."""
    if not pin.part:
        return 0.0
    part = parts()[pin.part]
    if part.sort == "button":
        return 0.0
    if pin.driver:
        return _through(pi.volts - _BASE_VOLTS, pin.resistor)
    return _through(pi.volts - part.forward, pin.resistor) if part.sort == "led" else part.milliamps


def rail_milliamps(board: Board) -> float:
    """Return the board's current from the header's 5 V with everything lit, in mA."""
    driven = [pin.part for _, pin in board.pins() if pin.driver and pin.part]
    return sum(parts()[name].milliamps for name in [*driven, *(display.part for display in board.displays.values() if display.part)])


def _through(volts: float, ohms: int) -> float:
    """Return the mA through a resistor; 0 without one, which another check reports."""
    return 1000 * max(volts, 0.0) / ohms if ohms else 0.0


def _led(user: str, pin: PinSpec, part: Part, pi: Pi) -> Iterator[Finding]:
    volts, most = pi.volts - part.forward, min(float(pi.pin_milliamps), part.milliamps)
    if pin.driver:
        yield fail(
            user, f"expected a led on its resistor alone, found the driver {pin.driver}", "Take the driver out, or name a lamp of 5 V."
        )
        return
    if volts <= 0:
        yield fail(
            user, f"expected a led of less than {pi.volts} V, found {part.forward} V", "Take a red, yellow or green one of about 2 V."
        )
        return
    least = 1000 * volts / most
    if _through(volts, pin.resistor) > most or not pin.resistor:
        yield fail(
            user,
            f"expected a resistor of {least:.0f} ohm or more before the led on {pin} (at most {most:.0f} mA), found {pin.resistor or 'none'}",
            "Take 220 ohm: resistor = 220.",
        )
    elif _through(volts, pin.resistor) < _DIM_MILLIAMPS:
        yield note(user, f"{_through(volts, pin.resistor):.1f} mA through {pin.resistor} ohm: hardly seen in a lit hall; 220 ohm are usual")


def _fed(user: str, pin: PinSpec, part: Part, pi: Pi) -> Iterator[Finding]:
    if part.volts > pi.volts or part.milliamps > pi.pin_milliamps:
        yield fail(
            user,
            f"expected at most {pi.volts} V and {pi.pin_milliamps} mA where a pin feeds it, found {part.name} of {part.volts:g} V and "
            f"{part.milliamps:g} mA on {pin}",
            'Let a transistor switch it: driver = "bc337-40", resistor = 1000.',
        )


def _driven(user: str, pin: PinSpec, part: Part, pi: Pi) -> Iterator[Finding]:
    driver = parts()[pin.driver]
    if part.volts != RAIL_VOLTS:
        yield fail(
            user, f"expected a part of {RAIL_VOLTS:g} V, as the header gives, found {part.name} of {part.volts:g} V", "Take the one of 5 V."
        )
    if part.milliamps > driver.milliamps:
        yield fail(
            user,
            f"expected at most {driver.milliamps:g} mA through {driver.name}, found {part.milliamps:g} mA",
            "Use a smaller lamp, or a ready-made driver board.",
        )
    if part.inductive and not pin.diode:
        yield fail(
            user,
            f"expected a diode across the coil of {part.name}, found none: switched off, it kicks back into the transistor",
            'Put one across it, its ring to 5 V: diode = "1n4148".',
        )
    yield from _base(user, pin, part, pi)


def _base(user: str, pin: PinSpec, part: Part, pi: Pi) -> Iterator[Finding]:
    volts = pi.volts - _BASE_VOLTS
    least, most = 1000 * volts / pi.pin_milliamps, 1000 * volts * _HARD_GAIN / part.milliamps
    if not least <= pin.resistor <= most:
        yield fail(
            user,
            f"expected {least:.0f} to {most:.0f} ohm between {pin} and the transistor's base, found {pin.resistor or 'none'}",
            "Take 1000 ohm: resistor = 1000.",
        )
