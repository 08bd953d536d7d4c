"""A window in a process of its own, as tests drive it: it draws the faces that it receives, and reports its input."""

import sys

from firmware.screens.layout import Arrangement
from firmware.screens.screen import Quit
from firmware.screens.window import WindowScreen
from tests.appliance.display.opened import say, settle, switches
from tests.firmware.screens.faces import FACES


def main() -> None:
    screen = WindowScreen((800, 480), Arrangement.FACING, "Tileclock")
    screen.draw(FACES["running"])
    settle(screen)
    say("idle", switches(screen), screen.blocks)
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
