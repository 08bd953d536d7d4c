"""The station's window as a thing on the screen: drawn, resized, waited for, locked, closed, and gone."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from appliance.display.drawing import font, stencil
from appliance.errors import ScreenError
from kiosk import events as players
from kiosk.face.players import rehearsal
from kiosk.keyboards import keyboard
from kiosk.screens.pressing import Quit
from kiosk.screens.window import KioskWindow
from kiosk.texts import load_texts
from tests.errors import with_fields
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import shown, verdict
from tests.kiosk.screens.pages import PAGES, words_page
from tests.kiosk.screens.pressing import SIZE, heard, opened, post, touch


@pytest.mark.usefixtures("dummy_display")
def test_a_window_draws_a_page_once_and_counts_it() -> None:
    window = KioskWindow(SIZE, "Station")
    assert window.draw(PAGES["idle"])
    assert not window.draw(replace(PAGES["idle"]))
    assert window.draw(PAGES["clock"])
    assert window.drawn == 2
    assert not window.blocks
    window.close()


@pytest.mark.usefixtures("dummy_display")
def test_a_window_that_has_rehearsed_opens_no_font_and_draws_no_sign_for_its_first_verdict() -> None:
    stands = context()
    window = KioskWindow(SIZE, "Station")
    window.warm(rehearsal(stands, load_texts(), keyboard("qwerty", stands.spelling.tiles if stands.spelling else ())))
    assert (window.drawn, window.arranged) == (0, None)
    fonts, signs = font.cache_info().misses, stencil.cache_info().misses
    assert window.draw(shown(verdict(acceptable=False)))
    assert (font.cache_info().misses, stencil.cache_info().misses) == (fonts, signs)
    window.close()


@pytest.mark.usefixtures("dummy_display")
def test_a_closed_window_is_told_unless_the_screen_is_locked() -> None:
    for locked, told in ((False, [Quit()]), (True, [])):
        with opened("words_3", locked=locked) as window:
            post(pygame.QUIT)
            assert heard(window) == told


@pytest.mark.usefixtures("dummy_display")
def test_a_locked_screen_is_full_and_shows_no_pointer() -> None:
    with opened("idle", locked=True):
        surface = pygame.display.get_surface()
        assert surface is not None
        assert surface.get_flags() & pygame.FULLSCREEN
        assert not pygame.mouse.get_visible()


@pytest.mark.usefixtures("dummy_display")
def test_a_wake_from_another_thread_ends_a_wait_and_what_lies_there_needs_none() -> None:
    with opened("words_3") as window:
        waker = threading.Thread(target=window.wake)
        waker.start()
        window.wait(None)
        waker.join()
        assert window.poll() == []
        touch(window, "tile.Q")
        touch(window, "tile.E")
        window.wait(None)
        window.poll()
        window.wait(None)
        assert heard(window) == [players.TypeTile("E")]


@pytest.mark.usefixtures("dummy_display")
@pytest.mark.parametrize("size", [(1280, 720), (480, 800), (200, 50), (1, 1)])
def test_a_resized_window_is_laid_out_and_drawn_anew_and_a_tiny_one_recovers(size: tuple[int, int]) -> None:
    with opened("words_3") as window:
        for width, height in (size, SIZE):
            pygame.display.set_mode((width, height), pygame.RESIZABLE)
            post(pygame.VIDEORESIZE, size=(width, height), w=width, h=height)
            before = window.drawn
            window.poll()
            assert window.size == (width, height)
            assert window.drawn == before + 1
        touch(window, "finish")
        assert heard(window) == [players.Finish()]


@pytest.mark.usefixtures("dummy_display")
def test_a_snapshot_is_what_stands_on_the_screen(tmp_path: Path) -> None:
    with opened("verdict_acceptable") as window:
        window.snapshot(tmp_path / "station.png")
    picture = pygame.image.load(tmp_path / "station.png")
    assert picture.get_size() == SIZE
    assert tuple(picture.get_at((400, 60)))[:3] == (116, 214, 140)
    with pytest.raises(OSError, match=r"station\.png"):
        KioskWindow(SIZE, "Station").snapshot(tmp_path / "missing" / "station.png")


@pytest.mark.usefixtures("dummy_display")
def test_a_closed_window_can_be_closed_woken_polled_and_drawn_to_without_harm() -> None:
    window = KioskWindow(SIZE, "Station")
    window.close()
    window.close()
    window.wake()
    window.wait(None)
    assert window.poll() == []
    assert not window.draw(PAGES["idle"])


@pytest.mark.usefixtures("dummy_display")
def test_a_display_that_is_gone_is_a_screen_error_in_drawing_polling_and_waiting() -> None:
    window = KioskWindow(SIZE, "Station")
    window.draw(PAGES["idle"])
    pygame.display.quit()
    for act in (lambda: window.draw(words_page(2)), window.poll, lambda: window.wait(None)):
        with pytest.raises(ScreenError, check=with_fields(expected="the display to stay connected")):
            act()
    window.close()


def test_without_a_display_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":987654")
    with pytest.raises(ScreenError, check=with_fields(expected="a display for the window")):
        KioskWindow(SIZE, "Station")
