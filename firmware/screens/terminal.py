"""A screen for a machine without one: the same face in a terminal or an ssh session, by rich, with the terminal's own keyboard.

A terminal sends no key-up: a key is a press together with its release, so it comes as a ``Tap`` that says how long it was held (see ``typed``).
"""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from contextlib import suppress
from typing import IO, Any

from rich.console import Console
from rich.control import Control

from appliance.display.screen_loss import lost
from appliance.display.wake_pipe import WakePipe
from appliance.errors import ScreenError
from appliance.service.console import SERVICE
from firmware.face.value import Face
from firmware.screens.key_parser import LEGEND, TELL_PASTES, KeyParser, typed
from firmware.screens.keys import Input, Quit
from firmware.screens.terminal_picture import picture

CHUNK = 1024
TERMINAL = "the terminal"


class _Page(Console):
    """A console whose reader may go: rich would end the program."""

    def on_broken_pipe(self) -> None:
        raise ScreenError(expected="the terminal to go on with", found="that nobody reads it any more: start anew in another")


class TerminalScreen:
    """One screen in one terminal. Where the output is no terminal, each picture is printed under the last; where the input is none, nothing can be pressed."""

    blocks = True

    def __init__(self, console: Console | None = None, keyboard: IO[Any] | None = None) -> None:
        """Take ``console`` (by default standard output) for the pictures and ``keyboard`` (by default standard input) for the keys.

        Raises:
            ScreenError: the terminal is gone.
        """
        self._keyboard = _tty_of(sys.stdin if keyboard is None else keyboard)
        self._console = console or _Page(file=_console_of(self._keyboard))
        self._alarm = WakePipe()
        self._shown: tuple[Face, tuple[int, int]] | None = None
        self._drawn = 0
        self._typist = KeyParser()
        self._ended = False
        self._open = True
        with lost(TERMINAL, termios.error):
            self._before = None if self._keyboard is None else termios.tcgetattr(self._keyboard)
            self._begin()

    @property
    def drawn(self) -> int:
        """How many pictures have been drawn."""
        return self._drawn

    def draw(self, face: Face) -> bool:
        """Show ``face``; return whether anything had to be drawn: it differs from the last, or the terminal has another size.

        Raises:
            ScreenError: the terminal is gone.
        """
        wanted = (face, tuple(self._console.size))
        if wanted == self._shown or not self._open:
            return False
        self._shown = (face, (self._console.width, self._console.height))
        with lost(TERMINAL):
            self._print(face)
        self._drawn += 1
        return True

    def warm(self) -> None:
        """Do nothing: a terminal has its letters."""

    def poll(self) -> list[Input]:
        """Return what was typed since the last call, oldest first, without waiting. The end of the input is heard as ``Quit``, once.

        Raises:
            ScreenError: the terminal is gone, or the input is still at its end.
        """
        if not self._open or self._keyboard is None:
            return []
        with lost(TERMINAL):
            if not select.select([self._keyboard], [], [], 0)[0]:
                return []
            text = os.read(self._keyboard, CHUNK)
            if not text:
                return self._end()
        inputs, self._typist = typed(self._typist, text.decode("latin-1"))
        return list(inputs)

    def wait(self, timeout_ms: int | None) -> None:
        """Sleep until a key, ``wake``, or the end of ``timeout_ms``; None: without limit.

        Raises:
            ScreenError: the terminal is gone.
        """
        with lost(TERMINAL):
            self._alarm.sleep([] if self._keyboard is None else [self._keyboard], timeout_ms)

    def wake(self) -> None:
        """End a ``wait``, this one or the next; from any thread, harmless once closed."""
        self._alarm.wake()

    def close(self) -> None:
        """Give the terminal back as it was found, where it is still there. More than once does no harm."""
        if not self._open:
            return
        self._open = False
        if self._keyboard is not None and self._before is not None:
            with suppress(termios.error, OSError):
                termios.tcsetattr(self._keyboard, termios.TCSADRAIN, self._before)
        if self._console.is_terminal:
            with suppress(OSError):
                self._tell(TELL_PASTES[1])
                self._console.set_alt_screen(False)
                self._console.show_cursor(True)
        self._alarm.close()

    def _begin(self) -> None:
        if self._keyboard is not None:
            tty.setcbreak(self._keyboard)
        if self._console.is_terminal:
            self._console.set_alt_screen(True)
            self._console.show_cursor(False)
            self._tell(TELL_PASTES[0])

    def _tell(self, words: str) -> None:
        """Say what rich has no word for."""
        self._console.file.write(words)
        self._console.file.flush()

    def _end(self) -> list[Input]:
        """At its end the input is ready for ever: who plays on without it has to do so on something else."""
        if self._ended:
            raise ScreenError(expected="a terminal to type on", found="the end of its input: start anew in another")
        self._ended = True
        return [Quit()]

    def _print(self, face: Face) -> None:
        legend = LEGEND if self._keyboard is not None else ""
        if self._console.is_alt_screen:
            # What the rest of the page leaves: a menu longer than that scrolls.
            taken = len(self._console.render_lines(picture(face, legend, rows=0)))
            self._console.control(Control.home())
            self._console.update_screen(picture(face, legend, rows=max(1, self._console.height - taken)))
        else:
            self._console.print(picture(face, legend))


def _tty_of(keyboard: IO[Any]) -> int | None:
    return keyboard.fileno() if not keyboard.closed and keyboard.isatty() else None


def _console_of(keyboard: int | None) -> IO[str] | None:
    """Return what a service draws on: the console that its keys come from, for its standard output is the journal's. None: standard output."""
    if keyboard is None or SERVICE not in os.environ:
        return None
    return os.fdopen(os.dup(keyboard), "w", encoding="utf-8")
