"""A real clock in a process of its own, pressed by a thread at random moments: ``python -m tests.benchmarks.pressing PRESSES JOURNAL``.

Prints as JSON, for every press, the ns from the mock pin's edge to the return of the draw that shows it, under the driver that SDL finds (``SDL_VIDEODRIVER``).
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time

from appliance.clocks import Clocks
from appliance.inbox import Inbox
from firmware.face.value import Face
from firmware.screens.keys import Input, Quit
from firmware.screens.screen import Screen
from firmware.settings.model import BoardSettings, JournalSettings, ScreenSettings, Settings
from firmware.shell.assemble import assembled
from firmware.shell.loop import Input as LoopInput
from firmware.shell.loop import Loop
from hardware.boards.board import load_board
from hardware.pins.mock import MockBoard
from tests.benchmarks.fingers import Move, played

SETTLES_NS = 2_000_000_000


class Watched:
    """A screen as it is, and when each of its pictures stood: the instant, and the side that runs on it."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self.pictures: list[tuple[int, str | None]] = []

    @property
    def drawn(self) -> int:
        return self._screen.drawn

    @property
    def blocks(self) -> bool:
        return self._screen.blocks

    def draw(self, face: Face) -> bool:
        changed = self._screen.draw(face)
        if changed:
            runs = next((side.value for side, half in face.halves.items() if half.runs), None)
            self.pictures.append((time.monotonic_ns(), runs))
        return changed

    def warm(self) -> None:
        self._screen.warm()

    def poll(self) -> list[Input]:
        return self._screen.poll()

    def wait(self, timeout_ms: int | None) -> None:
        self._screen.wait(timeout_ms)

    def wake(self) -> None:
        self._screen.wake()

    def close(self) -> None:
        self._screen.close()


def press(board: MockBoard, inbox: Inbox[LoopInput], presses: int, moves: list[Move]) -> None:
    """Press at the real instants, each edge stamped when it is made; then quit."""
    for plan in played(random.Random(5), time.monotonic_ns() + SETTLES_NS, presses):  # noqa: S311 - it has to be the same again
        sleep_until(plan.at)
        at = time.monotonic_ns()
        board.down(plan.button, at)
        moves.append(Move(at, plan.button, plan.held, plan.runs))
        sleep_until(at + plan.held)
        board.up(plan.button)
    sleep_until(time.monotonic_ns() + SETTLES_NS // 2)
    inbox.put(Quit())


def sleep_until(instant: int) -> None:
    time.sleep(max(0, instant - time.monotonic_ns()) / 1e9)


def delays(moves: list[Move], pictures: list[tuple[int, str | None]]) -> list[int]:
    """Return for each press how long its first picture took.

    Raises:
        StopIteration: a press was never shown.
    """
    rest = iter(pictures)
    return [next(at for at, runs in rest if at > move.at and runs == move.runs) - move.at for move in moves]


def main(presses: int, journal: str) -> None:
    board = MockBoard(load_board("full"))
    settings = Settings(
        board=BoardSettings(pins="mock"),
        screen=ScreenSettings(fullscreen=False, width=1280, height=720),
        journal=JournalSettings(path=journal),
    )
    moves: list[Move] = []
    with assembled(settings, Clocks(), board.factory) as loop:
        watched = Watched(loop._screen)
        loop = Loop(loop._clock, watched, loop._pins, loop.inbox, loop._clocks)  # noqa: PLW2901 - the same loop, watched
        fingers = threading.Thread(target=press, args=(board, loop.inbox, presses, moves))
        fingers.start()
        loop.run()
        fingers.join()
    json.dump(delays(moves, watched.pictures), sys.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
