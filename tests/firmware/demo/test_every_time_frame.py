"""A whole game in a real window with every time frame of the players in it, by xdotool: gestures and the table menu alone, no director."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from firmware.core.event_json import format_event
from firmware.core.record import Fate
from firmware.journal.errors import JournalError
from firmware.journal.recovery import recover
from rules.rulebooks import load_rulebook
from tests.appliance.display.xserver import x_server
from tests.firmware.shell.processes import running
from tests.firmware.shell.rig import PATIENCE_S
from tests.processes import until

LEFT, RIGHT, BAR = "a", "l", "space"
CALL_S, NEXT_GAME_S = "1.4", "2.6"
STOPPED: Final = (
    # The row's place on the page of time frames, who decides, and what the journal has then.
    (3, LEFT, ["window overdraw_decision left"]),
    (4, RIGHT, ["window tiles_returned right"]),
    (5, LEFT, ["window tile_decision left"]),
    (0, None, ["press left", "window missed_press"]),
    (1, None, ["resume right", "window return_to_table"]),
    (2, None, ["resume right", "window mixing"]),
)


@pytest.fixture
def display(tmp_path: Path) -> Iterator[str]:
    """Yield the name of a display of its own."""
    with x_server(tmp_path) as name:
        yield name


class Table:
    """Two players at the keyboard of the window, and what stands in the journal."""

    def __init__(self, display: str, journal: Path) -> None:
        self._display = display
        self._journal = journal
        self._known: list[str] = []

    def press(self, *keys: str, seconds: str = "0.12") -> None:
        """Press keys one after the other, each for so long."""
        words = [word for key in keys for word in ("keydown", key, "sleep", seconds, "keyup", key, "sleep", "0.15")]
        subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": self._display}, check=True, timeout=PATIENCE_S)

    def take(self, *rows: int) -> None:
        """Open the table menu and take the row at each of these places."""
        self.press(BAR, seconds=CALL_S)
        for down in rows:
            self.press(*[RIGHT] * down, BAR)

    def comes(self, *events: str) -> None:
        """Wait until exactly these events have come since the last call."""
        until(lambda: self._events()[len(self._known) :] == list(events))
        self._known = self._events()

    def _events(self) -> list[str]:
        """Return the events that stand, each with its name and side."""
        try:
            recovered = recover(self._journal, load_rulebook)
        except JournalError:
            return []
        if recovered is None or recovered.record is None:
            return []
        bodies = [format_event(link.event) for link in recovered.record if link.fate is Fate.VALID]
        return [" ".join(str(body[key]) for key in ("do", "name", "side") if key in body) for body in reversed(bodies)]

    def begins_anew(self) -> None:
        """Wait until the next game is set up."""
        until(lambda: self._events() == ["new_game"])


def test_a_game_with_every_time_frame_of_the_players_is_played_by_gestures_and_rows(display: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with running("demo", "--rulebook", "naspa-2017", "--journal", str(journal), DISPLAY=display) as process:
        table = Table(display, journal)
        table.comes("new_game")
        subprocess.run(["xdotool", "mousemove", "512", "300"], env={**os.environ, "DISPLAY": display}, check=True, timeout=PATIENCE_S)
        # Before the game.
        table.take(1, 0)
        table.comes("window late_start")
        table.take(1, 1)
        table.comes("window between_rounds")
        # Left's turn; right, waiting, records the hold.
        table.press(RIGHT)
        table.comes("press right")
        table.press(RIGHT, seconds=CALL_S)
        table.comes("hold")
        running_clock = True
        for place, decides, events in STOPPED:
            table.take(2, place)
            if decides is not None:
                table.press(decides)
            table.comes(*(["neutralise"] if running_clock else []), *events)
            running_clock = decides is None
        # Right, on turn, plays out; left accepts.
        table.take(3)
        table.press(RIGHT)
        table.comes("neutralise", "out_play")
        table.press(LEFT, seconds=CALL_S)
        table.comes("release")
        table.take(2, 1)
        table.comes("window disconnected")
        table.take(1)
        table.comes("window recount")
        table.press(BAR, seconds=NEXT_GAME_S)
        table.begins_anew()
        process.terminate()
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors
