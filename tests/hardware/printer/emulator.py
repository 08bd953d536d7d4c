"""A slip printer with no paper: the other end of a pseudo-terminal, which reads ESC/POS and keeps what it printed, line by line with its style.

It stands in for a printer in tests and rehearsals; whatever is above the port is what runs at a station. It answers questions about itself as Epson's do, or
not at all; it can be out of paper, take nothing, and be unplugged.
"""

import os
import select
import time
from typing import Final

from hardware.printer.slip import Slip, SlipLine
from tools.led_displays import FakeSerialDevice

_PAGES: Final = {
    0: "cp437",
    2: "cp850",
    13: "cp857",
    14: "cp737",
    16: "cp1252",
    18: "cp852",
    19: "cp858",
    39: "iso8859-2",
    40: "iso8859-15",
    45: "cp1250",
    48: "cp1254",
}
"""Code page by its number (Epson, ESC/POS reference, ESC t)."""
_LENGTHS: Final = {b"\x1b@": 2, b"\x1bt": 3, b"\x1bE": 3, b"\x1ba": 3, b"\x1bd": 3, b"\x1d!": 3, b"\x1dV": 3, b"\x10\x04": 3}
"""The commands it knows, and how long each is."""
_ASKS: Final = b"\x10\x04"
"""Answered at once, whatever else is held (Epson, ESC/POS reference, DLE EOT)."""
_PUSHED_OUT: Final = 5
"""So many lines fed at once bring the slip out."""


class Paper:
    """What a printer makes of bytes: ``slips`` are pushed out to be torn off or cut, ``cuts`` says how many were cut, ``lines`` are still inside.

    ``feed`` returns the questions about the printer, in order. A command it does not know is a ValueError: nothing is printed by chance.
    While it is not ``loaded``, it prints nothing of what it takes in: that is held for the next roll.
    """

    def __init__(self) -> None:
        self.slips: list[Slip] = []
        self.lines: list[SlipLine] = []
        self.cuts = 0
        self.loaded = True
        self._rest = b""
        self._held: list[bytes] = []
        self._reset()

    def feed(self, data: bytes) -> bytes:
        """Take in some bytes, and return a byte for every question among them: 1 is the printer, 4 its paper."""
        self._rest += data
        questions = bytearray()
        while whole := self._next():
            if whole.startswith(_ASKS):
                questions += whole[len(_ASKS) :]
            else:
                self._held.append(whole)
        if self.loaded:
            held, self._held = self._held, []
            for whole in held:
                if len(whole) == 1:
                    self._character(whole)
                else:
                    self._obey(whole[:2], whole[2:])
        return bytes(questions)

    def _next(self) -> bytes:
        """Take the next letter or command from what came in; nothing where it is not there as a whole yet."""
        command = self._rest[:2]
        if command[:1] not in (b"\x1b", b"\x1d", b"\x10"):
            length = 1
        elif len(command) == 2 and command not in _LENGTHS:
            raise ValueError(f"expected a command that the fake printer knows, found {self._rest[:8]!r}")
        else:
            length = _LENGTHS.get(command, 2)
        if len(self._rest) < length:
            return b""
        whole, self._rest = self._rest[:length], self._rest[length:]
        return whole

    def _reset(self) -> None:
        self._page = _PAGES[0]
        self._text = ""
        self._large = self._bold = self._centred = False

    def _character(self, byte: bytes) -> None:
        if byte == b"\n":
            self.lines.append(SlipLine(self._text, self._large, self._bold, self._centred))
            self._text = ""
        elif byte < b" ":
            raise ValueError(f"expected a letter or a new line, found {byte!r}")
        else:
            self._text += byte.decode(self._page)

    def _obey(self, command: bytes, argument: bytes) -> None:
        if command == b"\x1b@":
            self._reset()
        elif command == b"\x1bt":
            self._page = _PAGES[argument[0]]
        elif command == b"\x1bE":
            self._bold = bool(argument[0] & 1)
        elif command == b"\x1ba":
            self._centred = argument in (b"\x01", b"1")
        elif command == b"\x1d!":
            self._large = argument != b"\x00"
        elif command == b"\x1dV":
            self._out()
            self.cuts += 1
        elif command == b"\x1bd" and argument[0] >= _PUSHED_OUT:
            self._out()

    def _out(self) -> None:
        if self.lines:
            self.slips.append(tuple(self.lines))
            self.lines.clear()


class FakePrinter(FakeSerialDevice):
    """A printer on a pseudo-terminal; ``port`` is its device.

    ``paper`` can be changed at any time: without it nothing is printed, and what came is held for the next roll. One that does not read holds the line.
    """

    def __init__(self, *, answers: bool = True, paper: bool = True, reads: bool = True) -> None:
        self.answers = answers
        self.taken = Paper()
        self.taken.loaded = paper
        super().__init__("fake printer", reads=reads)

    @property
    def paper(self) -> bool:
        return self.taken.loaded

    @paper.setter
    def paper(self, loaded: bool) -> None:
        with self._more:
            self.taken.loaded = loaded
            self.taken.feed(b"")
            self._more.notify_all()

    def slips(self, number: int, within_s: float = 10.0) -> list[Slip]:
        with self._more:
            self._more.wait_for(lambda: len(self.taken.slips) >= number, within_s)
            return list(self.taken.slips)

    def heard(self, within_s: float = 10.0) -> bool:
        """Return whether anything was sent to it, at the latest after that time. It is not taken for that."""
        until = time.monotonic() + within_s
        ready, _, _ = select.select([self._far], [], [], max(0.0, until - time.monotonic()))
        return bool(ready)

    def _receive(self, data: bytes) -> None:
        with self._more:
            questions = self.taken.feed(data)
            self._more.notify_all()
        if self.answers:
            os.write(self._far, bytes(self._status(question) for question in questions))

    def _status(self, question: int) -> int:
        """Return the status byte: of the paper to question 4, else whether it is offline."""
        if question == 4:
            return 0b0001_0010 if self.paper else 0b0111_1110
        return 0b0001_0110 if self.paper else 0b0001_1110
