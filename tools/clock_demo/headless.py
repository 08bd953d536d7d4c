"""The headless demo: a scripted tournament game on a mock board runs through the live clock's code, and leaves pictures and a transcript.

Time is the script's, in seconds from the start; a press lasts 80 ms. Each instant is passed in as the kernel would. Pins, gestures, game, journal
and drawing are the real ones. The rules are NASPA 2017 with short clocks, so that regulation, overtime, holds, a challenge, a director's change
and the out play take only minutes of game time.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from decimal import Decimal
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Final

from msgspec import Struct

from appliance.clocks import Clocks
from firmware.gestures.clock_state import ClockState
from firmware.journal.writer import JournalRecorder, JournalWriter, open_journal
from firmware.menu.setup import Setup
from firmware.screens.layout import Arrangement
from firmware.shell.clock import TableClock
from firmware.shell.notices import Notices
from game.events import NewGame
from game.history import begin
from hardware.boards.board import load_board
from hardware.buttons.board_pins import ButtonPins, Edge
from rules.duration import NS, parse_seconds
from rules.side import BySide
from tools.demo_folder import DemoFolder
from tools.mock_board import MockBoard

PRESS_NS: Final = 80_000_000
CHORD_NS: Final = 200_000_000
"""Both buttons together are the bar after 100 ms."""
CALL_NS: Final = 1_200_000_000
"""A press that calls something: a second, and the time to see it."""
CHALLENGE_NS: Final = 2_200_000_000


class Move(Struct, frozen=True):
    """An action at the table, at an instant in ns."""

    at: int
    buttons: tuple[str, ...]
    held: int
    description: str
    """A bystander's description; empty for a part of another action."""


class Look(Struct, frozen=True):
    """A picture, at an instant in ns."""

    at: int
    name: str


def _press(t: str, button: str, description: str = "", held: int = PRESS_NS) -> Move:
    return Move(parse_seconds(Decimal(t)), (button,), held, description)


def _both(t: str, description: str) -> Move:
    return Move(parse_seconds(Decimal(t)), ("left", "right"), CHORD_NS, description)


def _look(t: str, name: str) -> Look:
    return Look(parse_seconds(Decimal(t)), name)


MOVES: Final = (
    _press("5", "right", "Left has seen a tile: right starts left's clock"),
    _press("38.25", "left", "Left ends the turn"),
    _press("61.5", "left", "Right calls hold; left, on hold, holds the own button for a second", CALL_NS),
    _press("79.75", "left", "Right releases the hold; left holds the own button again", CALL_NS),
    _press("95.125", "right", "Right ends the turn"),
    _both("118", "Both buttons: a score discrepancy, the clock stops"),
    _press("140", "right", "Resolved: right starts left's clock"),
    _press("190.5", "left", "Left ends the turn, in overtime"),
    _press("215", "centre", "Right challenges: the bar held for two seconds", CHALLENGE_NS),
    _press("247", "right", "The station says unacceptable: an own button offers that,"),
    _press("249", "centre", "the bar held takes the verdict", CALL_NS),
    _press("262", "left", "The play is off: left starts right's clock"),
    _press("290", "centre", "Right has played out and stops the clock"),
    _press("293", "right", "Right holds the own button for a second: did right play out?", CALL_NS),
    _press("296", "right", "Right: the out play, from the stop"),
    _press("330", "centre", "Scores agreed: the bar held opens the menu", CALL_NS),
    _press("333", "left", "Up to the recount minute", CALL_NS),
    _press("335", "centre", "and the bar takes it"),
)

LOOKS: Final = (
    _look("2", "ready"),
    _look("20", "turn"),
    _look("70", "hold"),
    _look("125", "stopped"),
    _look("188", "overtime"),
    _look("230", "challenge"),
    _look("252", "verdict"),
    _look("300", "out-play"),
    _look("320", "over"),
    _look("340", "recount"),
)
ALLOWED: Final[BySide[int | None]] = BySide(80 * NS, 130 * NS)
"""Each side's allowance in ns."""


def edges(move: Move) -> Iterator[tuple[str, int, bool]]:
    """Yield the contact edges (button, instant in ns, down) of a move; two buttons go down 60 ms apart, as by hand."""
    for index, button in enumerate(move.buttons):
        yield button, move.at + index * 60_000_000, True
    for button in move.buttons:
        yield button, move.at + move.held + 60_000_000 * (len(move.buttons) - 1), False


SIZE = (1024, 600)


def play(folder: Path, setup: Setup, say: Callable[[str], None], looks: Iterable[Look] = LOOKS) -> None:
    """Play the scripted game; write pictures, ``transcript.txt`` and ``journal.db`` to ``folder``.

    Args:
        folder: the output folder; created if missing.
        setup: the table's setup.
        say: takes each line of the transcript.
        looks: the pictures, also while a button is held.

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

        def look(at: int, name: str) -> None:
            clock.tick(at)
            screen.draw(clock.face(at))
            output.picture(f"{at // 1_000_000_000:03d}-{name}", screen.snapshot)

        def touch(button: str, at: int, *, down: bool) -> None:
            (mock.down if down else mock.up)(button, at)
            for edge in pending:
                clock.edge(edge.button, edge.at, down=edge.down)
            pending.clear()

        acts = [(each.at, partial(look, each.at, each.name)) for each in looks]
        for move in MOVES:
            acts += [(at, partial(touch, button, at, down=down)) for button, at, down in edges(move)]
            said = move.at + move.held + 100_000_000
            acts.append((said, partial(_say, output, clock, said, move)))
        for _, act in sorted(acts, key=itemgetter(0)):
            act()
    output.write_transcript()


def _writer(journal: Path) -> JournalWriter:
    open_journal(journal)
    # A second run in the same folder adds the next game to its journal.
    return JournalWriter(journal, lambda _: None, games_seen=False)


def _clock(setup: Setup, writer: JournalWriter) -> TableClock:
    named, rulebook = setup.rulebooks[0]
    state = ClockState(begin(NewGame(rulebook, named, ALLOWED), 0), setup)
    return TableClock(state, JournalRecorder(writer, Clocks(), 0, None), Notices(), 0)


def _say(output: DemoFolder, clock: TableClock, now: int, move: Move) -> None:
    output.add(_line(clock, now, move))


def _line(clock: TableClock, now: int, move: Move) -> str:
    clock.tick(now)
    face = clock.face(now)
    minutes, seconds = divmod(move.at // 1_000_000_000, 60)
    readings = " · ".join(f"{side.value} {half.reading}{' runs' if half.runs else ''}" for side, half in face.halves.items())
    window = f" · {face.window.title} {face.window.reading}" if face.window is not None else ""
    return f"{minutes}:{seconds:02d}  {move.description:62}  {face.phase.value:12}  {readings}{window}"
