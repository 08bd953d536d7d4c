"""Questions and answers over a serial line that may lose bytes, delay them or add some: each is a line with its number, length and checksum.

Runs on both sides, inside with Debian's Python alone. Damaged or missing lines are sent again. A question that arrives twice is done once: its answer is kept
until the next question.
"""

import json
import os
import secrets
import select
import threading
import time
import zlib
from collections.abc import Callable
from typing import Any, Final, TypeAlias

Said: TypeAlias = dict[str, Any]

AGAIN_S: Final = 30
"""A question without an answer is sent again after this time: it was lost, or what it asks for takes long."""
_QUESTION: Final = b"?"
_ANSWER: Final = b"!"
_RESEND: Final = "again"
"""The number of an answer to a line that was damaged, or to none: whoever waits sends the question again."""
_PIECE: Final = 1 << 16


def framed(mark: bytes, number: str, said: Said) -> bytes:
    raw = json.dumps(said).encode()  # without line breaks
    return b"%s %s %d %08x %s\n" % (mark, number.encode(), len(raw), zlib.crc32(raw), raw)


def unframed(mark: bytes, line: bytes) -> tuple[str, Said] | None:
    """Return number and content, or None if the line is damaged or has another mark."""
    parts = line.strip().split(b" ", 4)
    if len(parts) != 5 or parts[0] != mark:
        return None
    raw = parts[4]
    if parts[2:4] != [b"%d" % len(raw), b"%08x" % zlib.crc32(raw)]:
        return None
    said: Said = json.loads(raw)
    return parts[1].decode(errors="replace"), said


class Lines:
    """The lines that come in on a descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._heard = b""

    def next(self, timeout_s: float | None = None) -> bytes:
        """Return the next line.

        Raises:
            TimeoutError: no whole line came in time.
            EOFError: the other side has ended.
        """
        until = None if timeout_s is None else time.monotonic() + timeout_s
        while b"\n" not in self._heard:
            left = None if until is None else max(0.0, until - time.monotonic())
            if not select.select([self._descriptor], [], [], left)[0]:
                raise TimeoutError
            more = os.read(self._descriptor, _PIECE)
            if not more:
                raise EOFError
            self._heard += more
        line, _, self._heard = self._heard.partition(b"\n")
        return line


class Asker:
    """The side that asks, for any thread: the pure clock beside a machine reads its time in the journal's thread too."""

    def __init__(self, lines: Lines, send: Callable[[bytes], None]) -> None:
        self._lines, self._send = lines, send
        # The other side may be a copy that was saved with the number of its last question.
        self._session, self._asked = secrets.token_hex(4), 0
        self._one_at_a_time = threading.Lock()

    def ask(self, question: Said, timeout_s: float) -> Said:
        """Return the answer. Raises what ``Lines.next`` raises."""
        with self._one_at_a_time:
            self._asked += 1
            number, until = f"{self._session}-{self._asked}", time.monotonic() + timeout_s
            while True:
                self._send(framed(_QUESTION, number, question))
                answer = self._answer(number, min(until, time.monotonic() + AGAIN_S))
                if answer is not None:
                    return answer
                if time.monotonic() >= until:
                    raise TimeoutError

    def _answer(self, number: str, until: float) -> Said | None:
        """Return the answer, or None if the question has to be sent again."""
        while True:
            try:
                line = self._lines.next(max(0.0, until - time.monotonic()))
            except TimeoutError:
                return None
            if line.startswith(_QUESTION):  # the echo of a terminal that is just being opened
                continue
            found = unframed(_ANSWER, line)
            if found is None or found[0] == _RESEND:
                return None
            if found[0] == number:  # otherwise an answer that came twice
                return found[1]


def serve(port: int, answer: Callable[[Said], Said]) -> None:
    """Answer on the descriptor ``port`` until it ends, or until the answer has the key ``end``."""
    lines, last, kept = Lines(port), "", b""
    _write(port, framed(_ANSWER, _RESEND, {}))  # who asked before this side listened asks again
    while True:
        try:
            found = unframed(_QUESTION, lines.next())
        except EOFError:
            return
        if found is None:
            _write(port, framed(_ANSWER, _RESEND, {}))
            continue
        if found[0] != last:
            said = answer(found[1])
            last, kept = found[0], framed(_ANSWER, found[0], said)
            if "end" in said:
                _write(port, kept)
                return
        _write(port, kept)


def _write(port: int, raw: bytes) -> None:
    while raw:
        raw = raw[os.write(port, raw) :]
