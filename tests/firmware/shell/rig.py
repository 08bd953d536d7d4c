"""A whole table clock on a mock board, played by a script in time of its own.

The loop, the pins, the game, the journal and its writer are the real ones; only the clock on the wall of the test is not. The screen sleeps by moving that
clock on to whatever comes first: what the loop wants to wake for, or the script's next step.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest
from gpiozero import GPIOPinInUse

from appliance.clocks import Clocks
from appliance.program import NO_SUPERVISOR, Supervisor
from appliance.records.chain import ChainLink
from firmware.face.value import Face, FillFace
from firmware.journal.writer import Store, open_journal
from firmware.menu.actions import Menu
from firmware.menu.menu import page
from firmware.screens.screen import Quit, ScreenInput
from firmware.settings import DeskFile, merge
from firmware.shell import assemble
from firmware.shell.assemble import assembled
from firmware.shell.clock import TableClock
from firmware.shell.loop import Loop
from game.exact_json import decode
from game.script import show_line
from hardware.boards.board import load_board
from hardware.pins.mock import MockPins
from records.journal import GameStamp, Kind, Row, reading, row_of, rows_from
from rules.contact import Contact
from rules.duration import parse_seconds
from tests.firmware.gestures.trains import setup
from tests.firmware.saying import play
from tests.processes import until
from tests.wire.local.served import greet
from tools.mock_board import MockBoard
from wire.local.client import DeviceClient
from wire.reports import ClockReport

BEGAN: Final = 1_000_000_000_007
"""When the machine's clock stands as a script begins, in ns: on no tick of anything."""
PRESS_NS: Final = 120_000_000
LONG_NS: Final = 1_200_000_000
CALL_NS: Final = 2_200_000_000
PATIENCE_S: Final = 20.0
"""How long a thread of the clock may take for what it does at once."""


def ns(seconds: str) -> int:
    return parse_seconds(Decimal(seconds))


@dataclass
class Hand:
    """Time as the test has it, in ns of the machine's clock, and how often it was asked to wake."""

    now: int = BEGAN
    wall: Callable[[], str] = lambda: "2026-01-01T00:00:00.000+00:00"
    boot: str = "first boot"

    def clocks(self) -> Clocks:
        return Clocks(lambda: self.now, self.wall, lambda: self.boot)


class PowerCut(BaseException):
    """Nothing of the clock's own hears of it."""


def _cut() -> None:
    raise PowerCut


Step = tuple[int, Callable[[], object]]
"""What is done at an instant of the machine's clock (ns)."""


@dataclass
class ScriptedScreen:
    """A screen that sleeps in the script: the loop believes that it waited, and the test's clock says so."""

    hand: Hand
    steps: list[Step] = field(default_factory=list)
    faces: list[tuple[int, Face]] = field(default_factory=list)
    """Each new face, and the instant it was drawn."""
    asked: list[int | None] = field(default_factory=list)
    """What each turn of the loop wanted to sleep, in ms."""
    inputs: list[ScreenInput] = field(default_factory=list)
    blocks: bool = True
    drawn: int = 0
    closed: bool = False
    woken: threading.Event = field(default_factory=threading.Event)
    settled: Callable[[], bool] = lambda: True
    """Whether the journal's writer has written what it can: the script's time must not run away from it."""

    @property
    def face(self) -> Face:
        return self.faces[-1][1]

    def draw(self, face: Face) -> bool:
        if self.faces and face == self.face:
            return False
        self.faces.append((self.hand.now, face))
        self.drawn += 1
        return True

    def warm(self, fills: Iterable[FillFace]) -> None:
        pass

    def poll(self) -> list[ScreenInput]:
        pressed, self.inputs = self.inputs, []
        return pressed

    def wait(self, timeout_ms: int | None) -> None:
        self.asked.append(timeout_ms)
        self.settle()
        until = None if timeout_ms is None else self.hand.now + timeout_ms * 1_000_000
        # As a real screen: asleep until something is pressed on it or it is woken. A lost wake-up is slept over.
        while self.steps and not (self.woken.is_set() or self.inputs):
            at, do = self.steps[0]
            if until is not None and until < at:
                self.hand.now = until
                return
            self.hand.now = max(self.hand.now, at)
            self.steps.pop(0)
            do()
        self.woken.clear()

    def settle(self) -> None:
        limit = time.monotonic() + PATIENCE_S
        while not self.settled():
            assert time.monotonic() < limit
            time.sleep(0.0005)

    def wake(self) -> None:
        self.woken.set()

    def close(self) -> None:
        self.closed = True


@dataclass
class Rig:
    """The clock with the fingers on it. Instants are decimal strings of seconds since ``BEGAN``."""

    path: Path
    loop: Loop
    screen: ScriptedScreen
    board: MockBoard
    hand: Hand
    origin: int
    looked: dict[str, str] = field(default_factory=dict)
    """What ``show_line`` said at the instants that were looked at."""

    @property
    def clock(self) -> TableClock:
        return self.loop._clock

    def at(self, seconds: str) -> int:
        return self.origin + ns(seconds)

    def press(self, seconds: str, *buttons: str, held: int = PRESS_NS) -> list[Step]:
        down = self.at(seconds)
        return [
            *((down, lambda button=button: self.board.down(button, down)) for button in buttons),
            *((down + held, lambda button=button: self.board.up(button, down + held)) for button in buttons),
        ]

    def presses(self, seconds: str, *buttons: str) -> list[Step]:
        return [step for place, button in enumerate(buttons) for step in self.press(str(Decimal(seconds) + place * Decimal("0.5")), button)]

    def turn(self, seconds: str, button: str, *, on: bool) -> list[Step]:
        at = self.at(seconds)
        return [(at, lambda: (self.board.down if on else self.board.up)(button, at))]

    def look(self, seconds: str) -> list[Step]:
        def do() -> None:
            self.clock.tick(self.at(seconds))
            table = self.clock.table
            self.looked[seconds] = show_line(table.game_at(self.at(seconds)), table.instant(self.at(seconds)), seconds)

        return [(self.at(seconds), do)]

    def play(self, *steps: Iterable[Step], until: str, cut: bool = False) -> None:
        every = [step for each in steps for step in each]
        leave = (self.at(until), _cut if cut else lambda: self.loop.inbox.put(Quit()))
        self.screen.steps = [*sorted(every, key=lambda step: step[0]), leave]
        with suppress(PowerCut):
            self.loop.run()
        self.screen.settle()

    def face(self, seconds: str) -> Face:
        return [face for drawn, face in self.screen.faces if drawn <= self.at(seconds)][-1]

    def notices(self, *instants: str) -> list[tuple[str, ...]]:
        return [self.face(seconds).notices for seconds in instants]

    def notes(self) -> list[dict[str, Any]]:
        return notes_in(self.path)

    def used(self) -> tuple[int, int]:
        """Return the ns that both sides have used, left first."""
        game = self.clock.table.game_at(self.hand.now)
        return game.used.left, game.used.right


@contextmanager
def rig(
    folder: Path, hand: Hand | None = None, stuck: Iterable[str] = (), *, supervisor: Supervisor = NO_SUPERVISOR, **settings: Any
) -> Iterator[Rig]:
    """Give a clock whose journal is in ``folder``; ``settings`` are dotted keys with ``__`` for the dot."""
    hand, path = hand or Hand(), folder / "journal.db"
    screen = ScriptedScreen(hand)
    chosen = {"journal.path": str(path), "board.pins": "mock", **{key.replace("__", "."): value for key, value in settings.items()}}
    merged = merge([("test", chosen)]).settings
    board = MockBoard(load_board(merged.board.file))
    for button in stuck:
        board.down(button, hand.now)
    factory = board.factory if merged.board.pins == "mock" else None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assemble, "open_screen", lambda _: screen)
        with assemble.assembled(merged, hand.clocks(), factory, supervisor=supervisor) as loop:
            screen.settled = lambda: _settled(loop)
            yield Rig(path, loop, screen, board, hand, hand.now)


@contextmanager
def held(name: str) -> Iterator[None]:
    give = MockPins.pin

    def pin(factory: MockPins, wanted: str, **more: Any) -> Any:
        if wanted == name:
            raise GPIOPinInUse("device or resource busy")
        return give(factory, wanted, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MockPins, "pin", pin)
        yield


def _settled(loop: Loop) -> bool:
    writer = loop._clock._recorder.writer
    return not (writer._batches or writer._stamp) or writer.trouble is not None or not writer._thread.is_alive()


def row_of_menu(action: str, *lines: str) -> tuple[str, ...]:
    """Return the buttons that take that action on the menu's first page, from where the cursor begins, after a script of ``lines``."""
    history, texts = play("naspa-2017", *lines).history, setup().texts
    shown = page(Menu(), history, setup(), history.at)
    rows = [option.text for option in shown.options]
    return (*["down"] * ((rows.index(texts.say(f"menu.action.{action}")) - shown.cursor) % len(rows)), "ok")


