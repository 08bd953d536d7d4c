"""The face in a terminal or an ssh session, drawn with rich and played with the terminal's keyboard.

A terminal reports no key-up, so a key is a press with its release: a ``Tap`` with the time it was held. A small letter is a short press, the capital
a long one. A special key sends several characters, which may arrive in two reads: an incomplete key is carried over to the next.
"""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import tty
from collections.abc import Iterable
from contextlib import suppress
from typing import IO, Any, Final

from msgspec import Struct
from rich.console import Console
from rich.control import Control

from appliance.display.screen import WakePipe, lost
from appliance.errors import ScreenError
from appliance.process import SERVICE
from firmware.face.value import Face
from firmware.screens.screen import ButtonEdge, Quit, ScreenInput, Tap
from firmware.screens.terminal_picture import picture

SHORT_NS: Final = 80_000_000
LONG_NS: Final = 1_200_000_000
"""Longer than the second that a held press takes."""
CALL_NS: Final = 2_200_000_000
"""Longer than the two seconds that the bar's call takes."""
_TAPS: Final[dict[str, Tap]] = {
    "a": Tap("left", SHORT_NS),
    "A": Tap("left", LONG_NS),
    "l": Tap("right", SHORT_NS),
    "L": Tap("right", LONG_NS),
    " ": Tap("centre", SHORT_NS),
    "b": Tap("centre", LONG_NS),
    "B": Tap("centre", CALL_NS),
    "\r": Tap("ok", SHORT_NS),
    "\n": Tap("ok", SHORT_NS),
    "\x1b[A": Tap("up", SHORT_NS),
    "\x1b[B": Tap("down", SHORT_NS),
    "\x1bOA": Tap("up", SHORT_NS),
    "\x1bOB": Tap("down", SHORT_NS),
}
_PARAMETERS: Final = "[0-9:;<=>?]*"
# A function key of the Linux console (ESC [ [ A), a control sequence (ECMA-48, 5.4) or a key of the application keypad (ESC O A), ended by any
# character that is no parameter (in rxvt also by a $); and a key pressed with Alt.
_WHOLE: Final = re.compile(rf"\x1b(?:\[\[[!-~]|\[{_PARAMETERS}[!-/@-Z\\-~]|O{_PARAMETERS}[!-/@-~]|[^\x1b\[O])", re.DOTALL)
_BEGUN: Final = re.compile(rf"\x1b(?:\[\[|[\[O]{_PARAMETERS})?\Z")
_ANY: Final = re.compile(rf"\x1b(?:\[\[|[\[O]{_PARAMETERS})?|.", re.DOTALL)
PASTES: Final = "\x1b[200~"
"""The start of pasted text from a terminal with ``MARK_PASTES``; ``PASTED`` ends it."""
PASTED: Final = "\x1b[201~"
MARK_PASTES: Final = ("\x1b[?2004h", "\x1b[?2004l")
"""Turns the terminal's marking of pasted text on and off."""


class KeyParser(Struct, frozen=True):
    """The parser's state between reads."""

    key_on: bool = False
    """The key switch is on."""
    rest: str = ""
    """The beginning of an incomplete key."""
    pastes: bool = False
    """The input is pasted, and presses nothing."""


def typed(parser: KeyParser, text: str) -> tuple[tuple[ScreenInput, ...], KeyParser]:
    """Return the inputs for ``text`` and the next state. Unknown keys, Escape among them, press nothing; q quits."""
    # After a lone Escape from an earlier read, the next key is not one pressed with Alt.
    alone = parser.rest == "\x1b" and not text.startswith(("[", "O"))
    text, key_on, pastes = text if text and alone else parser.rest + text, parser.key_on, parser.pastes
    inputs: list[ScreenInput] = []
    while text and not _BEGUN.match(text):
        stroke, text = _first(text)
        if stroke in (PASTES, PASTED) or pastes:
            pastes = stroke == PASTES or (pastes and stroke != PASTED)
        elif stroke == "q":
            inputs.append(Quit())
        elif stroke == "k":
            key_on = not key_on
            inputs.append(ButtonEdge("key", down=key_on))
        elif stroke in _TAPS:
            inputs.append(_TAPS[stroke])
    return tuple(inputs), KeyParser(key_on, text, pastes)


