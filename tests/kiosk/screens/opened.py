"""The station's window in a process of its own, as tests drive it: it shows the page it is told to, and tells what it hears."""

from __future__ import annotations

import sys

import pygame

from kiosk.screens.pressing import Pressed, Quit
from kiosk.screens.window import KioskWindow
from tests.appliance.display.opened import say, settle, switches
from tests.kiosk.screens.pages import PAGES


def middle(window: KioskWindow, target: str) -> tuple[int, int]:
    assert window.arranged is not None
    box = next(item.box for item in window.arranged.items if item.target is not None and item.target.id == target)
    return box.x + box.width // 2, box.y + box.height // 2


def main(page: str, locked: str, *targets: str) -> None:
    window = KioskWindow((800, 480), "Station", locked=locked == "locked")
    window.draw(PAGES[page])
    settle(window)
    slept = switches(window)
    # SDL takes the keyboard when it looks for events a fifth of a second after the server gave it.
    window.poll()
    say("idle", slept, window.blocks, pygame.event.get_keyboard_grab())
    say("ready", *window.size, *(number for target in targets for number in middle(window, target)))
    while True:
        window.wait(None)
        for heard in window.poll():
            say("quit" if isinstance(heard, Quit) else heard.event if isinstance(heard, Pressed) else heard)
            if isinstance(heard, Quit):
                window.close()
                sys.exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
