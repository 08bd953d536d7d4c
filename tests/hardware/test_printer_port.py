from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from hardware.errors import HardwareError, PrinterError
from hardware.line import SerialLine
from hardware.printer_fake import FakePrinter
from hardware.printer_port import PrinterPort

MORE_THAN_FITS = b"x" * 1_000_000


@pytest.fixture
def fake() -> Iterator[FakePrinter]:
    with FakePrinter() as printer:
        yield printer


def port(fake: FakePrinter, write_s: float = 0.3) -> PrinterPort:
    return PrinterPort(SerialLine(fake.port), write_s=write_s, answer_s=0.3)


def test_a_printer_that_answers_is_told_from_one_that_never_does(fake: FakePrinter) -> None:
    with closing(port(fake)) as line:
        assert line.check()
    with FakePrinter(answers=False) as silent, closing(port(silent)) as line:
        assert not line.check()


def test_a_printer_that_never_answers_is_asked_once_so_that_no_slip_waits_for_it_again() -> None:
    with FakePrinter(answers=False) as silent, closing(port(silent)) as line:
        assert not line.check()
        before = time.perf_counter()
        assert not any(line.check() for _ in range(10))
        assert time.perf_counter() - before < 0.2


@pytest.mark.parametrize("flow", ["none", "rts", "xon"])
def test_every_way_of_holding_the_line_can_be_opened(fake: FakePrinter, flow: str) -> None:
    with closing(PrinterPort(SerialLine(fake.port, flow=flow))) as line:  # type: ignore[arg-type] # the parameter is one of its names
        assert line.check()


def test_a_baud_rate_that_cannot_be_is_said(fake: FakePrinter) -> None:
    with (
        closing(PrinterPort(SerialLine(fake.port, baud=-1))) as line,
        pytest.raises(PrinterError, match="found: Not a valid baudrate: -1;"),
    ):
        line.check()


def test_a_full_line_is_given_up_in_time_and_without_a_busy_loop() -> None:
    with FakePrinter(reads=False) as deaf:
        line = port(deaf)
        with pytest.raises(PrinterError, match=r"it took nothing more for 0.3 s"):
            line.send(MORE_THAN_FITS)
        began, worked = time.monotonic(), time.thread_time()
        with pytest.raises(PrinterError, match=r"it took nothing more for 0.3 s"):
            line.send(b"x")  # nothing at all is taken now: where pyserial would try again and again
        assert time.monotonic() - began >= 0.3
        assert time.thread_time() - worked < 0.1
        began = time.monotonic()
        line.close()
        assert time.monotonic() - began < 2


def test_a_port_that_was_dropped_is_opened_anew(fake: FakePrinter) -> None:
    with closing(port(fake)) as line:
        assert line.check()
        line.drop()
        line.drop()
        assert line.check()


def test_what_was_sent_before_the_port_is_closed_still_arrives(fake: FakePrinter) -> None:
    line = port(fake, write_s=5)
    line.send(b"last words\n\x1dV\x01")
    line.close()
    assert [printed.text for printed in fake.slips(1)[0]] == ["last words"]


def test_a_printer_error_is_caught_as_ours_and_as_one_of_the_system(fake: FakePrinter) -> None:
    assert issubclass(PrinterError, HardwareError)
    assert issubclass(PrinterError, OSError)
    fake.unplug()
    with pytest.raises(PrinterError) as caught:
        port(fake).check()
    assert str(caught.value).startswith(f"expected the slip printer on {fake.port}, found: ")
