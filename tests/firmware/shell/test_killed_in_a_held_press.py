"""A real clock, killed with SIGKILL while a press is held: what its journal has on the disk is the short meaning, or after 2 s the challenge."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from appliance.clocks import Clocks
from firmware.journal.recovery import recover
from firmware.journal.writer import stamped
from firmware.settings.places import merge
from firmware.shell.assemble import setup_of
from firmware.shell.resume import start
from game.event_table import format_event
from game.game import Phase
from game.journal.row import JournalError, Kind, decode
from rules.rulebooks import load_rulebook
from tests.firmware.saying import new_game
from tests.firmware.shell.rig import rows_in
from tests.processes import until

pytestmark = pytest.mark.waits(12)

BEGUN = ("press right",)
STOPPED = (*BEGUN, "neutralise")
OUT = (*STOPPED, "out_play")
STOP = "neutralise program restarted"


class PressedClock:
    """A clock in a process of its own, with a hand on its buttons."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.db"
        command = [sys.executable, "-m", "tests.firmware.shell.pressed_clock", str(folder)]
        self._process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def do(self, *lines: str) -> None:
        """Press, and wait each time until the clock has detected it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        for line in lines:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
            assert self._process.stdout.readline() == f"{line}\n"

    def said(self) -> tuple[str, ...]:
        """Return the events on the disk after the beginning."""
        try:
            recovered = recover(self.path, load_rulebook)
        except JournalError:
            return ()
        if recovered is None or recovered.record is None:
            return ()
        bodies = [format_event(link.event) for link in recovered.record][::-1]
        return tuple(" ".join(str(body[key]) for key in ("do", "side", "reason") if key in body) for body in bodies)[1:]

    def comes(self, events: tuple[str, ...]) -> None:
        """Wait until exactly these events are on the disk."""
        until(lambda: self.said() == events, "the events did not come")

    def written(self) -> None:
        """Wait until all that the presses have made so far is on the disk: the spike's note comes after it."""
        self.do("spike ok")
        until(lambda: any("spikes" in decode(kept.row.body) for kept in rows_in(self.path) if kept.row.kind == Kind.NOTE))

    def kill(self) -> None:
        """End it with SIGKILL."""
        self._process.kill()
        assert self._process.wait() in (0, -signal.SIGKILL)
        self._process.communicate()


@pytest.fixture
def clock(tmp_path: Path) -> Iterator[PressedClock]:
    """Yield a clock in whose game left's clock runs."""
    pressed = PressedClock(tmp_path)
    try:
        # A short press stays short on a busy machine.
        pressed.do("slow 20", "down right", "up right")
        pressed.comes(BEGUN)
        yield pressed
    finally:
        pressed.kill()


def found_after(clock: PressedClock) -> tuple[tuple[str, ...], Phase]:
    """Kill the clock, start the next one on what is on the disk, and return its game: the events and the phase."""
    clock.kill()
    now = time.monotonic_ns()
    begun = start(clock.path, setup_of(merge([]).settings), new_game("naspa-2017"), stamped(Clocks(), now, now))
    record = begun.tables[-1].record
    assert begun.tables[-1].table_menu is None
    assert begun.tables[-1].frozen is not None, "players do nothing before the director has confirmed the times"
    bodies = [format_event(link.event) for link in record][::-1]
    words = tuple(" ".join(str(body[key]) for key in ("do", "side", "reason") if key in body) for body in bodies)[1:]
    return words, begun.tables[-1].game_at(now).phase


def test_the_bar_held_in_a_running_turn_leaves_the_stop(clock: PressedClock) -> None:
    clock.do("down centre")
    clock.comes(STOPPED)
    assert found_after(clock) == (STOPPED, Phase.NEUTRAL)


def test_the_bar_held_after_a_stop_leaves_a_clock_that_comes_back_stopped(clock: PressedClock) -> None:
    clock.do("down centre", "up centre", "down centre")
    clock.comes((*STOPPED, "resume left"))
    assert found_after(clock) == ((*STOPPED, "resume left", STOP), Phase.NEUTRAL)


def test_the_waiting_players_held_press_leaves_no_hold(clock: PressedClock) -> None:
    clock.do("down right")
    clock.written()
    assert found_after(clock) == ((*BEGUN, STOP), Phase.NEUTRAL)


def test_the_opponents_held_press_leaves_the_out_play_pending_and_the_game_not_over(clock: PressedClock) -> None:
    clock.do("down centre", "up centre", "down left", "slow 1", "page open", "slow 20", "up left", "down left", "up left")
    clock.comes(OUT)
    clock.do("down right")
    clock.written()
    assert found_after(clock) == (OUT, Phase.OUT_PLAY)


def test_after_two_seconds_the_challenge_stands(clock: PressedClock) -> None:
    clock.do("down centre", "slow 1")
    clock.comes((*BEGUN, "challenge"))
    assert found_after(clock) == ((*BEGUN, "challenge"), Phase.ADJUDICATION)
