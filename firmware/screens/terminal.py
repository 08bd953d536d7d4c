"""A screen for a machine without one: the same face in a terminal or an ssh session, by rich, with the terminal's own keyboard.

A terminal sends no key-up: a key is a press together with its release, so it comes as a ``Tap`` that says how long it was held (see ``typed``).
"""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from typing import IO, Any

from rich.console import Console
from rich.control import Control

from firmware.face.value import Face
from firmware.screens.alarm import Alarm
from firmware.screens.keys import Input
from firmware.screens.terminal_picture import picture
from firmware.screens.typed import LEGEND, typed

CHUNK = 1024


class TerminalScreen:
    """One screen in one terminal. Where the output is no terminal, each picture is printed under the last; where the input is none, nothing can be pressed."""

    blocks = True

    def __init__(self, console: Console | None = None, keyboard: IO[Any] | None = None) -> None:
        """Take ``console`` (by default standard output) for the pictures and ``keyboard`` (by default standard input) for the keys."""
        self._console = console or Console()
        self._keyboard = _tty_of(sys.stdin if keyboard is None else keyboard)
        self._before = None if self._keyboard is None else termios.tcgetattr(self._keyboard)
        self._alarm = Alarm()
        self._shown: tuple[Face, tuple[int, int]] | None = None
        self._drawn = 0
        self._key_on = False
        self._open = True
        self._begin()

    @property
    def drawn(self) -> int:
        """How many pictures have been drawn."""
        return self._drawn

    def draw(self, face: Face) -> bool:
        """Show ``face``; return whether anything had to be drawn: it differs from the last, or the terminal has another size."""
        wanted = (face, tuple(self._console.size))
        if wanted == self._shown or not self._open:
            return False
        self._shown = (face, (self._console.width, self._console.height))
        self._print(face)
        self._drawn += 1
        return True

    def poll(self) -> list[Input]:
        """Return what was typed since the last call, oldest first, without waiting."""
        if not self._open or self._keyboard is None or not select.select([self._keyboard], [], [], 0)[0]:
            return []
        text = os.read(self._keyboard, CHUNK).decode(errors="ignore")
        inputs, self._key_on = typed(text or "q", key_on=self._key_on)  # nothing to read: the session is gone
        return list(inputs)

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep until a key, ``wake``, or the end of ``timeout_ms``; None: without limit."""
        self._alarm.sleep([] if self._keyboard is None else [self._keyboard], timeout_ms)

    def wake(self) -> None:
        """End a ``wait``, this one or the next; from any thread, harmless once closed."""
        self._alarm.ring()

    def close(self) -> None:
        """Give the terminal back as it was found. More than once does no harm."""
        if not self._open:
            return
        self._open = False
        if self._keyboard is not None and self._before is not None:
            termios.tcsetattr(self._keyboard, termios.TCSADRAIN, self._before)
        if self._console.is_terminal:
            self._console.set_alt_screen(False)
            self._console.show_cursor(True)
        self._alarm.close()

    def _begin(self) -> None:
        if self._keyboard is not None:
            tty.setcbreak(self._keyboard)
        if self._console.is_terminal:
            self._console.set_alt_screen(True)
            self._console.show_cursor(False)

    def _print(self, face: Face) -> None:
        legend = LEGEND if self._keyboard is not None else ""
        if self._console.is_alt_screen:
            self._console.control(Control.home())
            self._console.update_screen(picture(face, legend))
        else:
            self._console.print(picture(face, legend))


def _tty_of(keyboard: IO[Any]) -> int | None:
    return keyboard.fileno() if not keyboard.closed and keyboard.isatty() else None
