"""Whole games in a real window, by xdotool: every time frame and every other act of the players, by gestures and the table menu alone, no director."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from firmware.journal.recovery import recover
from game.event_table import format_event
from game.journal.row import JournalError
from game.record import Fate, Record
from rules.rulebooks import load_rulebook
from tests.appliance.display.xserver import is_drawn, x_server
from tests.firmware.shell.processes import running
from tests.firmware.shell.rig import PATIENCE_S
from tests.processes import until

LEFT, RIGHT, BAR, BOTH = "a", "l", "space", "a l"
CALL_S, SECOND_STAGE_S = 1.1, 2.2
"""Little more than a fill takes: a busy machine reads the release late, and the next stage must not be full by then."""
MAY_BE_LEFT_S = 20
MINUTE_NS = 60_000_000_000
REGULATION_NS = 25 * MINUTE_NS
STOPPED: Final = (
    # The rows' places on the page of time frames and behind it, who decides, and what the journal has then.
    ((3,), LEFT, ["window overdraw_decision left"]),
    ((4,), RIGHT, ["window tiles_returned right"]),
    ((5,), LEFT, ["window tile_decision left"]),
    ((0, 1), None, ["press left", "window missed_press 5"]),
    ((1,), None, ["resume right", "window return_to_table"]),
    ((2,), None, ["resume right", "window mixing"]),
)


@pytest.fixture
def display(tmp_path: Path) -> Iterator[str]:
    """Yield the name of a display of its own."""
    with x_server(tmp_path) as name:
        yield name


class Hands:
    """Keyboard and pointer of a display, moved by one process: a new one for each release may come too late on a busy machine."""

    def __init__(self, display: str) -> None:
        environment = {**os.environ, "DISPLAY": display}
        self._process = subprocess.Popen(
            ["xdotool", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1, env=environment
        )

    def move(self, *words: str) -> None:
        """Do what these words of xdotool say; the display has it when this returns."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # The display answers in order.
        self._process.stdin.write(f"{' '.join(words)} getmouselocation\n")
        assert self._process.stdout.readline()

    def end(self) -> None:
        """End the process."""
        self._process.communicate(timeout=PATIENCE_S)


@pytest.fixture
def hands(display: str) -> Iterator[Hands]:
    """Yield the hands of both players."""
    found = Hands(display)
    yield found
    found.end()


class Table:
    """Two players at the keyboard of the window of a program, and what stands in the journal."""

    def __init__(self, display: str, hands: Hands, process: subprocess.Popen[str], journal: Path, bar: str = BAR) -> None:
        self._display = display
        self._hands = hands
        self._status = Path(f"/proc/{process.pid}/status")
        self._bar = bar
        self._journal = journal
        self._known: list[str] = []

    def sits_down(self) -> None:
        """Wait for the window, and move the pointer into it, which gives it the keyboard."""
        until(lambda: is_drawn(self._display))
        self._hands.move("mousemove", "512", "300")

    def press(self, *keys: str, seconds: float = 0.4) -> None:
        """Press keys one after the other, each for so long; several keys in one string are pressed together."""
        for together in map(str.split, keys):
            self._move("keydown", together)
            time.sleep(seconds)
            self._move("keyup", together)
            # Longer than what still belongs to one chord.
            time.sleep(0.3)

    def _move(self, way: str, keys: list[str]) -> None:
        """Press or release keys, and wait until the program sleeps again.

        SDL stamps a key when the program reads it. If a busy machine reads both edges of a press at once, it counts as a bounce.
        """
        before = self._sleeps()
        self._hands.move(*(word for key in keys for word in (way, key)))
        until(lambda: self._sleeps() > before, way)

    def _sleeps(self) -> int:
        """Return how often the thread of the window has slept."""
        return int(self._status.read_text(encoding="ascii").partition("\nvoluntary_ctxt_switches:")[2].split()[0])

    def take(self, *rows: int) -> None:
        """Open the table menu and take the row at each of these places; below 0, counted from the end."""
        self.press(self._bar, seconds=CALL_S)
        for down in rows:
            self.press(*[RIGHT if down > 0 else LEFT] * abs(down), self._bar)

    def comes(self, *events: str) -> None:
        """Wait until exactly these events have come since the last call."""
        until(lambda: self._events()[len(self._known) :] == list(events))
        self._known = self._events()

    def _record(self) -> Record | None:
        try:
            recovered = recover(self._journal, load_rulebook)
        except JournalError:
            return None
        return None if recovered is None else recovered.record

    def _left_ns(self) -> int | None:
        record = self._record()
        return None if record is None else record.game.allowed.left

    def _events(self) -> list[str]:
        """Return the events that stand, each with its name, side and how long ago it began."""
        bodies = [format_event(link.event) for link in self._record() or () if link.fate is Fate.VALID]
        return [" ".join(str(body[key]) for key in ("do", "name", "side", "ago") if key in body) for body in reversed(bodies)]

    def begins_anew(self, left_ns: int = REGULATION_NS) -> None:
        """Wait until the next game is set up, with so much time for the left player."""
        until(lambda: self._events() == ["new_game"] and self._left_ns() == left_ns)
        self._known = self._events()

    def loses(self, *events: str) -> None:
        """Wait until the last of the events known so far is struck, and these have come."""
        until(lambda: self._events() == [*self._known[:-1], *events])
        self._known = self._events()


