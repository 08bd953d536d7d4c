"""A whole clock on a mock board, pressed by the lines of its standard input: ``python -m tests.firmware.shell.pressed_clock FOLDER``.

``down BUTTON`` and ``up BUTTON`` are answered once the clock has detected them and sleeps again; ``page open`` waits for a question. ``slow N`` makes its time pass N times slower from then on: between a press
and its fill there is then time for whatever a busy machine does first.
"""

import sys
import threading
import time
from pathlib import Path

from appliance.clocks import Clocks
from firmware.gestures.clock_state import ClockState
from firmware.settings import merge
from firmware.shell.assemble import assembled
from firmware.shell.loop import Loop
from hardware.boards.board import load_board
from rules.contact import Contact
from tools.mock_board import MockBoard


class SlowTime:
    """A monotonic clock whose pace can change. Instants in ns."""

    def __init__(self) -> None:
        self._at = self._since = time.monotonic_ns()
        self._pace = 1

    def now(self) -> int:
        return self._at + (time.monotonic_ns() - self._since) // self._pace

    def slow(self, times: int) -> None:
        self._at, self._since = self.now(), time.monotonic_ns()
        self._pace = times


def _press(loop: Loop, board: MockBoard, passing: SlowTime) -> None:
    asleep: list[ClockState] = []
    fall_asleep = loop._clock.asleep

    def sleep(now: int, wake: int | None) -> None:
        fall_asleep(now, wake)
        asleep[:] = [loop._clock.table]

    loop._clock.asleep = sleep  # type: ignore[method-assign]  # watched, and otherwise as it is
    for line in sys.stdin:
        what, which = line.split()
        if what == "slow":
            passing.slow(int(which))
        elif what == "page":
            while loop._clock.table.table_menu is None:
                time.sleep(0.002)
        else:
            down = what == "down"
            (board.down if down else board.up)(which, passing.now())
            while not asleep or asleep[-1].contacts.get(which, Contact()).pressed is not down:
                time.sleep(0.002)
        sys.stdout.write(line)
        sys.stdout.flush()


def main() -> None:
    """Be a clock whose journal is in the folder of the first argument, until killed."""
    folder, passing = Path(sys.argv[1]), SlowTime()
    board = MockBoard(load_board("full"))
    settings = merge([("test", {"journal.path": str(folder / "journal.db"), "board.pins": "mock", "screen.kind": "none"})]).settings
    with assembled(settings, Clocks(passing.now), board.factory, crash=folder) as loop:
        loop.begin()
        threading.Thread(target=_press, args=(loop, board, passing), daemon=True).start()
        loop.run()


if __name__ == "__main__":
    main()
