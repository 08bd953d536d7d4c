"""Faults of the program's own at a slip: its bytes cannot be made, or the printer's thread ends."""

from __future__ import annotations

import queue

import pytest

import hardware.printer.escpos
from appliance.errors import Diagnosis
from hardware.printer.slip import Slip, SlipLine
from hardware.printer.spooler import SlipPrinter
from hardware.settings import SerialLine
from tests.hardware.printer.emulator import FakePrinter
from tests.hardware.printer.printing import QUICK, SLIP, Start, until_told


def test_a_slip_that_cannot_be_made_into_bytes_is_said_without_its_words_and_the_next_is_printed(
    start: Start, told: queue.SimpleQueue[Diagnosis | None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    encode = hardware.printer.escpos.encode

    def broken(slip: Slip, profile: str = "default", *, cut: bool = True) -> bytes:
        if len(slip) == 1:
            raise IndexError(slip[0].text)
        return encode(slip, profile, cut=cut)

    monkeypatch.setattr("hardware.printer.escpos.encode", broken)
    with FakePrinter() as fake:
        printer = start(fake.port)
        printer.print_slip((SlipLine("QUIXOTRY"),))
        assert until_told(told, "found IndexError. Check the printer's profile in the settings")
        # Looked after, the printer itself is well: that does not make the slip come out.
        fake.paper = False
        assert until_told(told, "Put in a roll")
        fake.paper = True
        assert until_told(told, "found IndexError")
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        assert until_told(told, None) is None
        fake.paper = False
        assert until_told(told, "Put in a roll")
        fake.paper = True
        assert told.get(timeout=20) is None
    logged = capsys.readouterr().out
    assert logged.count("slip dropped") == 1
    assert "QUIXOTRY" not in logged


def test_a_thread_that_ends_by_a_fault_of_a_library_says_so(
    told: queue.SimpleQueue[Diagnosis | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(port: object) -> bool:
        raise RuntimeError("a library's own")

    monkeypatch.setattr("hardware.printer.port.PrinterPort.check", broken)
    printer = SlipPrinter(SerialLine("/dev/none"), QUICK, told.put)
    assert until_told(told, "found RuntimeError. Restart the program")
    printer._thread.join()
    printer.print_slip(SLIP)
    assert len(printer._orders) == 0
    assert printer.trouble
