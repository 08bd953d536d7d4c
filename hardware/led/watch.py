"""Two emulated LED displays in a terminal: ``python -m hardware.led.watch`` prints the command that starts the clock on them, and draws what they show."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from hardware.led.emulator import FakeLed, drawn
from hardware.led.picture import Lit

WIDTH = 24


def beside(left: Lit, right: Lit) -> str:
    """Return the drawing of two modules, the left player's first."""
    rows = zip(drawn(left).split("\n"), drawn(right).split("\n"), strict=True)
    return "\n".join(f"{one:<{WIDTH}}{other}".rstrip() for one, other in rows)


def watch(out: TextIO, pause: Callable[[], object]) -> None:
    """Draw two displays at each change, on a terminal in the same place, until ``pause`` is interrupted."""
    clear = "\x1b[2J\x1b[H" if out.isatty() else ""
    with FakeLed() as left, FakeLed() as right:
        how, before = f"tileclock run --led-left {left.port} --led-right {right.port}", ""
        with suppress(KeyboardInterrupt):
            while True:
                now = beside(left.lit, right.lit)
                if now != before:
                    out.write(f"{clear}{how}\n\n{now}\n\n")
                    out.flush()
                before = now
                pause()


if __name__ == "__main__":
    watch(sys.stdout, lambda: time.sleep(0.05))
