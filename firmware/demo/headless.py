"""The headless demo: a scripted game on a mock board runs through the live clock's code, and leaves pictures and a transcript.

Time is the script's: each instant is passed in as the kernel would. Pins, gestures, game, journal and drawing are the real ones.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from appliance.clocks import Clocks
from appliance.demo import DemoFolder
from firmware.demo.script import ALLOWED, Move, edges, steps
from firmware.gestures.clock_state import ClockState
from firmware.journal.opening import open_journal
from firmware.journal.writer import JournalWriter
from firmware.menu.setup import Setup
from firmware.screens.layout import Arrangement
from firmware.shell.clock import TableClock
from firmware.shell.notices import Notices
from firmware.shell.recorder import JournalRecorder
from game.events import NewGame
from game.record import begin
from hardware.boards.board import load_board
from hardware.buttons.edge import Edge
from hardware.buttons.reader import ButtonPins
from hardware.pins.mock import MockBoard
from rules.rulebooks import DEFAULT_RULEBOOK, load_rulebook

SIZE = (1024, 600)


def play(folder: Path, setup: Setup, say: Callable[[str], None]) -> None:
    """Play the scripted game; write pictures, ``transcript.txt`` and ``journal.db`` to ``folder``.

    Args:
        folder: the output folder; created if missing.
        setup: the table's setup.
        say: takes each line of the transcript.

    Raises:
        DemoError: the folder cannot be created or written to.
    """
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    from firmware.screens.window import WindowScreen  # noqa: PLC0415 - reads SDL_VIDEODRIVER when it is opened

    output = DemoFolder(folder, say)
    with ExitStack() as stack:
        mock = stack.enter_context(closing(MockBoard(load_board("full"))))
        pending: list[Edge] = []
        stack.enter_context(closing(ButtonPins(mock.board, mock.factory, pending.append)))
        screen = stack.enter_context(closing(WindowScreen(SIZE, Arrangement.FACING, "Tileclock")))
        clock = _clock(setup, stack.enter_context(closing(_writer(folder / "journal.db"))))
        for step in steps():
            if isinstance(step, Move):
                _make(step, mock, pending, clock)
                output.add(_line(clock, step.at + step.held + 100_000_000, step))
            else:
                clock.tick(step.at)
                screen.draw(clock.face(step.at))
                output.picture(f"{step.at // 1_000_000_000:03d}-{step.name}", screen.snapshot)
    output.write_transcript()


def _writer(journal: Path) -> JournalWriter:
    open_journal(journal)
    # A second run in the same folder adds the next game to its journal.
    return JournalWriter(journal, lambda _: None, games_seen=False)


def _clock(setup: Setup, writer: JournalWriter) -> TableClock:
    event = NewGame(load_rulebook(DEFAULT_RULEBOOK), DEFAULT_RULEBOOK, ALLOWED)
    table = ClockState(begin(event, 0), setup)
    return TableClock(table, JournalRecorder(writer, Clocks(), 0, None), Notices(setup.texts), 0)


def _make(move: Move, mock: MockBoard, pending: list[Edge], clock: TableClock) -> None:
    for button, at, down in edges(move):
        (mock.down if down else mock.up)(button, at)
    for edge in pending:
        clock.edge(edge.button, edge.at, down=edge.down)
    pending.clear()


def _line(clock: TableClock, now: int, move: Move) -> str:
    clock.tick(now)
    face = clock.face(now)
    minutes, seconds = divmod(move.at // 1_000_000_000, 60)
    readings = " · ".join(f"{side.value} {half.reading}{' runs' if half.runs else ''}" for side, half in face.halves.items())
    window = f" · {face.window.title} {face.window.reading}" if face.window is not None else ""
    return f"{minutes}:{seconds:02d}  {move.description:62}  {face.phase.value:12}  {readings}{window}"
