"""Check the serial LED displays of the settings or the board: does each port exist? On request, light them so that a builder can tell them apart.

A display sends nothing back: only eyes can tell whether one is connected and whether every segment lights.
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
    """How to show the displays to a person; times in s."""

    show_text: Callable[[str], None]
    """Shows a sentence to that person."""
    wait: Callable[[float], None] = time.sleep
    all_s: float = 6.0
    letters_s: float = 12.0


def check_led(lines: Lines, parade: Parade | None) -> Iterator[Finding]:
    """Yield findings about the displays' ports; nothing if no display is expected.

    Args:
        lines: their connections, as in the clock.
        parade: lights every segment, then the letter of each side; None: no lights.
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
            "LED displays", "none are set up", "Use a board that has them (--board two-display), or name their ports: led.left, led.right."
        )


def _port(side: Side, line: LedLine) -> Finding:
    # Imported here, so that a clock without LED displays needs no pyserial.
    from hardware.led.port import LedPort  # noqa: PLC0415

    name = f"LED display {side}"
    try:
        with closing(LedPort(side.value, line)) as port:
            port.open()
            return ok(name, f"{port.port} can be opened; to see its display: tileclock doctor --led")
    except LedError as error:
        return error_finding(name, error)


def _shown(lines: dict[Side, LedLine], parade: Parade) -> Finding:
    modules = {side: LedModule(side.value, line) for side, line in lines.items()}
    _let_see(modules, dict.fromkeys(modules, still(ALL_LIT)))
    parade.show_text(
        f"For {parade.all_s:g} s every segment, point, colon and apostrophe of each LED display is lit: look for one that is dark."
    )
    parade.wait(parade.all_s)
    _let_see(modules, {side: still(lit(cells(LETTERS[side]))) for side in modules})
    parade.show_text(
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