def _first(text: str) -> tuple[str, str]:
    """Return the first key of ``text``, and the rest. A broken sequence is a key of its own; the character that broke it counts again."""
    found = _WHOLE.match(text) or _ANY.match(text)
    end = found.end() if found else 1
    return text[:end], text[end:]


CHUNK = 1024
TERMINAL = "the terminal"


class _Page(Console):
    """A console that survives a closed terminal; rich would exit the program."""

    def on_broken_pipe(self) -> None:
        raise ScreenError(expected="an open terminal", found="a closed one: start again in another")


class TerminalScreen:
    """One screen in one terminal. If the output is no terminal, pictures follow one another; if the input is none, nothing can be pressed."""

    blocks = True

    def __init__(self, console: Console | None = None, keyboard: IO[Any] | None = None, legend: str = "") -> None:
        """Draw on ``console``, read keys from ``keyboard``; ``legend`` explains the keys. Raises ScreenError: the terminal is closed."""
        self._keyboard = _tty_of(sys.stdin if keyboard is None else keyboard)
        self._console = console or _Page(file=_console_of(self._keyboard))
        self._legend = legend
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
        """The number of pictures drawn."""
        return self._drawn

    def draw(self, face: Face) -> bool:
        """Show ``face``; return whether a picture was needed, because the face or the terminal's size has changed. Raises ScreenError: the terminal is closed."""
        wanted = (face, tuple(self._console.size))
        if wanted == self._shown or not self._open:
            return False
        self._shown = (face, (self._console.width, self._console.height))
        with lost(TERMINAL):
            self._print(face)
        self._drawn += 1
        return True

    def warm(self, faces: Iterable[Face]) -> None:
        """Do nothing: a terminal needs no preparation."""

    def poll(self) -> list[ScreenInput]:
        """Return the keys since the last call without waiting; the end of the input gives ``Quit``, once. Raises ScreenError: closed, or still at its end."""
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
        """Sleep until a key, ``wake``, or ``timeout_ms``; None: no limit. Raises ScreenError: the terminal is closed."""
        with lost(TERMINAL):
            self._alarm.sleep([] if self._keyboard is None else [self._keyboard], timeout_ms)

    def wake(self) -> None:
        """End this ``wait`` or the next; callable from any thread, harmless after ``close``."""
        self._alarm.wake()

    def close(self) -> None:
        """Restore the terminal if it is still open. Calling it twice is harmless."""
        if not self._open:
            return
        self._open = False
        if self._keyboard is not None and self._before is not None:
            with suppress(termios.error, OSError):
                termios.tcsetattr(self._keyboard, termios.TCSADRAIN, self._before)
        if self._console.is_terminal:
            with suppress(OSError):
                self._send(MARK_PASTES[1])
                self._console.set_alt_screen(False)
                self._console.show_cursor(True)
        self._alarm.close()

    def _begin(self) -> None:
        if self._keyboard is not None:
            tty.setcbreak(self._keyboard)
        if self._console.is_terminal:
            self._console.set_alt_screen(True)
            self._console.show_cursor(False)
            self._send(MARK_PASTES[0])

    def _send(self, words: str) -> None:
        """Send a control sequence that rich does not support."""
        self._console.file.write(words)
        self._console.file.flush()

    def _end(self) -> list[ScreenInput]:
        """Return Quit at the end of the input, which is then always readable; raise if the game goes on with it."""
        if self._ended:
            raise ScreenError(expected="a terminal to type on", found="the end of its input: start again in another")
        self._ended = True
        return [Quit()]

    def _print(self, face: Face) -> None:
        legend = self._legend if self._keyboard is not None else ""
        if self._console.is_alt_screen:
            # A menu longer than the rest of the page scrolls.
            taken = len(self._console.render_lines(picture(face, legend, rows=0)))
            self._console.control(Control.home())
            self._console.update_screen(picture(face, legend, rows=max(1, self._console.height - taken)))
        else:
            self._console.print(picture(face, legend))


def _tty_of(keyboard: IO[Any]) -> int | None:
    return keyboard.fileno() if not keyboard.closed and keyboard.isatty() else None


def _console_of(keyboard: int | None) -> IO[str] | None:
    """Return the console that a service's keys come from, since its standard output is the journal; None: standard output."""
    if keyboard is None or SERVICE not in os.environ:
        return None
    return os.fdopen(os.dup(keyboard), "w", encoding="utf-8")
