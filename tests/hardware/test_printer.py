"""The slip printer at a real pseudo-terminal: what it prints, and all the ways in which a printer is not there."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

import hardware.escpos_bytes  # here, so that it is loaded before anything is timed
from hardware import line
from hardware.line import SerialLine
from hardware.printer import MOST_WAITING, Patience, SlipPrinter
from hardware.printer_fake import FakePrinter
from hardware.slip import Slip, SlipLine

QUICK = Patience(slip_s=20.0, again_s=0.05, look_s=0.1, write_s=0.3, answer_s=0.3)
UNATTENDED = Patience(slip_s=20.0, again_s=0.05, look_s=600.0, write_s=0.3, answer_s=0.3)
HASTY = Patience(slip_s=0.2, again_s=0.05, look_s=0.1, write_s=0.3, answer_s=0.3)
AT_ONCE_S = 0.04
"""A busy machine's own delay: whatever waits for a printer waits longer, 0.05 s at the least."""
SLIP: Slip = (
    SlipLine("CHALLENGE SLIP", large=True, bold=True, centred=True),
    SlipLine("Table 12"),
    SlipLine("1. PIÑATA  2. ŁÓDŹ  3. CŒUR"),
    SlipLine("UNACCEPTABLE", bold=True),
)

Start = Callable[..., SlipPrinter]


@pytest.fixture
def told() -> queue.SimpleQueue[str | None]:
    return queue.SimpleQueue()


@pytest.fixture
def start(told: queue.SimpleQueue[str | None]) -> Iterator[Start]:
    begun: list[SlipPrinter] = []

    def begin(port: str | Path, patience: Patience = QUICK) -> SlipPrinter:
        begun.append(SlipPrinter(SerialLine(str(port)), patience, told.put))
        return begun[-1]

    yield begin
    assert all(printer.close(10) for printer in begun)


def until_told(told: queue.SimpleQueue[str | None], words: str | None) -> str | None:
    """Return the first trouble with these words in it; fails where none comes."""
    while True:
        trouble = told.get(timeout=20)
        if trouble == words or (words and trouble and words in trouble):
            return trouble


def handed_over(printer: SlipPrinter, slip: Slip = SLIP) -> float:
    """Hand a slip over; return how many seconds that took."""
    before = time.perf_counter()
    printer.print_slip(slip)
    return time.perf_counter() - before


@pytest.mark.parametrize("answers", [True, False], ids=["answers questions", "never answers"])
def test_a_slip_comes_out_line_by_line_with_its_styles(start: Start, *, answers: bool) -> None:
    with FakePrinter(answers=answers) as fake:
        printer = start(fake.port)
        printer.print_slip(SLIP)
        printer.print_slip(SLIP[:2])
        assert fake.slips(2) == [SLIP, SLIP[:2]]
        assert printer.trouble is None


def test_a_slip_handed_over_just_before_the_end_is_printed_whole(start: Start) -> None:
    with FakePrinter() as fake:
        printer = start(fake.port)
        printer.print_slip(SLIP)
        assert printer.close(10)
        assert fake.slips(1) == [SLIP]
        printer.print_slip(SLIP)
        assert fake.slips(2, within_s=0) == [SLIP]


def test_a_port_that_is_not_there_delays_nobody_and_the_slip_comes_when_it_appears(
    start: Start, told: queue.SimpleQueue[str | None], tmp_path: Path
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
    start: Start, told: queue.SimpleQueue[str | None], tmp_path: Path
) -> None:
    port = tmp_path / "ttyUSB0"
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        printer = start(port)
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        fake.unplug()
        assert handed_over(printer, SLIP[1:]) < AT_ONCE_S
        assert str(until_told(told, "plug it in")).startswith(f"expected the slip printer on {port}, found: ")
        port.unlink()
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        assert fake.slips(1) == [SLIP[1:]]


