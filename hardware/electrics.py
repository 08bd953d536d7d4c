"""Electrical check of a board on a Pi: compares the board file with the figures of its parts and of the Pi. Pure.

Buttons are contacts to ground against a pull-up: level at reset, interference on long wires, level, delay and current of a press. Lamps, LEDs and buzzers: the
current through pin or transistor, and that they are off until a program starts. Displays: a UART on the pin, conflicts over its pins, 5 V on a pin. Then the
total currents, with the panel's over USB, and the fuse of the 5 V wire.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Final

from appliance.errors import Finding, State, fail, note, ok
from hardware.boards.board import Board, DisplaySpec, PinSpec
from hardware.boards.hookup import hookups
from hardware.boards.parts import BUSES, LEAST_MILLIAMPS, Part, of_sorts, parts
from hardware.boards.pis import Pi, display_port
from hardware.settings import I2C_PORT

_LOW_VOLTS: Final = 0.8
"""Every Pi's pin reads low below this (RP1 Peripherals; older ones 0.9 V)."""
_HIGH_VOLTS: Final = 2.0
"""Every Pi's pin reads high above this (RP1 Peripherals, BCM2711; older ones from 1.6 V)."""
_PLAIN_CM: Final = 50
"""Up to this length a plain pair of wires is enough."""
_LONG_CM: Final = 200
"""Above this length a wire is an aerial, too noisy for a pull-up of 50 kOhm."""
_DELAY_US: Final = 100
"""The largest acceptable delay of a press: the clock charges by its instant."""
_LATE_US: Final = 1000
"""That of a release: a spike of 2 ms must stay below the 3 ms that confirm a press (``rules.contact``)."""
_USUAL: Final = "resistor = 330, capacitor = 10, pull_up = 2700"


def check_buttons(buttons: Mapping[str, PinSpec], pi: Pi) -> Iterator[Finding]:
    low = [name for name, pin in buttons.items() if pin.gpio not in pi.pulled_up and not pin.pull_up]
    if low:
        pins = ", ".join(f"{name} on {buttons[name].name}" for name in low)
        yield note(
            "buttons at reset", f"pulled down until the program sets its own pull-up, so they read as held while the Pi starts: {pins}"
        )
    for name, pin in buttons.items():
        yield from check_button(f"buttons.{name}", pin, pi)


def check_button(user: str, pin: PinSpec, pi: Pi) -> Iterator[Finding]:
    yield from _level(user, pin, pi)
    yield from _current(user, pin, pi)
    yield from _delay(user, pin, pi)
    yield from _wire(user, pin)


def _pull(pin: PinSpec, pi: Pi) -> float:
    """Return the total pull-up in ohms: the pin's own, parallel to those on the strip board and the Pi."""
    beside = [ohms for ohms in (pin.pull_up, pi.fixed_pull_ups.get(pin.gpio, 0)) if ohms]
    return 1 / (1 / pi.pull_ohms + sum(1 / ohms for ohms in beside))


def pressed_volts(pin: PinSpec, pi: Pi) -> float:
    return pi.volts * pin.resistor / (pin.resistor + _pull(pin, pi))


def contact_milliamps(pin: PinSpec, pi: Pi) -> float:
    return 1000 * pi.volts / (pin.resistor + _pull(pin, pi))


def edge_delays(pin: PinSpec, pi: Pi) -> tuple[float, float]:
    """Return how late a pin reads a closed and an opened contact, in us: its capacitor discharges through the resistor, and charges through the pull-up.

    The pin must read a closed contact as low.
    """
    low, pull, nanofarads = pressed_volts(pin, pi), _pull(pin, pi), pin.capacitor / 1000  # ohms times uF: us
    fall = pin.resistor * pull / (pin.resistor + pull) * nanofarads * math.log((pi.volts - low) / (_LOW_VOLTS - low))
    return fall, pull * nanofarads * math.log((pi.volts - low) / (pi.volts - _HIGH_VOLTS))


def _level(user: str, pin: PinSpec, pi: Pi) -> Iterator[Finding]:
    volts = pressed_volts(pin, pi)
    if volts > _LOW_VOLTS:
        yield fail(
            user,
            f"expected a press to pull {pin} below {_LOW_VOLTS} V, found {volts:.1f} V: its {pin.resistor} ohm work against a pull-up of "
            f"{_pull(pin, pi):.0f} ohm",
            "Take 330 ohm in series, or a greater pull-up.",
        )


def _current(user: str, pin: PinSpec, pi: Pi) -> Iterator[Finding]:
    least = parts()[pin.part].least_milliamps if pin.part else LEAST_MILLIAMPS
    found = contact_milliamps(pin, pi)
    if found < least:
        yield fail(
            user,
            f"expected {least:g} mA or more through the closed contact, which keep it free of oxide, found {found:.2f} mA: {pin.resistor} ohm and a pull-up of "
            f"{_pull(pin, pi):.0f} ohm",
            f"Set {_USUAL}; or name a part with gold contacts, whose data allow less.",
        )


