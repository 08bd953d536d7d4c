"""Slips that are not printed: those that came too late, and those that nobody will ever print."""

from __future__ import annotations

import queue
import sys
import threading
from pathlib import Path

import pytest

import hardware.printer.escpos
from appliance.errors import Diagnosis
from hardware.printer.slip import Slip
from hardware.printer.spooler import MAX_WAITING, PrinterTimeouts, SlipPrinter
from hardware.settings import SerialLine
from tests.hardware.printer.emulator import FakePrinter
from tests.hardware.printer.printing import AT_ONCE_S, HASTY, QUICK, SLIP, Recorder, Start, handed_over, until_told


def test_slips_that_no_printer_takes_are_dropped_one_by_one_with_a_line_in_the_log(
    start: Start, told: queue.SimpleQueue[Diagnosis | None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printer = start(tmp_path / "none", HASTY)
    for _ in range(20):
        assert handed_over(printer) < AT_ONCE_S
        assert len(printer._orders) <= MAX_WAITING
    assert until_told(told, "No such file")
    assert printer.close(10)
    logged = capsys.readouterr().out
    assert logged.count("slip dropped") == 20
    assert "newer slips wait for the printer" in logged


def test_a_slip_that_came_too_late_is_not_printed_when_the_printer_is_back(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Recorder()
    monkeypatch.setattr("hardware.printer.spooler.get_logger", lambda: log)
    port = tmp_path / "ttyUSB0"
    printer = start(port, HASTY)
    printer.print_slip(SLIP)
    while log.lines.get(timeout=20) != "slip dropped":
        pass
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        printer.print_slip(SLIP[1:])
        assert fake.slips(1) == [SLIP[1:]]


def test_a_slip_is_not_tried_again_beyond_its_own_time(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Recorder()
    monkeypatch.setattr("hardware.printer.spooler.get_logger", lambda: log)
    printer = start(tmp_path / "none", PrinterTimeouts(slip_s=0.3, retry_s=20.0, check_s=600.0))
    printer.print_slip(SLIP)
    # Not after the next try: there is none that would not come too late.
    assert [log.lines.get(timeout=5) for _ in range(2)] == ["slip printer", "slip dropped"]


def test_nothing_is_kept_where_there_is_nobody_to_print_it(
    told: queue.SimpleQueue[Diagnosis | None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    handed = threading.Event()
    encode = hardware.printer.escpos.encode

    def after_the_slips(slip: Slip, profile: str = "default", *, cut: bool = True) -> bytes:
        handed.wait(20)
        return encode(slip, profile, cut=cut)

    monkeypatch.setattr("hardware.printer.escpos.encode", after_the_slips)
    printer = SlipPrinter(SerialLine("/dev/none", profile="teleprinter"), QUICK, told.put)
    assert max(handed_over(printer) for _ in range(MAX_WAITING)) < AT_ONCE_S
    handed.set()
    assert until_told(told, "found the profile 'teleprinter'. Set printer.profile to default")
    printer._thread.join()
    assert len(printer._orders) == 0
    assert max(handed_over(printer) for _ in range(100)) < AT_ONCE_S
    assert len(printer._orders) == 0
    assert capsys.readouterr().out.count("slip dropped") == MAX_WAITING + 100
    assert printer.trouble
    assert printer.close()


def test_where_a_library_is_missing_that_is_said_and_nothing_is_kept(
    told: queue.SimpleQueue[Diagnosis | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "hardware.printer.port", None)
    printer = SlipPrinter(SerialLine("/dev/none"), QUICK, told.put)
    assert until_told(told, "expected the libraries pyserial and python-escpos, found ")
    printer._thread.join()
    printer.print_slip(SLIP)
    assert len(printer._orders) == 0