@pytest.mark.waits(95)
def test_a_game_with_every_time_frame_of_the_players_is_played_by_gestures_and_rows(display: str, hands: Hands, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with running("demo", "--rulebook", "naspa-2017", "--journal", str(journal), DISPLAY=display) as process:
        table = Table(display, hands, process, journal)
        table.comes("new_game")
        table.sits_down()
        # Before the game.
        table.take(1, 0, 1)
        table.comes("window late_start 60")
        table.take(1, 1)
        table.comes("window between_rounds")
        # Left's turn; right, waiting, records the hold.
        table.press(RIGHT)
        table.comes("press right")
        table.press(RIGHT, seconds=CALL_S)
        table.comes("hold")
        running_clock = True
        for places, decides, events in STOPPED:
            # The stop has no reason yet, so that row is the chosen one.
            table.take(1, *places)
            if decides is not None:
                table.press(decides)
            table.comes(*(["neutralise"] if running_clock else []), *events)
            running_clock = decides is None
        # Right, on turn, plays out; left accepts.
        table.take(2)
        table.press(RIGHT)
        table.comes("neutralise", "out_play")
        table.press(LEFT, seconds=CALL_S)
        table.comes("release")
        table.take(2, 1)
        table.comes("window disconnected")
        table.take(1)
        table.comes("window recount")
        # An out play has ended the game: for 20 s the next one does not begin.
        time.sleep(MAY_BE_LEFT_S)
        table.press(BAR, seconds=SECOND_STAGE_S)
        table.begins_anew()
        process.terminate()
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors


@pytest.mark.waits(60)
def test_two_players_with_two_buttons_challenge_take_back_end_the_game_and_set_up_the_next(
    display: str, hands: Hands, tmp_path: Path
) -> None:
    journal = tmp_path / "journal.db"
    played = ("demo", "--rulebook", "naspa-2017-collins-5", "--board", "two-button", "--journal", str(journal))
    with running(*played, DISPLAY=display) as process:
        table = Table(display, hands, process, journal, BOTH)
        table.comes("new_game")
        table.sits_down()
        table.press(RIGHT)
        table.comes("press right")
        table.press(LEFT)
        table.comes("press left")
        # Right challenges, and the play is unacceptable: the second verdict on offer.
        table.press(BOTH, seconds=SECOND_STAGE_S)
        table.comes("challenge")
        table.press(BOTH, BOTH)
        table.press(BOTH, seconds=CALL_S)
        table.comes("verdict")
        # By the menu; the clock takes right for the challenger, but it is left. Three words were acceptable.
        table.press(LEFT)
        table.comes("press left")
        table.take(-1)
        table.comes("neutralise", "challenge")
        table.press(LEFT, seconds=CALL_S)
        table.comes("challenge left")
        table.take(0, 2)
        table.comes("verdict")
        # What the players note in a stop: an infraction, and the minute that both agree on.
        table.take(4)
        table.press(LEFT)
        table.comes("infraction left")
        table.take(5)
        table.press(RIGHT)
        table.press(BOTH, seconds=CALL_S)
        table.comes("adjust right")
        # A press, taken back by both.
        table.press(BOTH)
        table.comes("resume left")
        table.take(3)
        table.press(BOTH, seconds=CALL_S)
        table.loses("undo")
        table.take(-3, 1)
        table.comes("end")
        time.sleep(MAY_BE_LEFT_S)
        table.press(BOTH, seconds=SECOND_STAGE_S)
        table.begins_anew()
        # Thirty minutes for left, for medical reasons.
        table.take(0)
        table.press(LEFT)
        table.press(*[RIGHT] * 5, BOTH)
        table.press(BOTH, seconds=CALL_S)
        table.begins_anew(30 * MINUTE_NS)
        table.press(RIGHT)
        table.comes("press right")
        process.terminate()
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors
