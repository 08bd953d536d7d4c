"""A slip printer that is there and does not print: out of paper, switched off, holding the line."""

from __future__ import annotations

import queue
import time

from appliance.errors import Diagnosis
from hardware.printer.slip import SlipLine
from tests.hardware.printer.emulator import FakePrinter
from tests.hardware.printer.printing import AT_ONCE_S, HASTY, SLIP, UNATTENDED, Start, handed_over, until_told


def test_a_printer_that_is_out_of_paper_is_said_and_prints_once_there_is_a_roll(
    start: Start, told: queue.SimpleQueue[Diagnosis | None]
) -> None:
    with FakePrinter(paper=False) as fake:
        printer = start(fake.port)
        assert handed_over(printer) < AT_ONCE_S
        assert until_told(told, "found none. Put in a roll and close the cover")
        assert fake.slips(1, within_s=0) == []
        fake.paper = True
        assert fake.slips(1) == [SLIP]
        assert until_told(told, None) is None


def test_a_printer_is_asked_for_paper_before_each_slip_however_long_it_was_not_looked_after(
    start: Start, told: queue.SimpleQueue[Diagnosis | None]
) -> None:
    with FakePrinter() as fake:
        printer = start(fake.port, UNATTENDED)
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        fake.paper = False
        printer.print_slip(SLIP[1:])
        assert until_told(told, "found none. Put in a roll and close the cover")
        fake.paper = True
        assert fake.slips(2) == [SLIP, SLIP[1:]]
        assert until_told(told, None) is None


def test_a_printer_that_answered_and_is_silent_now_is_taken_to_be_off(start: Start, told: queue.SimpleQueue[Diagnosis | None]) -> None:
    with FakePrinter() as fake:
        printer = start(fake.port)
        printer.print_slip(SLIP)
        assert fake.slips(1) == [SLIP]
        fake.answers = False
        assert until_told(told, "as before, found none in 3 s. Switch it on")
        fake.answers = True
        assert until_told(told, None) is None
        assert printer.trouble is None


def test_a_printer_that_holds_the_line_delays_nobody_and_the_thread_still_ends(
    start: Start, told: queue.SimpleQueue[Diagnosis | None]
) -> None:
    full = (SlipLine("X" * 40),) * 4_000  # more than the terminal's buffer takes
    with FakePrinter(reads=False) as fake:
        printer = start(fake.port, HASTY)
        assert handed_over(printer, full) < AT_ONCE_S
        assert until_told(told, "it accepted nothing for 0.3 s")
        took = sorted(handed_over(printer) for _ in range(100))
        assert took[50] < 0.002
        assert took[-1] < AT_ONCE_S
        before = time.perf_counter()
        assert printer.close(10)
        assert time.perf_counter() - before < 5
