import errno
import io
import os
import pty
import re
import termios
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from appliance.errors import ScreenError
from appliance.process import SERVICE
from firmware.face.value import MenuFace
from firmware.screens.screen import Quit, Screen, Tap
from firmware.screens.terminal import MARK_PASTES, TerminalScreen, block_rows
from firmware.settings import ScreenSettings, Settings
from firmware.shell.assemble import open_screen
from tests.cells import each_cell
from tests.errors import with_fields
from tests.firmware.screens.faces import FACES


def shown(name: str, width: int = 100) -> str:
    console = Console(record=True, width=width, height=40, file=io.StringIO())
    screen = TerminalScreen(console, io.StringIO())
    screen.draw(FACES[name])
    screen.close()
    return console.export_text()


class Terminal(io.TextIOWrapper):
    def __init__(self, descriptor: int) -> None:
        super().__init__(io.BufferedWriter(io.FileIO(descriptor, "w")), encoding="utf-8", write_through=True)

    def close(self) -> None:
        with suppress(OSError):
            super().close()


@pytest.fixture
def keyboard() -> Iterator[tuple[int, io.FileIO]]:
    typist, ours = pty.openpty()
    with io.FileIO(ours, closefd=True) as stream:
        yield typist, stream
    os.close(typist)


def on_a_page(height: int = 40) -> tuple[TerminalScreen, io.StringIO]:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=100, height=height, color_system=None)
    return TerminalScreen(console, io.StringIO()), written


@pytest.fixture
def screen(keyboard: tuple[int, io.FileIO]) -> Iterator[TerminalScreen]:
    shown = TerminalScreen(Console(file=io.StringIO()), keyboard[1])
    yield shown
    shown.close()


LOST = "the terminal to stay connected"


def lost(number: int) -> Any:
    return pytest.raises(ScreenError, check=with_fields(expected=LOST, found=re.compile(os.strerror(number))))


def test_the_terminal_shows_readings_banner_details_window_marks_and_notices() -> None:
    for cell in each_cell(FACES):
        with cell as name:
            face, text = FACES[name], " ".join(shown(name, 132).split())
            for half in (face.halves.left, face.halves.right):
                assert half.reading in text
                assert all(mark in text for mark in half.marks)
            # A blank that joins a number to its unit is a blank here.
            assert all(" ".join(notice.split()) in text for notice in face.notices)
            if face.menu is not None:
                assert all(row in text for row in face.menu.rows)
                assert face.menu.chosen is None or f"▶ {face.menu.rows[face.menu.chosen]}" in text
            elif face.halves.left.page is not None:
                assert face.halves.left.page.title in text
                assert all(row in text for row in face.halves.left.page.rows)
            else:
                assert face.called in text
                assert all(" ".join(said.split()) in text for fill in face.fills for said in (fill.let_go, fill.hold_on))
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


@pytest.mark.parametrize(("language", "said"), [("en", "space bar"), ("fr", "espace barre"), ("es", "espacio barra")])
def test_the_keys_are_explained_in_the_language_of_the_settings(
    keyboard: tuple[int, io.FileIO], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], language: str, said: str
) -> None:
    monkeypatch.setattr("sys.stdin", keyboard[1])
    screen = open_screen(Settings(screen=ScreenSettings(kind="terminal"), language=language))
    screen.draw(FACES["running"])
    screen.close()
    assert said in " ".join(capsys.readouterr().out.split())


def test_typed_keys_arrive_without_enter_and_end_a_wait(keyboard: tuple[int, io.FileIO], screen: Screen) -> None:
    os.write(keyboard[0], b"aq")
    screen.wait(None)
    assert [type(heard) for heard in screen.poll()] == [Tap, Quit]
    assert screen.poll() == []


def test_an_arrow_whose_characters_arrive_one_by_one_does_not_end_the_clock(keyboard: tuple[int, io.FileIO], screen: Screen) -> None:
    heard = []
    for character in (b"\x1b", b"[", b"A"):
        os.write(keyboard[0], character)
        screen.wait(None)
        heard += screen.poll()
    assert [tap.button for tap in heard if isinstance(tap, Tap)] == ["up"]
    assert len(heard) == 1


