"""The kernel's simulated chip, and the finger on its lines: runs inside the emulated machine.

A line is pulled by writing to a file of gpio-sim; the kernel makes an edge of it as it does of a real contact.
"""

import json
import os
import sys
import time
from pathlib import Path
from typing import Final, TypeAlias

LABEL: Final = "tileclock-sim"
LINES: Final = 28
"""As many as a Pi's header has."""
_CONFIG: Final = Path("/sys/kernel/config/gpio-sim/tileclock")

Pull: TypeAlias = tuple[int, bool, int, int]
"""Line, whether it was pulled down, and CLOCK_MONOTONIC in ns before and after."""


def make_chip() -> None:
    """Have the kernel make the chip, if it is not there: beside another one, so that a number would be a guess."""
    if _CONFIG.exists():
        return
    for bank, label in (("bank0", "another-chip"), ("bank1", LABEL)):
        folder = _CONFIG / bank
        folder.mkdir(parents=True)
        (folder / "num_lines").write_text(str(LINES))
        (folder / "label").write_text(label)
    (_CONFIG / "live").write_text("1")


def chip_number() -> int:
    return int((_CONFIG / "bank1" / "chip_name").read_text().strip().removeprefix("gpiochip"))


class Finger:
    """Pulls lines, and remembers when."""

    def __init__(self) -> None:
        # Hardly held up by what the processor is busy with. Not SCHED_FIFO: the interrupts' threads come first.
        os.nice(-20)
        device = (_CONFIG / "dev_name").read_text().strip()
        chip = (_CONFIG / "bank1" / "chip_name").read_text().strip()
        self._folder = Path("/sys/devices/platform") / device / chip
        self._files: dict[int, int] = {}
        self.pulls: list[Pull] = []

    def pull(self, line: int, *, down: bool) -> None:
        if line not in self._files:
            self._files[line] = os.open(self._folder / f"sim_gpio{line}" / "pull", os.O_WRONLY)
        word = b"pull-down" if down else b"pull-up"
        before = time.monotonic_ns()
        os.pwrite(self._files[line], word, 0)
        self.pulls.append((line, down, before, time.monotonic_ns()))

    def value(self, line: int) -> bool:
        """Return whether a line is high: of one that the clock drives, whether it is on."""
        return (self._folder / f"sim_gpio{line}" / "value").read_text().strip() == "1"

    def toggle(self, line: int, times: int) -> None:
        """Pull a line down and up as fast as it goes, beginning with down; what it ends with is the last of ``times``."""
        for number in range(times):
            self.pull(line, down=number % 2 == 0)


if __name__ == "__main__":
    flooding = Finger()
    flooding.toggle(int(sys.argv[1]), int(sys.argv[2]))
    print(json.dumps(flooding.pulls))  # noqa: T201 - the answer
