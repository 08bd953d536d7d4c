"""A slip printer that is not there: no port, unplugged, under another name, held by another program."""

from __future__ import annotations

import queue
from pathlib import Path

import pytest
import serial

from appliance.errors import Diagnosis
from hardware import settings
from tests.hardware.printer.emulator import FakePrinter
from tests.hardware.printer.printing import AT_ONCE_S, SLIP, Start, handed_over, until_told


def test_a_port_that_is_not_there_delays_nobody_and_the_slip_comes_when_it_appears(
    start: Start, told: queue.SimpleQueue[Diagnosis | None], tmp_path: Path
) -> None:
    port = tmp_path / "ttyUSB0"
    printer = start(port)
    assert handed_over(printer) < AT_ONCE_S
    assert "No such file" in str(until_told(told, str(port)))
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        assert fake.slips(1) == [SLIP]
        assert until_told(told, None) is None
        assert printer.trouble is None


def test_a_printer_unplugged_in_the_middle_is_said_and_printed_on_when_it_is_back(
    start: Start, told: queue.SimpleQueue[Diagnosis | None], tmp_path: Path
) -> None:
    port = tmp_path / "ttyUSB0"
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        printer = start(port)
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        fake.unplug()
        assert handed_over(printer, SLIP[1:]) < AT_ONCE_S
        assert str(until_told(told, "plug it in")).startswith(f"expected the slip printer on {port}, found ")
        port.unlink()
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        assert fake.slips(1) == [SLIP[1:]]


def test_a_printer_that_comes_back_under_another_name_is_found_by_what_it_is(
    start: Start, told: queue.SimpleQueue[Diagnosis | None], tmp_path: Path
) -> None:
    first, then = tmp_path / "usb-Slip_Printer-if00-port0", tmp_path / "usb-Slip_Printer_2-if00-port0"
    (tmp_path / "usb-Another_Thing-if00-port0").write_text("no port")
    with FakePrinter() as fake:
        first.symlink_to(fake.port)
        printer = start(tmp_path / "*Slip_Printer*")
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
    first.unlink()
    until_told(told, "expected the slip printer on ")
    printer.print_slip(SLIP)
    with FakePrinter() as again:
        then.symlink_to(again.port)
        assert again.slips(1) == [SLIP]
        until_told(told, None)


def test_a_port_that_is_gone_is_told_with_the_ports_that_are_there(
    start: Start, told: queue.SimpleQueue[Diagnosis | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "usb-Slip_Printer-if00-port0"
    there.touch()
    monkeypatch.setattr(settings, "_NAMES", (str(tmp_path / "none-*"), str(tmp_path / "usb-*")))
    start(tmp_path / "ttyUSB0")
    trouble = until_told(told, "expected the slip printer on ")
    assert trouble is not None
    assert trouble.remedy.endswith(f"check that this is its port (plugged in now: {there})")
    start(tmp_path / "nothing-*")
    assert until_told(told, "found nothing there. ")


@pytest.mark.parametrize("answers", [True, False], ids=["answers questions", "never answers"])
def test_a_printer_unplugged_while_nothing_is_printed_is_noticed(
    start: Start, told: queue.SimpleQueue[Diagnosis | None], *, answers: bool
) -> None:
    with FakePrinter(answers=answers) as fake:
        printer = start(fake.port)
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        fake.unplug()
        assert until_told(told, "plug it in")


def test_a_file_that_is_no_port_is_said(start: Start, told: queue.SimpleQueue[Diagnosis | None], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    start(tmp_path / "file")
    assert until_told(told, "Switch it on, plug it in, and check that this is its port")
    assert (tmp_path / "file").read_bytes() == b""


def test_a_port_that_another_program_holds_is_said(start: Start, told: queue.SimpleQueue[Diagnosis | None]) -> None:
    with FakePrinter() as fake, serial.Serial(fake.port, exclusive=True):
        start(fake.port)
        assert until_told(told, f"expected the slip printer on {fake.port}, found ")
