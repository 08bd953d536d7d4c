import os
import queue
import re
import select
import subprocess
import sys
import threading
import time
import tty
import unicodedata
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Self

import pytest
import serial
from hypothesis import given
from hypothesis import strategies as st

import hardware.printer.escpos
from appliance.errors import Diagnosis, PrinterError
from hardware import settings
from hardware.printer.escpos import encode
from hardware.printer.port import PrinterPort
from hardware.printer.slip import Slip, SlipLine
from hardware.printer.spooler import MAX_WAITING, PrinterTimeouts, SlipPrinter
from hardware.settings import SerialLine
from lexicon.alphabet import alphabets, load_alphabet
from tests.errors import with_fields
from tests.hardware.printer.emulator import FakePrinter, Paper

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
        begun.append(SlipPrinter(SerialLine(str(port)), timeouts, troubles.put))
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


LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz0123456789.,:;!?()[]'\"-/ÀÂÄÅÃÇÉÈÊËÍÎÏÑÓÔÖÕÚÛÜÆØßĄĆĘŁŃŚŹŻŐŰ"
LINES = st.builds(SlipLine, st.text(LATIN, max_size=48), st.booleans(), st.booleans(), st.booleans())


def printed(slip: Slip, profile: str = "default", *, cut: bool = True) -> Slip:
    paper = Paper()
    assert paper.feed(encode(slip, profile, cut=cut)) == b""
    assert paper.lines == []
    assert paper.cuts == (cut and profile != "simple")  # that profile has no cutter
    assert len(paper.slips) <= 1
    return paper.slips[0] if paper.slips else ()


def text(given: str, profile: str = "default") -> str:
    return printed((SlipLine(given),), profile)[0].text


@given(st.lists(LINES, max_size=12).map(tuple))
def test_what_is_printed_is_the_slip_every_line_with_its_style(slip: Slip) -> None:
    assert printed(slip) == slip


@pytest.mark.parametrize("name", alphabets())
def test_every_tile_of_every_shipped_alphabet_is_printed_as_it_is(name: str) -> None:
    tiles = " ".join(tile.text for tile in load_alphabet(name).tiles)
    assert text(tiles) == tiles


def test_letters_are_printed_as_the_nearest_that_a_printer_has() -> None:
    assert text(unicodedata.normalize("NFD", "PIÑATA CÔTÉ ŻÓŁĆ")) == "PIÑATA CÔTÉ ŻÓŁĆ"
    assert text("PIÑATA ŁÓDŹ CŒUR RØD À “ÇA” ŻÓŁĆ", "simple") == 'PIÑATA LODZ COEUR ROD A "ÇA" ZOLC'
    assert text("A\x1b@B\x10\x04\x01C\nD\u200bE") == "A?@B???C?D?E"
    assert printed((SlipLine("one"), SlipLine("two")), cut=False) == (SlipLine("one"), SlipLine("two"))


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("ǸẼ", "NE"),
        ("ẞ", "SS"),
        ("日", "?"),
        ("é\u0301", "é?"),
        ("5 \N{EN DASH} 6", "5 \N{EN DASH} 6"),
        ("\N{MULTIPLICATION SIGN}", "\N{MULTIPLICATION SIGN}"),
        ("270\u202f163\xa0:", "270 163 :"),
        ("Ω", "Ω"),
    ],
)
def test_a_letter_that_no_code_page_has_is_printed_as_the_nearest(given: str, found: str) -> None:
    assert text(given) == found


@given(st.text())
def test_no_text_gives_the_printer_a_command_or_a_line_of_its_own(anything: str) -> None:
    lines = printed((SlipLine(anything), SlipLine("end", bold=True)))
    assert len(lines) == 2
    assert lines[1] == SlipLine("end", bold=True)
    assert lines[0].text.isprintable()


def test_a_profile_without_a_page_that_is_known_here_is_refused_at_once() -> None:
    with pytest.raises(KeyError, match="AF-240"):
        encode((SlipLine("É"),), "AF-240")


MORE_THAN_FITS = b"x" * 1_000_000


@pytest.fixture
def fake() -> Iterator[FakePrinter]:
    with FakePrinter() as printer:
        yield printer


def port(fake: FakePrinter | FarEnd, write_s: float = 0.3, answer_s: float = 0.3) -> PrinterPort:
    """Open the port of a printer. One that answers gets all the time that a busy machine may take for it."""
    return PrinterPort(SerialLine(fake.port), write_s=write_s, answer_s=answer_s)


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
    with closing(PrinterPort(SerialLine(fake.port, flow=flow))) as line:  # type: ignore[arg-type] # the parameter is one of its names
        assert line.check()


