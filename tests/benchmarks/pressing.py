"""A real clock in a process of its own, pressed by a thread at random moments: ``python -m tests.benchmarks.pressing PRESSES JOURNAL HANDS [SOCKET]``.

HANDS ``short``: turns, stops, resumptions. ``fill``: turns, each ended while the opponent holds the own button and its fill grows on the screen.
Prints as JSON, for every press, the ns from the mock pin's edge to the return of the draw that shows it, under the driver that SDL finds (``SDL_VIDEODRIVER``),
and by how many ns the charges differ from the true ones. With SOCKET the clock serves a link of the hall there.

What the presses cost each player is plain arithmetic, which knows nothing of the clock's own code: it is what the clock is measured against.
"""

import json
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from msgspec import Struct

from appliance.clocks import Clocks
from appliance.program import Inbox
from firmware.face.value import Face
from firmware.screens.screen import Quit, Screen
from firmware.settings import BoardSettings, HallSettings, JournalSettings, ScreenSettings, Settings
from firmware.shell.assemble import assembled
from firmware.shell.clock import TableClock
from firmware.shell.loop import Input as LoopInput
from hardware.boards.board import load_board
from rules.side import Side
from tools.mock_board import MockBoard

MS = 1_000_000


class Move(Struct, frozen=True):
    """A button goes down at ``at`` and up again ``held`` later (ns); ``runs`` is the side that then runs, None after a stop."""

    at: int
    button: str
    held: int
    runs: str | None


def played(chance: random.Random, start: int, count: int) -> Iterator[Move]:
    """Yield presses at random instants after ``start`` (ns): turns, and stops with the bar that are resumed.

    Player buttons are more than 400 ms apart, or two presses would be a chord; every press lasts 50 to 90 ms.
    """
    turn, runs, begun = "right", False, False
    at = last_player = start
    for _ in range(count):
        at += chance.randrange(160 * MS, 420 * MS)
        held = chance.randrange(50 * MS, 90 * MS)
        if begun and (not runs or chance.randrange(2)):
            runs = not runs
            yield Move(at, "centre", held, turn if runs else None)
        else:
            at = last_player = max(at, last_player + 420 * MS)
            pressed, turn, runs, begun = turn, "left" if turn == "right" else "right", True, True
            yield Move(at, pressed, held, turn)


def charged(moves: Iterable[Move], until: int) -> dict[str, int]:
    """Return the ns that each side's clock has run by ``until``, from the true instants alone."""
    used = {"left": 0, "right": 0}
    runs, since = None, 0
    for move in moves:
        if runs is not None:
            used[runs] += move.at - since
        runs, since = move.runs, move.at
    if runs is not None:
        used[runs] += until - since
    return used


SETTLES_NS = 2_000_000_000
PATIENCE_NS = 20_000_000_000
"""A press without a picture by then is lost."""


class Picture(Struct, frozen=True):
    """When a picture stood (ns), the side that runs on it, and whether a fill is on it."""

    at: int
    runs: str | None
    filling: bool


class Watched:
    """A screen as it is, and its pictures."""

    def __init__(self, screen: Screen) -> None:
        self._draw = screen.draw
        self.pictures: list[Picture] = []
        screen.draw = self.draw  # type: ignore[method-assign]  # watched, and otherwise as it is

    def draw(self, face: Face) -> bool:
        changed = self._draw(face)
        if changed:
            runs = next((side.value for side, half in face.halves.items() if half.runs), None)
            self.pictures.append(Picture(time.monotonic_ns(), runs, bool(face.fills)))
        return changed


