from __future__ import annotations

import io
import os
import pty
import termios
from collections.abc import Iterator
from dataclasses import replace

import pytest
from rich.console import Console

from firmware.screens.blocks import block_rows
from firmware.screens.keys import Quit, Tap
from firmware.screens.screen import Screen
from firmware.screens.terminal import TerminalScreen
from tests.firmware.screens.faces import FACES


def shown(name: str, width: int = 100) -> str:
    console = Console(record=True, width=width, height=40, file=io.StringIO())
    screen = TerminalScreen(console, io.StringIO())
    screen.draw(FACES[name])
    screen.close()
    return console.export_text()


@pytest.fixture
def keyboard() -> Iterator[tuple[int, io.FileIO]]:
    """Yield the typist's end of a terminal, and the end that the clock reads."""
    typist, ours = pty.openpty()
    with io.FileIO(ours, closefd=True) as stream:
        yield typist, stream
    os.close(typist)


@pytest.mark.parametrize("name", FACES)
def test_the_terminal_shows_readings_banner_details_window_marks_and_notices(name: str) -> None:
    face, text = FACES[name], " ".join(shown(name).split())
    for half in (face.halves.left, face.halves.right):
        assert half.reading in text
        assert all(mark in text for mark in half.marks)
    assert all(notice in text for notice in face.notices)
    if face.menu is not None:
        assert all(row in text for row in face.menu.rows)
        assert f"▶ {face.menu.rows[face.menu.chosen or 0]}" in text
        return
    assert face.banner in text
    assert face.window is None or (face.window.title in text and face.window.reading in text and face.window.text in text)


@pytest.mark.parametrize("width", [80, 132])
def test_the_terminal_shows_the_readings_in_large_blocks(width: int) -> None:
    text = shown("overtime", width)
    for row in (*block_rows("-1:07"), *block_rows("-0:38")):
        assert row in text


def test_who_runs_is_told_by_a_triangle_and_a_heavy_frame() -> None:
    text = shown("running")
    assert text.count("▶") == 1
    assert text.count("┏") == 1


def test_an_equal_face_prints_nothing_and_is_not_counted() -> None:
    console = Console(record=True, width=100, file=io.StringIO())
    screen = TerminalScreen(console, io.StringIO())
    assert screen.draw(FACES["running"])
    console.export_text()
    assert not screen.draw(replace(FACES["running"]))
    assert console.export_text() == ""
    assert screen.drawn == 1
    screen.close()


def test_typed_keys_arrive_without_enter_and_end_a_wait(keyboard: tuple[int, io.FileIO]) -> None:
    typist, stream = keyboard
    screen: Screen = TerminalScreen(Console(file=io.StringIO()), stream)
    os.write(typist, b"aq")
    screen.wait(None)
    assert [type(heard) for heard in screen.poll()] == [Tap, Quit]
    assert screen.poll() == []
    screen.close()


def test_a_wake_ends_the_wait_that_comes_after_it() -> None:
    screen = TerminalScreen(Console(file=io.StringIO()), io.StringIO())
    screen.wake()
    screen.wait(None)
    assert screen.poll() == []
    screen.close()


def test_the_terminal_is_given_back_as_it_was_found(keyboard: tuple[int, io.FileIO]) -> None:
    _, stream = keyboard
    before = termios.tcgetattr(stream.fileno())
    screen = TerminalScreen(Console(file=io.StringIO()), stream)
    assert termios.tcgetattr(stream.fileno()) != before
    screen.close()
    screen.close()
    screen.wake()
    assert termios.tcgetattr(stream.fileno()) == before
    assert not screen.draw(FACES["running"])


def test_on_a_real_terminal_the_picture_stands_on_a_page_of_its_own_that_is_left_at_the_end() -> None:
    written = io.StringIO()
    screen = TerminalScreen(Console(file=written, force_terminal=True, width=100, height=40), io.StringIO())
    screen.draw(FACES["hold"])
    screen.close()
    assert written.getvalue().startswith("\x1b[?1049h")
    assert "\x1b[?1049l" in written.getvalue()
