"""Two emulated LED displays in a terminal: ``python -m tools.led_displays`` prints the command that starts the clock on them, and draws what they show.

An emulated device is the far end of a pseudo-terminal, read in a thread until unplugged. It replaces the device in tests and rehearsals: everything above the port is
what runs in a clock. An LED display interprets the bytes like the module's firmware; it can lose and regain power, and stop reading.
"""

import os
import select
import sys
import threading
import time
import tty
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, Self, TextIO

from hardware.led.picture import (
    APOSTROPHE_BIT,
    BRIGHTEST,
    BRIGHTNESS_COMMAND,
    COLON_BIT,
    CURSOR_COMMAND,
    DIGIT_COMMANDS,
    DIGITS,
    POINTS,
    POINTS_COMMAND,
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    Lit,
    glyph,
)

_CLEAR: Final = 0x76
_BLANK: Final = 0x78
_SPEED: Final = 0x7F
_RESET: Final = 0x81
_REMEMBERED: Final = 10_000
_HEXADECIMAL: Final = "0123456789ABCDEF"
_POWERED_UP: Final = tuple(glyph(each) for each in "1234")
"""What newer firmware shows until the first command."""
_ROWS: Final = (((0, " "), (A, "_"), (0, " ")), ((F, "|"), (G, "_"), (B, "|")), ((E, "|"), (D, "_"), (C, "|")))


class Panel:
    """The module's byte interpreter. A byte that is no command is a character at the cursor, which advances and wraps."""

    def __init__(self) -> None:
        self.brightness = BRIGHTEST
        """Survives a loss of power."""
        self.speed_changes = 0
        """The number of baud rate commands: none, from a driver in step."""
        self.eeprom_writes = 0
        """The number of EEPROM writes: it endures about 100,000."""
        self.power_up()

    def power_up(self) -> None:
        self._digits = list(_POWERED_UP)
        self._marks = 0
        self._cursor = 0
        self._command: int | None = None

    @property
    def lit(self) -> Lit:
        first, second, third, fourth = self._digits
        marks = self._marks
        return Lit(
            (first, second, third, fourth), marks & sum(POINTS), colon=bool(marks & COLON_BIT), apostrophe=bool(marks & APOSTROPHE_BIT)
        )

    def feed(self, data: bytes) -> Iterator[Lit]:
        """Interpret bytes and yield the display after each."""
        for byte in data:
            command, self._command = self._command, None
            if command is not None:
                self._obey(command, byte)
            elif byte == _CLEAR:
                self._digits, self._marks, self._cursor = [0] * DIGITS, 0, 0
            elif byte < _CLEAR or byte == _BLANK:
                self._digits[self._cursor] = _character(byte)
                self._cursor = (self._cursor + 1) % DIGITS
            else:
                self._command = byte
            yield self.lit

    def _obey(self, command: int, argument: int) -> None:
        if command == POINTS_COMMAND:
            self._marks = argument
        elif command == CURSOR_COMMAND and argument < DIGITS:
            self._cursor = argument
        elif command in DIGIT_COMMANDS:
            self._digits[DIGIT_COMMANDS.index(command)] = argument & 0x7F
        elif command in (BRIGHTNESS_COMMAND, _RESET):
            self.eeprom_writes += 1
            self.brightness = BRIGHTEST if command == _RESET else min(argument, BRIGHTEST)
        elif command == _SPEED:
            self.eeprom_writes += 1
            self.speed_changes += 1


class FakeSerialDevice(ABC):
    """A device on a pseudo-terminal, whose near end is ``port``; if it does not read, the line blocks until ``resume``."""

    def __init__(self, name: str, *, reads: bool) -> None:
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        self.port = os.ttyname(self._near)
        self._more = threading.Condition()
        self._ends, self._end = os.pipe()
        self._reads = threading.Event()
        if reads:
            self._reads.set()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()

    def resume(self) -> None:
        """Start reading, if blocked."""
        self._reads.set()

    def unplug(self) -> None:
        """Pull the cable. Idempotent."""
        if self._end >= 0:
            os.write(self._end, b"x")
            self._reads.set()
            self._thread.join()
            for handle in (self._near, self._far, self._ends, self._end):
                os.close(handle)
            self._end = -1

    def _run(self) -> None:
        self._reads.wait()
        while self._ends not in select.select([self._ends, self._far], [], [])[0]:
            self._receive(os.read(self._far, 4096))

    @abstractmethod
    def _receive(self, data: bytes) -> None:
        """Interpret the bytes like the device, in the thread."""


class FakeLed(FakeSerialDevice):
    """A module on a pseudo-terminal, whose device is ``port``; if it does not read, the line blocks until ``resume``."""

    def __init__(self, *, reads: bool = True) -> None:
        self.panel = Panel()
        self.received_bytes = 0
        """The number of bytes received."""
        self.seen: deque[Lit] = deque(maxlen=_REMEMBERED)
        """The latest displays in order, however short, without repetitions."""
        self._powered = True
        super().__init__("fake LED display", reads=reads)

    @property
    def lit(self) -> Lit:
        with self._more:
            return self.panel.lit

    def shows(self, wanted: Callable[[Lit], bool], within_s: float = 10.0) -> bool:
        """Wait until the display is ``wanted``, at most ``within_s``; return whether it is."""
        with self._more:
            return self._more.wait_for(lambda: wanted(self.panel.lit), within_s)

    def power(self, *, on: bool) -> None:
        """Switch its power: without power it ignores bytes, and the port shows no fault."""
        with self._more:
            self._powered = on
            if on:
                self.panel.power_up()
                self._more.notify_all()

    def _receive(self, data: bytes) -> None:
        with self._more:
            self.received_bytes += len(data)
            if self._powered:
                for lit in self.panel.feed(data):
                    if not self.seen or self.seen[-1] != lit:
                        self.seen.append(lit)
                self._more.notify_all()


def drawn(lit: Lit) -> str:
    """Return a drawing of a display, in three lines of characters."""
    return "\n".join(_row(lit, row).rstrip() for row in range(3))


def _row(lit: Lit, row: int) -> str:
    parts: list[str] = []
    for digit, segments in enumerate(lit.digits):
        parts += (sign if segments & segment or not segment else " " for segment, sign in _ROWS[row])
        parts.append("'" if row == 0 and digit == 2 and lit.apostrophe else "." if row == 2 and lit.points & POINTS[digit] else " ")
        if digit == 1:
            parts.append("o " if row and lit.colon else "  ")
    return "".join(parts)


def _character(byte: int) -> int:
    """Return the segments of a byte: values below 16 are hexadecimal digits."""
    return glyph(_HEXADECIMAL[byte]) if byte < len(_HEXADECIMAL) else 0 if byte == _BLANK else glyph(chr(byte))


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
