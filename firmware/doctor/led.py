"""The serial LED displays that the settings or the board name: is each one's port there; and, on request, a parade by which a builder sees which is which.

A display says nothing back: whether one hangs on a port, and whether every segment of it lights, only eyes can tell.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from appliance.checks.finding import Finding, error_finding, fail, note, ok
from appliance.errors import LedError
from firmware.shell.displays import Lines
from hardware.led.font import cells, lit
from hardware.led.module import LedModule
from hardware.led.picture import ALL_LIT, Picture, still
from hardware.serial.line import LedLine
from rules.side import Side

LETTERS: Final = {Side.LEFT: "L", Side.RIGHT: "r"}


@dataclass(frozen=True, slots=True)
class Parade:
    """Whom we show the displays, and for how long, in s."""

    tell: Callable[[str], None]
    """Says a sentence to whoever looks at them."""
    wait: Callable[[float], None] = time.sleep
    all_s: float = 6.0
    letters_s: float = 12.0


def check_led(lines: Lines, parade: Parade | None) -> Iterator[Finding]:
    """Yield what the displays' ports are worth; nothing where there are none to be.

    Args:
        lines: how they are reached, as the clock would.
        parade: lights every segment, then the letter of each side; None lights nothing.
    """
    there: dict[Side, LedLine] = {}
    for side, line in lines.items():
        if line is not None:
            finding = _port(side, line)
            yield finding
            if not finding.fix:
                there[side] = line
    if parade is None:
        return
    if there:
        yield _shown(there, parade)
    elif not any(line for _, line in lines.items()):
        yield fail(
            "LED displays", "none are set up", "Take a board that has them (--board two-display), or name their ports: led.left, led.right."
        )


def _port(side: Side, line: LedLine) -> Finding:
    # Here, so that a clock without LED displays needs no pyserial.
    from hardware.led.port import LedPort  # noqa: PLC0415

    name = f"LED display {side}"
    try:
        with closing(LedPort(side.value, line)) as port:
            port.open()
            return ok(name, f"{port.port} can be opened; what hangs on it shows with: tileclock doctor --led")
    except LedError as error:
        return error_finding(name, error)


def _shown(lines: dict[Side, LedLine], parade: Parade) -> Finding:
    modules = {side: LedModule(side.value, line) for side, line in lines.items()}
    _let_see(modules, dict.fromkeys(modules, still(ALL_LIT)))
    parade.tell(f"For {parade.all_s:g} s every segment, point, colon and apostrophe of each LED display is lit: look for one that is dark.")
    parade.wait(parade.all_s)
    _let_see(modules, {side: still(lit(cells(LETTERS[side]))) for side in modules})
    parade.tell(
        f"For {parade.letters_s:g} s L stands on the display that faces the left player, r on the right player's, at the left of each."
    )
    parade.wait(parade.letters_s)
    for module in modules.values():
        module.close()
    return note(
        "LED displays", "if L stood on the right, change led.left with led.right; one that stayed dark has no power, or its RX no wire"
    )


def _let_see(modules: dict[Side, LedModule], pictures: dict[Side, Picture]) -> None:
    for side, module in modules.items():
        module.show(pictures[side])
