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

import hardware.printer.escpos
from appliance.errors import Diagnosis
from hardware import settings
from hardware.printer.slip import Slip, SlipLine
from hardware.printer.spooler import MAX_WAITING, PrinterTimeouts, SlipPrinter
from hardware.settings import PrinterSettings
from tests.hardware.printer.emulator import FakePrinter

pytestmark = pytest.mark.waits(13)

QUICK = PrinterTimeouts(slip_s=20.0, retry_s=0.05, check_s=0.1, write_s=0.3, answer_s=3.0)
UNATTENDED = PrinterTimeouts(slip_s=20.0, retry_s=0.05, check_s=600.0, write_s=0.3, answer_s=3.0)
HASTY = PrinterTimeouts(slip_s=0.2, retry_s=0.05, check_s=0.1, write_s=0.3, answer_s=0.3)
AT_ONCE_S = 0.04
"""A busy machine's own delay: whatever waits for a printer waits longer, 0.05 s at the least."""

SLIP: Slip = (
    SlipLine("CHALLENGE SLIP", large=True, bold=True, centred=True),
    SlipLine("Table 12"),
    SlipLine("1. PIÑATA  2. ŁÓDŹ  3. CŒUR"),
    SlipLine("UNACCEPTABLE", bold=True),
)

Start = Callable[..., SlipPrinter]
Troubles = queue.SimpleQueue[Diagnosis | None]


@pytest.fixture
def troubles() -> Troubles:
    return queue.SimpleQueue()


@pytest.fixture
def start(troubles: Troubles) -> Iterator[Start]:
    begun: list[SlipPrinter] = []

    def begin(port: str | Path, timeouts: PrinterTimeouts = QUICK) -> SlipPrinter:
        begun.append(SlipPrinter(PrinterSettings(str(port)), timeouts, troubles.put))
        return begun[-1]

    yield begin
    assert all(printer.close(10) for printer in begun)


def until_told(troubles: Troubles, words: str | None) -> Diagnosis | None:
    while True:
        trouble = troubles.get(timeout=20)
        if (trouble is None and words is None) or (words and trouble and words in str(trouble)):
            return trouble


def handed_over(printer: SlipPrinter, slip: Slip = SLIP) -> float:
    before = time.perf_counter()
    printer.print_slip(slip)
    return time.perf_counter() - before


def printing(printer: SlipPrinter, fake: FakePrinter) -> SlipPrinter:
    printer.print_slip(SLIP)
    assert fake.slips(1) == [SLIP]
    return printer