def _delay(user: str, pin: PinSpec, pi: Pi) -> Iterator[Finding]:
    if pressed_volts(pin, pi) >= _LOW_VOLTS:
        return
    fall, rise = edge_delays(pin, pi)
    if fall > _DELAY_US or rise > _LATE_US:
        yield fail(
            user,
            f"expected a press to be seen within {_DELAY_US} us and a release within {_LATE_US} us, found {fall:.0f} us and {rise:.0f} us: {pin.resistor} ohm, "
            f"{pin.capacitor} nF and a pull-up of {_pull(pin, pi):.0f} ohm",
            f"Set {_USUAL}.",
        )
    if pin.capacitor and not pin.resistor:
        yield fail(
            user,
            f"expected a resistor between the contact and its {pin.capacitor} nF, found none: each press shorts the capacitor and wears the contact",
            "Put 330 ohm in series: resistor = 330.",
        )


def _wire(user: str, pin: PinSpec) -> Iterator[Finding]:
    if pin.wire > _LONG_CM and not (pin.resistor and pin.capacitor and pin.pull_up):
        yield fail(
            user,
            f"expected a resistor, a capacitor and a pull-up on a wire of {pin.wire} cm, found {pin.resistor} ohm, {pin.capacitor} nF and {pin.pull_up} ohm",
            f"Twist it with a ground wire of its own, and set {_USUAL}; or bring the button nearer.",
        )
    elif pin.wire > _PLAIN_CM and not (pin.resistor and pin.capacitor):
        yield note(
            user,
            f"its wire of {pin.wire} cm picks up sparks and radio: twist it with a ground wire of its own, and put 330 ohm in series and 10 nF to ground "
            "at the Pi's end",
        )


RAIL_VOLTS: Final = 5.0
"""The header's other supply voltage besides 3.3 V."""
_BASE_VOLTS: Final = 0.7
_HARD_GAIN: Final = 20
"""Forced gain of a saturated transistor: the base gets a twentieth of the load, a tenth of the data sheet's gain."""
_DIM_MILLIAMPS: Final = 1.0


def check_load(user: str, pin: PinSpec, pi: Pi) -> Iterator[Finding]:
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
    driven = [parts()[pin.part] for _, pin in board.pins() if pin.driver and pin.part]
    displays = [parts()[display.part] for display in board.displays.values() if display.part]
    return sum(part.milliamps for part in [*driven, *displays] if part.volts == RAIL_VOLTS)