def test_an_input_at_its_end_is_heard_as_quit_once_and_then_as_a_lost_screen(keyboard: tuple[int, io.FileIO], screen: Screen) -> None:
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), keyboard[1].fileno())
    assert screen.poll() == [Quit()]
    with pytest.raises(ScreenError, check=with_fields(expected="a terminal to type on")):
        screen.poll()


def test_a_terminal_that_is_gone_is_a_screen_error_when_it_is_read_or_drawn_on_and_closed_without_one() -> None:
    typist, ours = pty.openpty()
    with io.FileIO(ours, closefd=True) as stream, Terminal(os.dup(ours)) as page:
        screen = TerminalScreen(Console(file=page, force_terminal=True, width=100, height=40), stream)
        assert screen.draw(FACES["running"])
        os.close(typist)
        with lost(errno.EIO):
            screen.draw(FACES["hold"])
        for _ in range(2):
            # The end of the input first, or an error at once: as the kernel has it.
            with suppress(ScreenError):
                assert screen.poll() in ([Quit()], [])
        with pytest.raises(ScreenError):
            screen.poll()
        screen.close()
        assert not screen.draw(FACES["running"])


def test_a_keyboard_that_is_gone_is_a_screen_error_of_waiting_and_reading(keyboard: tuple[int, io.FileIO], screen: Screen) -> None:
    stream = keyboard[1]
    kept = os.dup(stream.fileno())
    os.close(stream.fileno())
    for act in (lambda: screen.wait(None), screen.poll):
        with lost(errno.EBADF):
            act()
    screen.close()
    os.dup2(kept, stream.fileno())
    os.close(kept)


def test_a_picture_that_nobody_reads_is_a_screen_error_and_does_not_end_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "w", buffering=1) as stream:
        monkeypatch.setattr("sys.stdout", stream)
        screen = TerminalScreen(keyboard=io.StringIO())
        os.close(reader)
        with pytest.raises(ScreenError, check=with_fields(expected="an open terminal", found=re.compile("^a closed one"))):
            screen.draw(FACES["running"])
        screen.close()
        monkeypatch.undo()
        with Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), writer)


@pytest.mark.parametrize("chosen", [0, 12, 29])
def test_a_menu_of_thirty_rows_scrolls_on_a_page_of_24_lines_and_keeps_the_chosen_one_and_the_hint(chosen: int) -> None:
    screen, written = on_a_page(24)
    menu = MenuFace("Reason", tuple(f"row {index}." for index in range(30)), chosen, "the hint")
    screen.draw(replace(FACES["running"], menu=menu, notices=("a notice",)))
    text = written.getvalue()
    assert f"▶ row {chosen}." in text
    assert "the hint" in text
    assert 3 <= text.count(". ") < 30
    assert ("↑" in text, "↓" in text) == (chosen > 0, chosen < 29)
    screen.close()


def test_a_wake_ends_the_wait_that_comes_after_it_also_without_a_keyboard(screen: Screen) -> None:
    for each in (screen, on_a_page()[0]):
        each.wake()
        each.wait(None)
        assert each.poll() == []


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


def test_on_a_real_terminal_the_picture_stands_on_a_page_of_its_own_that_is_left_at_the_end_and_pastes_are_marked() -> None:
    screen, written = on_a_page()
    screen.draw(FACES["hold"])
    assert written.getvalue().startswith("\x1b[?1049h")
    assert MARK_PASTES[0] in written.getvalue()
    screen.close()
    assert "\x1b[?1049l" in written.getvalue()
    assert MARK_PASTES[1] in written.getvalue()


def test_a_service_draws_on_the_console_it_reads_keys_from(
    keyboard: tuple[int, io.FileIO], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typist, stream = keyboard
    monkeypatch.setenv(SERVICE, "8:1234")
    screen = TerminalScreen(keyboard=stream)
    screen.draw(FACES["ready"])
    assert b"\x1b[?1049h" in os.read(typist, 1 << 16)
    screen.close()
    assert capsys.readouterr().out == ""
