"""A real window on a real X server, played by xdotool with a director's own rulebook, from the start into overtime."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.journal.recovery import recover
from game.journal.reading import read_mark, reading, rows_from
from rules.duration import reading as reads
from rules.rulebooks import load_rulebook
from rules.side import Side
from tests.appliance.display.xserver import is_drawn, picture, x_server
from tests.firmware.shell.processes import running, said_in
from tests.firmware.shell.rig import PATIENCE_S
from tests.processes import until

pytestmark = pytest.mark.waits(12)

SHORT = """extends = "naspa-2017"
id = "short"
title = "Three seconds each"
summary = "For a test."

[regulation]
time = "0:03"
clause = "none: a test"
"""


@pytest.fixture
def display(tmp_path: Path) -> Iterator[str]:
    """Yield the name of a display of its own."""
    with x_server(tmp_path) as name:
        yield name


def _do(display: str, *words: str) -> None:
    subprocess.run(["xdotool", *words], env={**os.environ, "DISPLAY": display}, check=True, timeout=PATIENCE_S)


def _key(display: str, name: str) -> None:
    """Press a key as a finger does: down for 80 ms."""
    _do(display, "keydown", name, "sleep", "0.08", "keyup", name)


def test_a_game_in_a_real_window_is_played_from_the_start_into_overtime_and_ends_with_escape(display: str, tmp_path: Path) -> None:
    rulebook, journal = tmp_path / "short.toml", tmp_path / "journal.db"
    rulebook.write_text(SHORT, encoding="utf-8")
    with running("demo", "--rulebook", str(rulebook), "--journal", str(journal), DISPLAY=display) as process:
        until(lambda: said_in(journal) == ["new_game"] and is_drawn(display))
        _do(display, "mousemove", "512", "300")
        _key(display, "l")
        until(lambda: said_in(journal)[1:] == ["press right"])
        # Both players within 0.4 s would be the bar.
        until(lambda: _seconds_in(journal) >= 1)
        left_runs = picture(display)
        _key(display, "a")
        until(lambda: said_in(journal)[2:] == ["press left"])
        until(lambda: picture(display) != left_runs)
        # Right's three seconds and the first of overtime go by; the bar then stops a clock that reads below zero.
        until(lambda: _seconds_in(journal) >= 4)
        _key(display, "space")
        until(lambda: said_in(journal)[3:] == ["neutralise"])
        # A stopped game is left only when asked once more.
        _do(display, "key", "Escape")
        _do(display, "key", "Escape")
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, errors
    shown = _shown(journal)
    assert shown.startswith("neutral")
    assert "right -0:0" in shown


def _seconds_in(journal: Path) -> int:
    """Return how long the clock has run since its last press by the durable mark, in whole s."""
    with reading(journal) as connection:
        mark = read_mark(connection)
        last = max(kept.row.at for kept in rows_from(connection, 1))
    return 0 if mark is None else (mark.stamp.at - last) // 1_000_000_000


def _shown(journal: Path) -> str:
    recovered = recover(journal, load_rulebook)
    assert recovered is not None
    game = recovered.at_last
    assert game is not None
    return f"{game.phase.value} " + " ".join(f"{side} {reads(game.remaining(side, recovered.last_at))}" for side in Side)


def test_a_click_on_a_half_is_that_players_button(display: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with running("demo", "--journal", str(journal), "--layout", "side_by_side", DISPLAY=display) as process:
        until(lambda: said_in(journal) == ["new_game"] and is_drawn(display))
        _do(display, "mousemove", "900", "200", "mousedown", "1", "sleep", "0.08", "mouseup", "1")
        until(lambda: said_in(journal)[1:] == ["press right"])
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0


def test_a_time_for_both_sides_shows_overtime_at_once(display: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    with running("demo", "--time", "0:02", "--journal", str(journal), DISPLAY=display) as process:
        until(lambda: said_in(journal) == ["new_game"] and is_drawn(display))
        _do(display, "mousemove", "512", "300")
        _key(display, "l")
        until(lambda: _seconds_in(journal) >= 4)
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
    assert "left -0:0" in _shown(journal)
    assert "right 0:02" in _shown(journal)


@pytest.mark.parametrize("time", ["0:00", "30", "1:60", "-0:30", "1000:00", ""])
def test_a_time_that_is_none_is_refused_in_a_sentence(time: str) -> None:
    with running("demo", "--time", time) as process:
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "expected minutes and seconds from 0:01 to 999:59, such as 0:30" in errors
