"""A window in a process of its own, as tests drive it: it draws the faces that it is told, and tells what it hears."""

from __future__ import annotations

import sys
import time

from firmware.screens.keys import Quit
from firmware.screens.layout import Arrangement
from firmware.screens.window import WindowScreen
from tests.firmware.screens.faces import FACES


def say(*words: object) -> None:
    print(*words, flush=True)  # noqa: T201 - the test reads it


def switches() -> int:
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 - procfs
        return next(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))


def settle(screen: WindowScreen) -> None:
    """Take what the server sends a new window, until it is silent for a tenth of a second."""
    while True:
        began = time.monotonic()
        screen.wait(100)
        screen.poll()
        if time.monotonic() - began >= 0.09:
            return


def main() -> None:
    screen = WindowScreen((800, 480), Arrangement.FACING, "Tileclock")
    screen.draw(FACES["running"])
    settle(screen)
    before = switches()
    screen.wait(1000)
    say("idle", switches() - before, screen.blocks)
    screen.poll()
    say("ready")
    while True:
        screen.wait(None)
        for heard in screen.poll():
            say("quit" if isinstance(heard, Quit) else heard, screen.layout.size, screen.drawn)
            if isinstance(heard, Quit):
                screen.close()
                sys.exit(0)


if __name__ == "__main__":
    main()