def measured(path: Path) -> Path:
    """Make a journal at ``path`` in which it is known how long a commit takes: of a new one's first commit nothing is known yet."""
    store = Store(open_journal(path).path)
    for _ in range(2):
        store.append((row_of(Kind.BOOT, 0, GameStamp(0, 0, "an earlier boot", ""), {}),), None)
    store.close()
    return path


def rows_in(path: Path) -> tuple[ChainLink[Row], ...]:
    with reading(path, refused=True) as connection:
        return tuple(rows_from(connection, 1))


def notes_in(path: Path) -> list[dict[str, Any]]:
    return [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.NOTE]


ADJUST_RIGHT_A_MINUTE = ("ok", "right", "down", "ok")
"""The director's way through the menu: give time, RIGHT, one row down to +1:00."""
LOOKS = ("2", "20", "50.000000001", "70", "100", "119", "134", "189.5", "217", "246", "251", "280", "292", "305", "311", "333", "345")
LEFT_USED = ns("38.25") - ns("5.000000001") + ns("118") - ns("95.125000003") + ns("190.5") - ns("140")
RIGHT_USED = ns("95.125000003") - ns("38.25") + ns("215") - ns("190.5") + ns("290.7") - ns("262")
UNTIL = "350"


def whole_game(rig: Rig) -> list[Step]:
    """Return the steps of a whole tournament game by buttons alone, on a full board under NASPA 2017; what it comes to is in the constants."""
    moves = (
        rig.press("5.000000001", "right"),  # left has seen a tile
        rig.press("38.25", "left"),
        rig.press("61.5", "left", held=LONG_NS),  # right calls hold, left records it
        rig.press("79.75", "left", held=LONG_NS),  # released
        rig.press("95.125000003", "right"),
        rig.press("118", "centre"),
        rig.turn("120", "key", on=True),
        rig.presses("121.5", *ADJUST_RIGHT_A_MINUTE),
        rig.turn("130", "key", on=False),
        rig.press("140", "right"),
        rig.press("190.5", "left"),
        rig.press("215", "centre", held=CALL_NS),  # right challenges
        rig.press("247", "left"),  # unacceptable
        rig.press("249", "centre", held=LONG_NS),
        rig.press("262", "left"),
        rig.press("290.7", "centre"),
        rig.press("293", "right", held=LONG_NS),
        rig.press("295.5", "right"),  # the out play, from the stop
        rig.press("331.5", "centre", held=LONG_NS),  # once the game may be left
        rig.press("334", "left", held=LONG_NS),
        rig.press("336", "centre"),  # the recount minute
    )
    looks = (step for seconds in LOOKS for step in rig.look(seconds))
    return sorted([*(step for move in moves for step in move), *looks], key=lambda step: step[0])


@dataclass
class LiveClock:
    folder: Path
    loop: Loop
    board: MockBoard
    client: DeviceClient
    heard: list[dict[str, Any]] = field(default_factory=list)

    @property
    def journal(self) -> Path:
        return self.folder / "journal.db"

    def press(self, button: str, held: int = PRESS_NS) -> None:
        at = time.monotonic_ns()
        self.board.press(button, at, held)
        until(lambda: not self.loop._clock.table.contacts.get(button, Contact()).down, "the press")

    def value(self, name: str) -> Any:
        self.heard += self.client.read()
        return next((each["value"] for each in reversed(self.heard) if each["t"] == "set" and each["name"] == name), None)

    def state(self, phase: str, running: str | None) -> ClockReport:
        def stands() -> bool:
            state = self.value("state")
            return state is not None and (state["phase"], state["running"]) == (phase, running)

        until(stands, f"{phase} {running}")
        return ClockReport.model_validate(self.value("state"))


@contextmanager
def live(folder: Path, desk: DeskFile | None = None, supervisor: Supervisor = NO_SUPERVISOR, **settings: Any) -> Iterator[LiveClock]:
    board = MockBoard(load_board("full"))
    chosen = {
        "journal.path": str(folder / "journal.db"), "board.pins": "mock", "screen.kind": "none", "hall.enabled": True, "hall.table": 12,
        "hall.socket": str(folder / "hall.sock"), "hall.key": str(folder / "device.pem"), "hall.name": "Red case",
        **{key.replace("__", "."): value for key, value in settings.items()},
    }  # fmt: skip
    client = DeviceClient(folder / "hall.sock")
    with assembled(merge([("test", chosen)]).settings, Clocks(), board.factory, supervisor=supervisor, desk=desk) as loop:
        loop.begin()
        thread = threading.Thread(target=loop.run)
        thread.start()
        try:
            greet(client)
            yield LiveClock(folder, loop, board, client)
        finally:
            loop.inbox.put(Quit())
            thread.join()
            client.close()