def panel_milliamps(board: Board) -> float:
    return sum(number * parts()[name].milliamps for name, number in board.parts.items() if name in of_sorts("panel"))


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
    if _through(volts, pin.resistor) > most or not pin.resistor:
        yield fail(
            user,
            f"expected a resistor of {1000 * volts / most:.0f} ohm or more before the led on {pin} (at most {most:.0f} mA), found {pin.resistor or 'none'}",
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


_LONG_LINE_CM: Final = 200
_LONG_BUS_CM: Final = 50
"""Longer wires, with their capacitance, round the edges of an I2C bus."""
_LOGIC_MILLIAMPS: Final = 250
"""Our own limit for the header's 3.3 V: no document names one; the regulators since the B+ give 1 A to the Pi and the header together."""


def check_displays(board: Board, pi: Pi) -> Iterator[Finding]:
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
    if display.sda is not None:
        yield ok(user, f"on the I2C bus at {display.port}; config.txt: {display.overlay}")
    elif display.tx is None:
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
    if part.i2c != (I2C_PORT.fullmatch(display.port) is not None):
        wanted = "an address on an I2C bus, as /dev/i2c-7@0x70" if part.i2c else "a serial port"
        yield fail(user, f"expected {wanted} for {part.name}, found {display.port}", "Name the module's own part, or such a port.")
    fed = pi.rail_volts if part.volts == RAIL_VOLTS else part.volts
    needs = fed * part.input_high
    if needs > pi.volts:
        yield fail(
            user,
            f"expected an input that reads {pi.volts} V as high, found {part.name}, which at up to {fed:g} V needs {needs:.2f} V",
            "Feed the module with 3.3 V, or put a level shifter of the 74HCT type between.",
        )


def _line(user: str, display: DisplaySpec) -> Iterator[Finding]:
    on_header = display.tx is not None or display.sda is not None
    if on_header and display.part and not display.resistor:
        yield note(user, "330 ohm in series with its line would protect the Pi from a short: resistor = 330")
    if display.tx is not None and display.wire > _LONG_LINE_CM:
        yield note(user, f"its wire of {display.wire} cm is long for 3.3 V: twist it with ground, or put a USB adaptor beside the module")
    if display.sda is not None and display.wire > _LONG_BUS_CM:
        yield note(user, f"its wires of {display.wire} cm are long for an I2C bus: bring the modules nearer to the Pi")


def _logic(board: Board, pi: Pi) -> Iterator[Finding]:
    displays = [parts()[display.part] for display in board.displays.values() if display.part]
    taken = sum(part.milliamps for part in displays if part.volts == pi.volts)
    if taken > _LOGIC_MILLIAMPS:
        yield fail(
            "current at 3.3 V",
            f"expected at most {_LOGIC_MILLIAMPS} mA from the header's {pi.volts} V, found {taken:.0f} mA",
            "Feed the displays from a regulator of their own, its ground joined to the Pi's.",
        )
    elif taken:
        yield ok("current at 3.3 V", f"{taken:.0f} mA for the displays, of {_LOGIC_MILLIAMPS} mA")


def check_wiring(board: Board, pi: Pi | None) -> Iterator[Finding]:
    """Yield the check for a self-test: notes and failures, and one line if nothing failed; nothing if ``pi`` is None (not a Pi)."""
    if pi is None:
        return
    open_findings = [finding for finding in check(board, pi) if finding.state is not State.OK]
    if all(finding.state is State.NOTE for finding in open_findings):
        yield ok("wiring", f"the parts that board {board.id} names make electrical sense on a {pi.title}")
    yield from open_findings


def check(board: Board, pi: Pi) -> Iterator[Finding]:
    yield ok("pins", f"{len(hookups(board, pi))} of the header's {pi.header_pins} in use, none twice; {pi.title}: {pi.header_note}")
    yield from _shared(board, pi)
    yield from _unknown(board)
    yield from check_buttons(board.buttons, pi)
    yield from _power(board, pi)
    for user, pin in board.pins():
        if not user.startswith("buttons."):
            yield from check_load(user, pin, pi)
    yield from check_displays(board, pi)
    yield _pins_together(board, pi)
    yield _rail(board, pi)
    yield from _logic(board, pi)
    yield from _usb(board, pi)
    yield from _fuse(board)


_STARTS: Final = 3
"""The GPIO number that starts a halted Pi (Raspberry Pi documentation, "Power button"), but for those with pads for it."""


def _power(board: Board, pi: Pi) -> Iterator[Finding]:
    if board.power is None:
        return
    if pi.power_pads:
        yield ok("power", f"two wires to {pi.power_pads}: either way round, no resistor")
        return
    if board.power.gpio != _STARTS:
        yield fail(
            "power", f"expected GPIO{_STARTS}, which alone starts a Pi that is off, found {board.power}", f"Give it gpio = {_STARTS}."
        )
    yield from check_button("power", board.power, pi)


def _shared(board: Board, pi: Pi) -> Iterator[Finding]:
    power = () if board.power is None or pi.power_pads else (("power", board.power),)
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
    taken, panel, spare = rail_milliamps(board), panel_milliamps(board), pi.supply_milliamps - pi.own_milliamps
    if taken + panel > spare:
        return fail(
            "current at 5 V",
            f"expected at most {spare} mA beside the {pi.title} itself ({pi.supply}), found {taken + panel:.0f} mA: {taken:.0f} from the header, {panel:.0f} for "
            "the panel",
            "Give the lamps a 5 V supply of their own, its ground joined to the Pi's.",
        )
    return ok(
        "current at 5 V",
        f"{taken:.0f} mA from the header and {panel:.0f} mA for the panel, of the {spare} mA that the supply ({pi.supply}) has beside the Pi",
    )


def _usb(board: Board, pi: Pi) -> Iterator[Finding]:
    panel = panel_milliamps(board)
    for given, when in ((pi.usb_milliamps, f"with its supply ({pi.supply})"), (pi.usb_small_milliamps, "with a supply of 3 A")):
        if panel and given and panel >= given:
            yield note(
                "current over USB",
                f"{when} the sockets of a {pi.title} give {given} mA together, and the panel takes {panel:.0f} mA: feed it from the supply or a powered hub",
            )
            return


def _fuse(board: Board) -> Iterator[Finding]:
    """Yield the findings on the fuse of the header's 5 V: what hangs there is fed past the Pi's own protection."""
    taken, fuses = rail_milliamps(board), [parts()[name] for name in board.parts if name in of_sorts("fuse")]
    if taken and not fuses:
        yield note(
            "fuse",
            "a short of the 5 V wire would burn it: put a polyfuse of 0.5 A between the header and the wires; under [parts] polyfuse = 1",
        )
    if fuses and taken > fuses[0].milliamps:
        yield fail(
            "fuse",
            f"expected at most {fuses[0].milliamps:g} mA through {fuses[0].name} in a warm case, found {taken:.0f} mA",
            "Give the lamps a 5 V supply of their own, its ground joined to the Pi's.",
        )