def test_a_printer_that_comes_back_under_another_name_is_found_by_what_it_is(
    start: Start, told: queue.SimpleQueue[str | None], tmp_path: Path
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
    start: Start, told: queue.SimpleQueue[str | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "usb-Slip_Printer-if00-port0"
    there.touch()
    monkeypatch.setattr(line, "_NAMES", (str(tmp_path / "none-*"), str(tmp_path / "usb-*")))
    start(tmp_path / "ttyUSB0")
    trouble = until_told(told, "expected the slip printer on ")
    assert trouble is not None
    assert trouble.endswith(f"see that the port is its own (plugged in now: {there})")
    start(tmp_path / "nothing-*")
    assert until_told(told, "found: nothing there; ")


@pytest.mark.parametrize("answers", [True, False], ids=["answers questions", "never answers"])
def test_a_printer_unplugged_while_nothing_is_printed_is_noticed(
    start: Start, told: queue.SimpleQueue[str | None], *, answers: bool
) -> None:
    with FakePrinter(answers=answers) as fake:
        printer = start(fake.port)
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        fake.unplug()
        assert until_told(told, "plug it in")


def test_a_printer_that_is_out_of_paper_is_said_and_prints_once_there_is_a_roll(start: Start, told: queue.SimpleQueue[str | None]) -> None:
    with FakePrinter(paper=False) as fake:
        printer = start(fake.port)
        assert handed_over(printer) < AT_ONCE_S
        assert until_told(told, "found none; put in a roll and close the cover")
        assert fake.slips(1, within_s=0) == []
        fake.paper = True
        assert fake.slips(1) == [SLIP]
        assert until_told(told, None) is None


def test_a_printer_is_asked_for_paper_before_each_slip_however_long_it_was_not_looked_after(
    start: Start, told: queue.SimpleQueue[str | None]
) -> None:
    with FakePrinter() as fake:
        printer = start(fake.port, UNATTENDED)
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        fake.paper = False
        printer.print_slip(SLIP[1:])
        assert until_told(told, "found none; put in a roll and close the cover")
        fake.paper = True
        assert fake.slips(2) == [SLIP, SLIP[1:]]
        assert until_told(told, None) is None


def test_a_printer_that_answered_and_is_silent_now_is_taken_to_be_off(start: Start, told: queue.SimpleQueue[str | None]) -> None:
    with FakePrinter() as fake:
        printer = start(fake.port)
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        fake.answers = False
        assert until_told(told, "as before, found none in 0.3 s; switch it on")
        fake.answers = True
        assert until_told(told, None) is None
        assert printer.trouble is None


def test_a_printer_that_holds_the_line_delays_nobody_and_the_thread_still_ends(start: Start, told: queue.SimpleQueue[str | None]) -> None:
    full = (SlipLine("X" * 40),) * 4_000  # more than the terminal's buffer takes
    with FakePrinter(reads=False) as fake:
        printer = start(fake.port, HASTY)
        assert handed_over(printer, full) < AT_ONCE_S
        assert until_told(told, "it took nothing more for 0.3 s")
        took = sorted(handed_over(printer) for _ in range(100))
        assert took[50] < 0.002
        assert took[-1] < AT_ONCE_S
        before = time.perf_counter()
        assert printer.close(10)
        assert time.perf_counter() - before < 5


def test_slips_that_no_printer_takes_are_dropped_one_by_one_with_a_line_in_the_log(
    start: Start, told: queue.SimpleQueue[str | None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printer = start(tmp_path / "none", HASTY)
    for _ in range(20):
        assert handed_over(printer) < AT_ONCE_S
        assert len(printer._orders) <= MOST_WAITING
    assert until_told(told, "No such file")
    assert printer.close(10)
    logged = capsys.readouterr().out
    assert logged.count("slip dropped") == 20
    assert "slips that came after it wait for the printer" in logged


class Recorder:
    """A log that hands its lines over: what is printed is not to be read while another thread prints."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def warning(self, event: str, **_: object) -> None:
        self.lines.put(event)

    info = warning


def test_a_slip_that_came_too_late_is_not_printed_when_the_printer_is_back(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Recorder()
    monkeypatch.setattr("hardware.printer.log", lambda: log)
    port = tmp_path / "ttyUSB0"
    printer = start(port, HASTY)
    printer.print_slip(SLIP)
    while log.lines.get(timeout=20) != "slip dropped":
        pass
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        printer.print_slip(SLIP[1:])
        assert fake.slips(1) == [SLIP[1:]]


def test_a_file_that_is_no_port_is_said(start: Start, told: queue.SimpleQueue[str | None], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    start(tmp_path / "file")
    assert until_told(told, "switch it on, plug it in, and see that the port is its own")
    assert (tmp_path / "file").read_bytes() == b""


def test_a_port_that_another_program_holds_is_said(start: Start, told: queue.SimpleQueue[str | None]) -> None:
    with FakePrinter() as fake, serial.Serial(fake.port, exclusive=True):
        start(fake.port)
        assert until_told(told, f"expected the slip printer on {fake.port}, found: ")


def test_nothing_is_kept_where_there_is_nobody_to_print_it(
    told: queue.SimpleQueue[str | None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    handed = threading.Event()
    encode = hardware.escpos_bytes.encode

    def after_the_slips(slip: Slip, profile: str = "default", *, cut: bool = True) -> bytes:
        handed.wait(20)
        return encode(slip, profile, cut=cut)

    monkeypatch.setattr("hardware.escpos_bytes.encode", after_the_slips)
    printer = SlipPrinter(SerialLine("/dev/none", profile="teleprinter"), QUICK, told.put)
    assert max(handed_over(printer) for _ in range(MOST_WAITING)) < AT_ONCE_S
    handed.set()
    assert until_told(told, "found the profile 'teleprinter'; set it to default")
    printer._thread.join()
    assert len(printer._orders) == 0
    assert max(handed_over(printer) for _ in range(100)) < AT_ONCE_S
    assert len(printer._orders) == 0
    assert capsys.readouterr().out.count("slip dropped") == MOST_WAITING + 100
    assert printer.trouble
    assert printer.close()


def test_where_a_library_is_missing_that_is_said_and_nothing_is_kept(
    told: queue.SimpleQueue[str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "hardware.printer_port", None)
    printer = SlipPrinter(SerialLine("/dev/none"), QUICK, told.put)
    assert until_told(told, "expected the libraries pyserial and python-escpos, found: ")
    printer._thread.join()
    printer.print_slip(SLIP)
    assert len(printer._orders) == 0


def test_a_slip_that_cannot_be_made_into_bytes_is_said_without_its_words_and_the_next_is_printed(
    start: Start, told: queue.SimpleQueue[str | None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    encode = hardware.escpos_bytes.encode

    def broken(slip: Slip, profile: str = "default", *, cut: bool = True) -> bytes:
        if len(slip) == 1:
            raise IndexError(slip[0].text)
        return encode(slip, profile, cut=cut)

    monkeypatch.setattr("hardware.escpos_bytes.encode", broken)
    with FakePrinter() as fake:
        printer = start(fake.port)
        printer.print_slip((SlipLine("QUIXOTRY"),))
        assert until_told(told, "found IndexError; see that the printer's profile is its own")
        # Looked after, the printer itself is well: that does not make the slip come out.
        fake.paper = False
        assert until_told(told, "put in a roll")
        fake.paper = True
        assert until_told(told, "found IndexError")
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        assert until_told(told, None) is None
        fake.paper = False
        assert until_told(told, "put in a roll")
        fake.paper = True
        assert told.get(timeout=20) is None
    logged = capsys.readouterr().out
    assert logged.count("slip dropped") == 1
    assert "QUIXOTRY" not in logged


def test_a_thread_that_ends_by_a_fault_of_a_library_says_so(told: queue.SimpleQueue[str | None], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(port: object) -> bool:
        raise RuntimeError("a library's own")

    monkeypatch.setattr("hardware.printer_port.PrinterPort.check", broken)
    printer = SlipPrinter(SerialLine("/dev/none"), QUICK, told.put)
    assert until_told(told, "found RuntimeError; start the program anew")
    printer._thread.join()
    printer.print_slip(SLIP)
    assert len(printer._orders) == 0
    assert printer.trouble


def test_of_slips_that_wait_the_oldest_give_way(start: Start) -> None:
    slips = [(SlipLine(f"slip {number}"),) for number in range(MOST_WAITING + 2)]
    with FakePrinter() as fake:
        printer = start(fake.port)
        with printer._wake:  # its thread takes none meanwhile
            for slip in slips:
                printer.print_slip(slip)
        assert fake.slips(MOST_WAITING) == slips[2:]


class Watched(SlipLine):
    """A line that can be told to be gone."""


def test_a_slip_is_gone_from_memory_once_it_is_printed(start: Start) -> None:
    gone = threading.Event()
    with FakePrinter() as fake:
        printer = start(fake.port, UNATTENDED)
        line = Watched("QUIXOTRY")
        weakref.finalize(line, gone.set)
        printer.print_slip((line,))
        del line
        assert len(fake.slips(1)) == 1
        assert gone.wait(10)


def test_a_slip_is_not_tried_again_beyond_its_own_time(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Recorder()
    monkeypatch.setattr("hardware.printer.log", lambda: log)
    printer = start(tmp_path / "none", Patience(slip_s=0.3, again_s=20.0, look_s=600.0))
    printer.print_slip(SLIP)
    # Not after the next try: there is none that would not come too late.
    assert [log.lines.get(timeout=5) for _ in range(2)] == ["slip printer", "slip dropped"]


def test_closing_ends_the_trying_at_once(start: Start, told: queue.SimpleQueue[str | None], tmp_path: Path) -> None:
    printer = start(tmp_path / "none", Patience(slip_s=60.0, again_s=30.0, look_s=600.0))
    printer.print_slip(SLIP)
    assert until_told(told, "No such file")
    assert printer.close(5)


def test_closing_twice_does_no_harm(start: Start) -> None:
    with FakePrinter() as fake:
        printer = start(fake.port)
        assert printer.close(10)
        assert printer.close(10)


def test_a_program_that_has_no_printer_does_not_load_the_libraries() -> None:
    program = "import sys, hardware.printer; print({'escpos', 'serial', 'PIL', 'yaml'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip() == "set()"


def test_loading_the_library_leaves_nothing_behind(tmp_path: Path) -> None:
    program = "import hardware.escpos_bytes"
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []
