"""A slip printer at a real pseudo-terminal for the tests of this folder: a slip, how long is waited, and what is told of troubles."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hardware.printer.escpos  # noqa: F401 - loaded before anything is timed
from appliance.errors import Diagnosis
from hardware.printer.slip import Slip, SlipLine
from hardware.printer.spooler import PrinterTimeouts, SlipPrinter
from hardware.settings import SerialLine

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


@pytest.fixture
def told() -> queue.SimpleQueue[Diagnosis | None]:
    return queue.SimpleQueue()


@pytest.fixture
def start(told: queue.SimpleQueue[Diagnosis | None]) -> Iterator[Start]:
    begun: list[SlipPrinter] = []

    def begin(port: str | Path, timeouts: PrinterTimeouts = QUICK) -> SlipPrinter:
        begun.append(SlipPrinter(SerialLine(str(port)), timeouts, told.put))
        return begun[-1]

    yield begin
    assert all(printer.close(10) for printer in begun)


def until_told(told: queue.SimpleQueue[Diagnosis | None], words: str | None) -> Diagnosis | None:
    """Return the first trouble with these words in it; fails where none comes."""
    while True:
        trouble = told.get(timeout=20)
        if (trouble is None and words is None) or (words and trouble and words in str(trouble)):
            return trouble


def handed_over(printer: SlipPrinter, slip: Slip = SLIP) -> float:
    """Hand a slip over; return how many seconds that took."""
    before = time.perf_counter()
    printer.print_slip(slip)
    return time.perf_counter() - before


class Recorder:
    """A log that hands its lines over: what is printed is not to be read while another thread prints."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def warning(self, event: str, **_: object) -> None:
        self.lines.put(event)

    info = warning
