"""Buttons: contacts to ground against a pin's pull-up. Checks the level at reset, interference on long wires, and level and delay of a press."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from appliance.checks.finding import Finding, fail, note
from hardware.boards.board import PinSpec
from hardware.boards.pis import Pi

_LOW_VOLTS: Final = 0.8
"""Every Pi's pin reads low below this (RP1 Peripherals; older ones 0.9 V)."""
_PLAIN_CM: Final = 50
"""Up to this length a plain pair of wires is enough."""
_LONG_CM: Final = 200
"""Above this length a wire is an aerial, too noisy for a pull-up of 50 kOhm."""
_DELAY_US: Final = 100
"""The largest acceptable delay of a press: the clock charges by its instant."""


def check_buttons(buttons: Mapping[str, PinSpec], pi: Pi) -> Iterator[Finding]:
    """Yield the findings on a board's buttons; none if all is well."""
    low = [name for name, pin in buttons.items() if pin.gpio not in pi.pulled_up]
    if low:
        pins = ", ".join(f"{name} on {buttons[name].name}" for name in low)
        yield note(
            "buttons at reset", f"pulled down until the program sets its own pull-up, so they read as held while the Pi starts: {pins}"
        )
    for name, pin in buttons.items():
        yield from check_button(f"buttons.{name}", pin, pi)


def check_button(user: str, pin: PinSpec, pi: Pi) -> Iterator[Finding]:
    """Yield the findings on one button; none if all is well."""
    yield from _level(user, pin, pi)
    yield from _delay(user, pin)
    yield from _wire(user, pin)


def _pull(pin: PinSpec, pi: Pi) -> float:
    """Return the total pull-up in ohms: the pin's own, parallel to those on the strip board and the Pi."""
    beside = [ohms for ohms in (pin.pull_up, pi.fixed_pull_ups.get(pin.gpio, 0)) if ohms]
    return 1 / (1 / pi.pull_ohms + sum(1 / ohms for ohms in beside))


def _level(user: str, pin: PinSpec, pi: Pi) -> Iterator[Finding]:
    pull = _pull(pin, pi)
    volts = pi.volts * pin.resistor / (pin.resistor + pull)
    if volts > _LOW_VOLTS:
        yield fail(
            user,
            f"expected a press to pull {pin} below {_LOW_VOLTS} V, found {volts:.1f} V: its {pin.resistor} ohm stand against a pull-up of {pull:.0f} ohm",
            "Take 1000 ohm in series, or a greater pull-up.",
        )


def _delay(user: str, pin: PinSpec) -> Iterator[Finding]:
    delay = pin.resistor * pin.capacitor / 1000  # ohms times nF: ns
    if delay > _DELAY_US:
        yield fail(
            user,
            f"expected a press to be seen within {_DELAY_US} us, found {delay:.0f} us: {pin.resistor} ohm with {pin.capacitor} nF",
            "Take 1000 ohm and 10 nF.",
        )
    if pin.capacitor and not pin.resistor:
        yield fail(
            user,
            f"expected a resistor between the contact and its {pin.capacitor} nF, found none: each press shorts the capacitor and wears the contact",
            "Put 1000 ohm in series: resistor = 1000.",
        )


def _wire(user: str, pin: PinSpec) -> Iterator[Finding]:
    if pin.wire > _LONG_CM and not (pin.resistor and pin.capacitor and pin.pull_up):
        yield fail(
            user,
            f"expected a resistor, a capacitor and a pull-up on a wire of {pin.wire} cm, found {pin.resistor} ohm, {pin.capacitor} nF and {pin.pull_up} ohm",
            "Twist it with a ground wire of its own, and set resistor = 1000, capacitor = 10, pull_up = 10000; or bring the button nearer.",
        )
    elif pin.wire > _PLAIN_CM and not (pin.resistor and pin.capacitor):
        yield note(
            user,
            f"its wire of {pin.wire} cm picks up sparks and radio: twist it with a ground wire of its own, and put 1000 ohm in series and 10 nF to ground "
            "at the Pi's end",
        )
