"""The slip printer at a real pseudo-terminal: what it prints, and how it ends."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest

from appliance.errors import Diagnosis
from hardware.printer.slip import SlipLine
from hardware.printer.spooler import MAX_WAITING, PrinterTimeouts
from tests.hardware.printer.emulator import FakePrinter
from tests.hardware.printer.printing import SLIP, UNATTENDED, Start, until_told


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


def test_closing_ends_the_trying_at_once(start: Start, told: queue.SimpleQueue[Diagnosis | None], tmp_path: Path) -> None:
    printer = start(tmp_path / "none", PrinterTimeouts(slip_s=60.0, retry_s=30.0, check_s=600.0))
    printer.print_slip(SLIP)
    assert until_told(told, "No such file")
    assert printer.close(5)


def test_closing_twice_does_no_harm(start: Start) -> None:
    with FakePrinter() as fake:
        printer = start(fake.port)
        assert printer.close(10)
        assert printer.close(10)


def test_a_program_that_has_no_printer_does_not_load_the_libraries() -> None:
    program = "import sys, hardware.printer.spooler; print({'escpos', 'serial', 'PIL', 'yaml'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip() == "set()"


def test_loading_the_library_leaves_nothing_behind(tmp_path: Path) -> None:
    program = "import hardware.printer.escpos"
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert list(tmp_path.iterdir()) == []