def press(board: MockBoard, watched: Watched, presses: int, moves: list[Move]) -> None:
    """Press at the real instants, each first edge stamped when it is made, and not before the last press is on the screen: a late one delays all after it."""
    late = 0
    for plan in played(random.Random(5), time.monotonic_ns() + SETTLES_NS, presses):  # noqa: S311 - it has to be the same again
        sleep_until(plan.at + late)
        at = time.monotonic_ns()
        late = at - plan.at
        board.down(plan.button, at)
        moves.append(Move(at, plan.button, plan.held, plan.runs))
        sleep_until(at + plan.held)
        # A finger that lets go late, on a busy machine, would have held the button.
        board.up(plan.button, at + plan.held)
        while time.monotonic_ns() < at + PATIENCE_NS:
            if any(picture.at > at and picture.runs == plan.runs for picture in watched.pictures[-20:]):
                break
            sleep_until(time.monotonic_ns() + MS)


def press_beside_fills(board: MockBoard, watched: Watched, presses: int, moves: list[Move]) -> None:
    """End turns while the opponent holds the own button: both are closed together too briefly to be a chord, by the stamps of the edges."""
    chance = random.Random(5)  # noqa: S311 - it has to be the same again
    sleep_until(time.monotonic_ns() + SETTLES_NS)
    runs, waits = "left", "right"
    board.down(waits)
    sleep_until(time.monotonic_ns() + 60 * MS)
    board.up(waits)
    for _ in range(presses):
        sleep_until(time.monotonic_ns() + 200 * MS)
        board.down(waits)
        while not watched.pictures[-1].filling:
            sleep_until(time.monotonic_ns() + MS)
        sleep_until(time.monotonic_ns() + chance.randrange(500 * MS))
        at = time.monotonic_ns()
        board.down(runs, at)
        moves.append(Move(at, runs, 50 * MS, waits))
        sleep_until(at + 50 * MS)
        board.up(runs, at + 50 * MS)
        board.up(waits)
        runs, waits = waits, runs


HANDS = {"short": press, "fill": press_beside_fills}


def work(pressing: Callable[[], None], watched: Watched, inbox: Inbox[LoopInput]) -> None:
    # A busy machine draws its first picture late.
    while not watched.pictures:
        sleep_until(time.monotonic_ns() + MS)
    pressing()
    sleep_until(time.monotonic_ns() + SETTLES_NS // 2)
    inbox.put(Quit())


def sleep_until(instant: int) -> None:
    time.sleep(max(0, instant - time.monotonic_ns()) / 1e9)


def delays(moves: list[Move], pictures: list[Picture]) -> list[int]:
    """Return for each press how long its first picture took."""
    rest = iter(pictures)
    return [next(picture.at for picture in rest if picture.at > move.at and picture.runs == move.runs) - move.at for move in moves]


def beside_fills(moves: list[Move], pictures: list[Picture]) -> int:
    return sum([picture.filling for picture in pictures if picture.at < move.at][-1] for move in moves)


def off_ns(clock: TableClock, moves: list[Move], until: int) -> int:
    """Return by how many ns the clock's charges differ from the true ones at ``until``, both sides added."""
    game, true = clock.table.game_at(until), charged(moves, until)
    return sum(abs(game.used_at(side, until) - true[side.value]) for side in Side)


def main(presses: int, journal: str, hands: str, hall: str = "") -> None:
    board = MockBoard(load_board("full"))
    settings = Settings(
        board=BoardSettings(pins="mock"),
        screen=ScreenSettings(fullscreen=False, width=1280, height=720),
        journal=JournalSettings(path=journal),
        hall=HallSettings(enabled=bool(hall), socket=hall, key=f"{journal}.pem"),
    )
    moves: list[Move] = []
    with assembled(settings, Clocks(), board.factory) as loop:
        watched = Watched(loop._screen)
        fingers = threading.Thread(target=work, args=(partial(HANDS[hands], board, watched, presses, moves), watched, loop.inbox))
        fingers.start()
        loop.run()
        fingers.join()
        wrong = off_ns(loop._clock, moves, moves[-1].at + SETTLES_NS // 4)
    found = {"delays": delays(moves, watched.pictures), "beside_fills": beside_fills(moves, watched.pictures), "off_ns": wrong}
    # After what the program logs.
    sys.stdout.write(f"\n{json.dumps(found)}\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