def test_an_impossible_baud_rate_is_reported(fake: FakePrinter) -> None:
    with (
        closing(PrinterPort(SerialLine(fake.port, baud=-1))) as line,
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
    line = PrinterPort(SerialLine(os.ttyname(near)))
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


def test_closing_ends_the_trying_at_once(start: Start, troubles: Troubles, tmp_path: Path) -> None:
    printer = start(tmp_path / "none", PrinterTimeouts(slip_s=60.0, retry_s=30.0, check_s=600.0))
    printer.print_slip(SLIP)
    assert until_told(troubles, "No such file")
    assert printer.close(5)


def test_the_libraries_are_not_loaded_without_a_printer_and_leave_nothing_behind(tmp_path: Path) -> None:
    program = "import sys, hardware.printer.spooler; print({'escpos', 'serial', 'PIL', 'yaml'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip() == "set()"
    program = "import hardware.printer.escpos"
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_missing_delays_nobody_and_the_slip_comes_when_it_appears(start: Start, troubles: Troubles, tmp_path: Path) -> None:
    port = tmp_path / "ttyUSB0"
    printer = start(port)
    assert handed_over(printer) < AT_ONCE_S
    assert "No such file" in str(until_told(troubles, str(port)))
    with FakePrinter() as fake:
        port.symlink_to(fake.port)
        assert fake.slips(1) == [SLIP]
        assert until_told(troubles, None) is None
        assert printer.trouble is None


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


def test_a_printer_without_paper_is_reported_and_prints_once_there_is_a_roll(start: Start, troubles: Troubles) -> None:
    with FakePrinter(paper=False) as fake:
        printer = start(fake.port)
        assert handed_over(printer) < AT_ONCE_S
        assert until_told(troubles, "found none. Put in a roll and close the cover")
        assert fake.slips(1, within_s=0) == []
        fake.paper = True
        assert fake.slips(1) == [SLIP]
        assert until_told(troubles, None) is None


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
        assert took[50] < 0.002
        assert took[-1] < AT_ONCE_S
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
    assert logged.count("slip dropped") == 20
    assert "newer slips wait for the printer" in logged


def test_a_slip_that_came_too_late_is_not_printed_once_all_is_well(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_no_slip_is_kept_without_a_thread(troubles: Troubles, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    handed = threading.Event()
    encode = hardware.printer.escpos.encode

    def after_the_slips(slip: Slip, profile: str = "default", *, cut: bool = True) -> bytes:
        handed.wait(20)
        return encode(slip, profile, cut=cut)

    monkeypatch.setattr("hardware.printer.escpos.encode", after_the_slips)
    printer = SlipPrinter(SerialLine("/dev/none", profile="teleprinter"), QUICK, troubles.put)
    assert max(handed_over(printer) for _ in range(MAX_WAITING)) < AT_ONCE_S
    handed.set()
    assert until_told(troubles, "found the profile 'teleprinter'. Set printer.profile to default")
    printer._thread.join()
    assert len(printer._orders) == 0
    assert max(handed_over(printer) for _ in range(100)) < AT_ONCE_S
    assert len(printer._orders) == 0
    assert capsys.readouterr().out.count("slip dropped") == MAX_WAITING + 100
    assert printer.trouble
    assert printer.close()


def test_a_missing_library_is_reported_and_no_slip_is_kept(troubles: Troubles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hardware.printer.port", None)
    printer = SlipPrinter(SerialLine("/dev/none"), QUICK, troubles.put)
    assert until_told(troubles, "expected the libraries pyserial and python-escpos, found ")
    printer._thread.join()
    printer.print_slip(SLIP)
    assert len(printer._orders) == 0


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
    assert logged.count("slip dropped") == 1
    assert "QUIXOTRY" not in logged


def test_a_thread_that_ends_by_a_fault_of_a_library_says_so(troubles: Troubles, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(port: object) -> bool:
        raise RuntimeError("a library's own")

    monkeypatch.setattr("hardware.printer.port.PrinterPort.check", broken)
    printer = SlipPrinter(SerialLine("/dev/none"), QUICK, troubles.put)
    assert until_told(troubles, "found RuntimeError. Restart the program")
    printer._thread.join()
    printer.print_slip(SLIP)
    assert len(printer._orders) == 0
    assert printer.trouble
