import os
import re
import select
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Self

import pytest
import serial

from appliance.errors import PrinterError
from hardware.printer.port import PrinterPort
from hardware.settings import PrinterSettings
from tests.errors import with_fields
from tests.hardware.printer.emulator import FakePrinter

READY = bytes([0b0001_0010])
NO_PAPER = bytes([0b0111_1110])


class FarEnd:
    """It answers each question with what its script says; ``port`` is the near end's device."""

    def __init__(self, script: Callable[[int], bytes]) -> None:
        self._script = script
        self._asked = 0
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        self.port = os.ttyname(self._near)
        self._ends, self._end = os.pipe()
        self._thread = threading.Thread(target=self._run, name="far end", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.write(self._end, b"x")
        self._thread.join()
        for handle in (self._near, self._far, self._ends, self._end):
            os.close(handle)

    def say(self, data: bytes) -> None:
        """Send something unrequested; return once it lies at the near end."""
        os.write(self._far, data)
        select.select([self._near], [], [], 10)

    def _run(self) -> None:
        while self._ends not in (ready := select.select([self._ends, self._far], [], [])[0]):
            if ready:
                for _ in range(os.read(self._far, 4096).count(b"\x10\x04")):
                    self._asked += 1
                    os.write(self._far, self._script(self._asked))


MORE_THAN_FITS = b"x" * 1_000_000


@pytest.fixture
def fake() -> Iterator[FakePrinter]:
    with FakePrinter() as printer:
        yield printer


def port(fake: FakePrinter | FarEnd, write_s: float = 0.3, answer_s: float = 0.3) -> PrinterPort:
    """Open the port of a printer. One that answers gets all the time that a busy machine may take for it."""
    return PrinterPort(PrinterSettings(fake.port), write_s=write_s, answer_s=answer_s)


def test_a_printer_that_answers_is_told_from_one_that_never_does_and_is_asked_once(fake: FakePrinter) -> None:
    with closing(port(fake, answer_s=10)) as line:
        assert line.check()
    with FakePrinter(answers=False) as silent, closing(port(silent)) as line:
        assert not line.check()
    with FakePrinter(answers=False) as silent, closing(port(silent)) as line:
        assert not line.check()
        before = time.perf_counter()
        assert not any(line.check() for _ in range(10))
        assert time.perf_counter() - before < 0.2


@pytest.mark.parametrize("flow", ["none", "rts", "xon"])
def test_every_way_of_holding_the_line_can_be_opened(fake: FakePrinter, flow: str) -> None:
    with closing(PrinterPort(PrinterSettings(fake.port, flow=flow))) as line:  # type: ignore[arg-type] # the parameter is one of its names
        assert line.check()


def test_an_impossible_baud_rate_is_reported(fake: FakePrinter) -> None:
    with (
        closing(PrinterPort(PrinterSettings(fake.port, baud=-1))) as line,
        pytest.raises(PrinterError, check=with_fields(found=re.compile("baudrate: -1"))),
    ):
        line.check()


def test_a_full_line_is_given_up_in_time_and_without_a_busy_loop() -> None:
    with FakePrinter(reads=False) as deaf:
        line = port(deaf)
        with pytest.raises(PrinterError, check=with_fields(found=re.compile("0.3 s"))):
            line.send(MORE_THAN_FITS)
        began, worked = time.monotonic(), time.thread_time()
        with pytest.raises(PrinterError, check=with_fields(found=re.compile("0.3 s"))):
            line.send(b"x")  # nothing at all is taken now: where pyserial would try again and again
        assert time.monotonic() - began >= 0.3
        assert time.thread_time() - worked < 0.1
        began = time.monotonic()
        line.close()
        assert time.monotonic() - began < 2


def waiting(far: int) -> int:
    count = 0
    while select.select([far], [], [], 0.1)[0]:
        count += len(os.read(far, 4096))
    return count


def test_what_a_port_that_is_dropped_has_not_sent_yet_is_lost() -> None:
    # The system would go on trying to send it, and keep whoever closes the port waiting for half a minute.
    far, near = os.openpty()
    tty.setraw(near)
    line = PrinterPort(PrinterSettings(os.ttyname(near)))
    line.send(bytes(10_000))  # more than lies at the far end by now
    line.drop()
    assert waiting(far) < 10_000
    line.send(bytes(10_000))
    assert waiting(far) == 10_000
    line.close()
    os.close(near)
    os.close(far)


def test_an_answer_that_came_too_late_is_not_taken_for_that_of_the_next_question() -> None:
    with FarEnd(lambda _: READY) as far, closing(port(far, answer_s=10)) as line:
        assert line.check()
        far.say(NO_PAPER)
        assert line.check()


def test_a_printer_that_answers_in_the_place_of_one_that_never_did_is_asked_again() -> None:
    with FakePrinter(answers=False) as fake, closing(port(fake)) as line:
        assert not line.check()
        line.drop()
        line.drop()
        fake.answers = True
        assert line.check()


@pytest.mark.parametrize("stray", [b"\xff", b"\x7f", b"\x00", b"\x11\x13"], ids=["all ones", "noise", "none", "xon and xoff"])
def test_a_stray_byte_is_not_taken_for_a_status(stray: bytes) -> None:
    with FarEnd(lambda _: stray + READY) as far, closing(port(far, answer_s=10)) as line:
        assert line.check()
    with FarEnd(lambda _: stray) as far, closing(port(far)) as line:
        assert not line.check()


def test_a_status_after_a_stray_byte_still_counts() -> None:
    with (
        FarEnd(lambda _: b"\x00" + NO_PAPER) as far,
        closing(port(far, answer_s=10)) as line,
        pytest.raises(PrinterError, check=with_fields(expected=re.compile("^paper"), found="none")),
    ):
        line.check()


def test_an_answer_is_waited_for_until_what_stands_before_the_question_can_have_gone_out(monkeypatch: pytest.MonkeyPatch) -> None:
    # A pseudo-terminal never has anything left to send: a serial line of 9600 bits a second has, for as long as these 9600 bytes take.
    monkeypatch.setattr(serial.Serial, "out_waiting", 9_600, raising=False)
    slow = threading.Event()

    def script(_: int) -> bytes:
        slow.wait(0.5)  # longer than the 0.3 s within which a printer answers
        return READY

    with FarEnd(script) as far:
        line = port(far)
        assert line.check()
        monkeypatch.undo()
        line.close()


def test_what_was_sent_before_the_port_is_closed_still_arrives(fake: FakePrinter) -> None:
    line = port(fake, write_s=5)
    line.send(b"last words\n\x1dV\x01")
    line.close()
    assert [printed.text for printed in fake.slips(1)[0]] == ["last words"]
