"""The station's window in a process of its own on a real X server, with a pointer and a keyboard that the server moves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Self

import pytest

from tests.appliance.display.xserver import x_server

pytestmark = pytest.mark.waits(8)


ROOT = Path(__file__).parents[3]


class Shown:
    """A window of its own process on a real X server."""

    def __init__(self, display: str, page: str, locked: str, *targets: str) -> None:
        self._environment = {
            **os.environ,
            "DISPLAY": display,
            "SDL_VIDEODRIVER": "x11",
            "SDL_VIDEO_WINDOW_POS": "0,0",
            "PYTHONPATH": str(ROOT),
        }
        command = [sys.executable, "-m", "tests.kiosk.screens.opened", page, locked, *targets]
        self.program = subprocess.Popen(command, env=self._environment, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        self.idle = self.line().split()
        numbers = [int(word) for word in self.line().split()[1:]]
        self.size = tuple(numbers[:2])
        self.spots = [(str(x), str(y)) for x, y in zip(numbers[2::2], numbers[3::2], strict=True)]

    def line(self) -> str:
        assert self.program.stdout is not None
        return self.program.stdout.readline().strip()

    def xdotool(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._environment, check=True, timeout=20)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.program.kill()
        self.program.wait(20)
        assert self.program.stdout is not None
        self.program.stdout.close()


def test_a_real_window_sleeps_until_somebody_touches_it_or_types(x_display: str) -> None:
    with Shown(x_display, "words_3", "open", "tile.Q", "finish") as shown:
        assert int(shown.idle[1]) < 10  # in one second of waiting; polling would make 100
        assert shown.idle[2] == "True"
        shown.xdotool("mousemove", *shown.spots[0], "click", "1")
        assert shown.line() == "TypeTile(tile='Q')"
        shown.xdotool("mousemove", *shown.spots[1], "click", "1")
        assert shown.line() == "Finish()"
        shown.xdotool("type", "ab")
        assert [shown.line(), shown.line()] == ["Type(text='a')", "Type(text='b')"]
        shown.xdotool("key", "Return", "BackSpace", "Tab")
        assert [shown.line(), shown.line(), shown.line()] == ["Next()", "Erase()", "Finish()"]


def test_a_real_key_that_is_held_types_and_acts_once(x_display: str) -> None:
    with Shown(x_display, "words_3", "open", "finish") as shown:
        shown.xdotool("keydown", "b", "sleep", "1.2", "keyup", "b", "keydown", "Tab", "sleep", "1.2", "keyup", "Tab", "key", "c")
        assert [shown.line(), shown.line(), shown.line()] == ["Type(text='b')", "Finish()", "Type(text='c')"]


def test_a_locked_screen_swallows_what_would_leave_it_and_fills_the_display(tmp_path: Path) -> None:
    # A server of its own: without a window manager only the first window is given the keyboard, and only who has it can keep it.
    with x_server(tmp_path) as display, Shown(display, "words_3", "locked", "finish") as shown:
        assert shown.size == (1024, 600)
        assert shown.idle[3] == "True"
        shown.xdotool("key", "alt+F4", "Escape", "ctrl+c", "ctrl+q", "super", "alt+Tab", "ctrl+alt+Delete", "F11", "Print")
        shown.xdotool("mousemove", *shown.spots[0], "click", "1")
        assert shown.line() == "Finish()"
        assert shown.program.poll() is None