class Recorder:
    """A log that hands its lines over: what is printed is not to be read while another thread prints."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def warning(self, event: str, **_: object) -> None:
        self.lines.put(event)

    info = warning


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


def test_of_slips_that_wait_the_oldest_give_way(start: Start) -> None:
    slips = [(SlipLine(f"slip {number}"),) for number in range(MAX_WAITING + 2)]
    with FakePrinter() as fake:
        printer = start(fake.port)
        with printer._wake:  # its thread takes none meanwhile
            for slip in slips:
                printer.print_slip(slip)
        assert fake.slips(MAX_WAITING) == slips[2:]


class Watched(SlipLine, frozen=True, weakref=True):
    """A line that a weak reference can watch."""


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


def test_the_libraries_are_not_loaded_without_a_printer_and_leave_nothing_behind(tmp_path: Path) -> None:
    program = "import sys, hardware.printer.spooler; print({'escpos', 'serial', 'PIL', 'yaml'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip() == "set()"
    program = "import hardware.printer.escpos"
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []


def test_a_printer_unplugged_in_the_middle_is_reported_and_prints_when_it_is_back(start: Start, troubles: Troubles, tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        printer = printing(start(port), fake)
        fake.unplug()
        assert handed_over(printer, SLIP[1:]) < AT_ONCE_S
        assert str(until_told(troubles, "plug it in")).startswith(f"expected the slip printer on {port}, found ")
        port.unlink()
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        assert fake.slips(1) == [SLIP[1:]]


def test_a_printer_that_comes_back_under_another_name_is_found_by_what_it_is(start: Start, troubles: Troubles, tmp_path: Path) -> None:
    first, then = tmp_path / "usb-Slip_Printer-if00-port0", tmp_path / "usb-Slip_Printer_2-if00-port0"
    (tmp_path / "usb-Another_Thing-if00-port0").write_text("no port")
    with FakePrinter() as fake:
        first.symlink_to(fake.port)
        printer = printing(start(tmp_path / "*Slip_Printer*"), fake)
    first.unlink()
    until_told(troubles, "expected the slip printer on ")
    printer.print_slip(SLIP)
    with FakePrinter() as again:
        then.symlink_to(again.port)
        assert again.slips(1) == [SLIP]
        until_told(troubles, None)


def test_a_missing_port_is_told_with_the_others(start: Start, troubles: Troubles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = tmp_path / "usb-Slip_Printer-if00-port0"
    there.touch()
    monkeypatch.setattr(settings, "_NAMES", (str(tmp_path / "none-*"), str(tmp_path / "usb-*")))
    start(tmp_path / "ttyUSB0")
    trouble = until_told(troubles, "expected the slip printer on ")
    assert trouble is not None
    assert trouble.remedy.endswith(f"check that this is its port (plugged in now: {there})")
    start(tmp_path / "nothing-*")
    assert until_told(troubles, "found nothing there. ")


@pytest.mark.parametrize("answers", [True, False], ids=["answers questions", "never answers"])
def test_a_printer_unplugged_while_nothing_is_printed_is_noticed(start: Start, troubles: Troubles, *, answers: bool) -> None:
    with FakePrinter(answers=answers) as fake:
        printing(start(fake.port), fake)
        fake.unplug()
        assert until_told(troubles, "plug it in")


def test_a_file_that_is_no_port_and_a_port_in_use_are_reported(start: Start, troubles: Troubles, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    start(tmp_path / "file")
    assert until_told(troubles, "Switch it on, plug it in, and check that this is its port")
    assert (tmp_path / "file").read_bytes() == b""
    with FakePrinter() as fake, serial.Serial(fake.port, exclusive=True):
        start(fake.port)
        assert until_told(troubles, f"expected the slip printer on {fake.port}, found ")


def test_a_printer_is_asked_for_paper_before_each_slip_however_long_it_was_not_looked_after(start: Start, troubles: Troubles) -> None:
    with FakePrinter() as fake:
        printer = printing(start(fake.port, UNATTENDED), fake)
        fake.paper = False
        printer.print_slip(SLIP[1:])
        assert until_told(troubles, "found none. Put in a roll and close the cover")
        fake.paper = True
        assert fake.slips(2) == [SLIP, SLIP[1:]]
        assert until_told(troubles, None) is None


def test_a_printer_that_answered_and_is_silent_now_is_taken_to_be_off(start: Start, troubles: Troubles) -> None:
    with FakePrinter() as fake:
        printer = printing(start(fake.port), fake)
        fake.answers = False
        assert until_told(troubles, "as before, found none in 3 s. Switch it on")
        fake.answers = True
        assert until_told(troubles, None) is None
        assert printer.trouble is None


def test_a_printer_that_holds_the_line_delays_nobody_and_the_thread_still_ends(start: Start, troubles: Troubles) -> None:
    full = (SlipLine("X" * 40),) * 4_000  # more than the terminal's buffer takes
    with FakePrinter(reads=False) as fake:
        printer = start(fake.port, HASTY)
        assert handed_over(printer, full) < AT_ONCE_S
        assert until_told(troubles, "it accepted nothing for 0.3 s")
        took = sorted(handed_over(printer) for _ in range(100))
        assert took[50] < AT_ONCE_S
        # What waits for the line waits as long as it accepts nothing; a busy processor alone holds one up for less.
        assert took[-1] < HASTY.write_s
        before = time.perf_counter()
        assert printer.close(10)
        assert time.perf_counter() - before < 5


def test_slips_that_no_printer_takes_are_dropped_one_by_one_with_a_line_in_the_log(
    start: Start, troubles: Troubles, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printer = start(tmp_path / "none", HASTY)
    for _ in range(20):
        assert handed_over(printer) < AT_ONCE_S
        assert len(printer._orders) <= MAX_WAITING
    assert until_told(troubles, "No such file")
    assert printer.close(10)
    logged = capsys.readouterr().out
    assert logged.count("a slip was dropped") == 20
    assert "newer slips wait for the printer" in logged


def test_a_slip_that_came_too_late_is_not_printed_once_all_is_well(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Recorder()
    monkeypatch.setattr("hardware.printer.spooler.get_logger", lambda: log)
    port = tmp_path / "ttyUSB0"
    printer = start(port, HASTY)
    printer.print_slip(SLIP)
    while log.lines.get(timeout=20) != "a slip was dropped":
        pass
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        printer.print_slip(SLIP[1:])
        assert fake.slips(1) == [SLIP[1:]]


def test_a_slip_is_not_tried_again_beyond_its_own_time(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Recorder()
    for module in ("driver", "printer.spooler"):
        monkeypatch.setattr(f"hardware.{module}.get_logger", lambda: log)
    printer = start(tmp_path / "none", PrinterTimeouts(slip_s=0.3, retry_s=20.0, check_s=600.0))
    printer.print_slip(SLIP)
    # Not after the next try: there is none that would not come too late.
    assert [log.lines.get(timeout=5) for _ in range(2)] == ["the slip printer does not work", "a slip was dropped"]


def test_no_slip_is_kept_without_a_thread(troubles: Troubles, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    handed = threading.Event()
    encode = hardware.printer.escpos.encode

    def after_the_slips(slip: Slip, profile: str = "default", *, cut: bool = True) -> bytes:
        handed.wait(20)
        return encode(slip, profile, cut=cut)

    monkeypatch.setattr("hardware.printer.escpos.encode", after_the_slips)
    printer = SlipPrinter(PrinterSettings("/dev/none", profile="teleprinter"), QUICK, troubles.put)
    assert max(handed_over(printer) for _ in range(MAX_WAITING)) < AT_ONCE_S
    handed.set()
    assert until_told(troubles, "found the profile 'teleprinter'. Set printer.profile to default")
    printer._thread.join()
    assert len(printer._orders) == 0
    assert max(handed_over(printer) for _ in range(100)) < AT_ONCE_S
    assert len(printer._orders) == 0
    assert capsys.readouterr().out.count("a slip was dropped") == MAX_WAITING + 100
    assert printer.trouble
    assert printer.close()


def test_a_slip_that_cannot_be_encoded_is_reported_without_its_words_and_the_next_is_printed(
    start: Start, troubles: Troubles, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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
        assert until_told(troubles, "found IndexError. Check the printer's profile in the settings")
        # Looked after, the printer itself is well: that does not make the slip come out.
        fake.paper = False
        assert until_told(troubles, "Put in a roll")
        fake.paper = True
        assert until_told(troubles, "found IndexError")
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        assert until_told(troubles, None) is None
        fake.paper = False
        assert until_told(troubles, "Put in a roll")
        fake.paper = True
        assert troubles.get(timeout=20) is None
    logged = capsys.readouterr().out
    assert logged.count("a slip was dropped") == 1
    assert "QUIXOTRY" not in logged


def broken(port: object) -> bool:
    raise RuntimeError("a library's own")


@pytest.mark.parametrize(
    ("patch", "told"),
    [
        (
            lambda patch: patch.setitem(sys.modules, "hardware.printer.port", None),
            "expected the libraries pyserial and python-escpos, found ",
        ),
        (lambda patch: patch.setattr("hardware.printer.port.PrinterPort.check", broken), "found RuntimeError. Restart the program"),
    ],
    ids=["no library", "a library's fault"],
)
def test_a_thread_that_has_ended_says_why_and_keeps_no_slip(
    troubles: Troubles, monkeypatch: pytest.MonkeyPatch, patch: Callable[[pytest.MonkeyPatch], None], told: str
) -> None:
    patch(monkeypatch)
    printer = SlipPrinter(PrinterSettings("/dev/none"), QUICK, troubles.put)
    assert until_told(troubles, told)
    printer._thread.join()
    printer.print_slip(SLIP)
    assert len(printer._orders) == 0
    assert printer.trouble
