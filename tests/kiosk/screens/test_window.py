from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pygame
import pytest

from firmware.core.duration import NS
from hardware.clocks import Clocks
from hardware.display.lettering import font
from hardware.display.stencil import stencil
from hardware.errors import ScreenError
from kiosk.challenge import events as players
from kiosk.challenge.entry import Way
from kiosk.face.rehearsal import rehearsal
from kiosk.keyboards import keyboard
from kiosk.layout.placed import hit
from kiosk.screens.inputs import Input, Quit, Said
from kiosk.screens.window import MOST, KioskWindow
from kiosk.texts import load_texts
from tests.hardware.display.xserver import x_server
from tests.kiosk.challenge.making import standing
from tests.kiosk.face.flows import shown, verdict
from tests.kiosk.screens.opened import middle
from tests.kiosk.screens.pages import PAGES, checking, words_page

ROOT = Path(__file__).parents[3]
SIZE = (800, 480)
FINGER = {"touch_id": 1}


@contextmanager
def opened(page: str = "words_3", *, locked: bool = False) -> Iterator[KioskWindow]:
    # For the window a second goes by each time it looks at the clock: what is pressed has been in sight long enough.
    leaps = itertools.count()
    window = KioskWindow(SIZE, "Station", locked=locked, clocks=Clocks(lambda: time.monotonic_ns() + next(leaps) * NS))
    window.draw(PAGES[page])
    pygame.event.clear()
    yield window
    window.close()


def post(kind: int, **values: Any) -> None:
    pygame.event.post(pygame.event.Event(kind, **values))


def finger(window: KioskWindow, kind: int, target: str, number: int = 0) -> None:
    x, y = middle(window, target)
    width, height = window.size
    post(kind, touch_id=1, finger_id=number, x=(x + 0.5) / width, y=(y + 0.5) / height)


def touch(window: KioskWindow, target: str, number: int = 0) -> None:
    finger(window, pygame.FINGERDOWN, target, number)
    finger(window, pygame.FINGERUP, target, number)


def click(window: KioskWindow, target: str, *, copied: bool = False) -> None:
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        post(kind, button=1, pos=middle(window, target), touch=copied)


def key(code: int, text: str = "", mod: int = 0) -> None:
    post(pygame.KEYDOWN, key=code, mod=mod)
    if text:
        post(pygame.TEXTINPUT, text=text)
    post(pygame.KEYUP, key=code, mod=mod)


def heard(window: KioskWindow) -> list[object]:
    """Return the events of all that is to be heard, one poll after the other."""
    events: list[object] = []
    while said := window.poll():
        assert len(said) == 1
        events += [each.event if isinstance(each, Said) else each for each in said]
    return events


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
    stands = standing()
    window = KioskWindow(SIZE, "Station")
    window.warm(rehearsal(stands, load_texts(), keyboard("qwerty", stands.spelling.tiles if stands.spelling else ())))
    assert (window.drawn, window.arranged) == (0, None)
    fonts, signs = font.cache_info().misses, stencil.cache_info().misses
    assert window.draw(shown(verdict(acceptable=False)))
    assert (font.cache_info().misses, stencil.cache_info().misses) == (fonts, signs)
    window.close()


@pytest.mark.usefixtures("dummy_display")
def test_a_finger_on_a_letter_and_a_click_on_an_action_are_heard_each_once() -> None:
    with opened() as window:
        touch(window, "tile.Q")
        click(window, "tile.Q", copied=True)
        click(window, "finish")
        assert heard(window) == [players.TypeTile("Q"), players.Finish()]


@pytest.mark.usefixtures("dummy_display")
def test_an_input_carries_the_instant_of_the_monotonic_clock() -> None:
    with opened() as window:
        touch(window, "tile.Q")
        touch(window, "tile.E")
        said: list[Input] = window.poll() + window.poll()
        assert all(isinstance(each, Said) for each in said)
        instants = [each.at for each in said if isinstance(each, Said)]
        assert instants == sorted(instants)
        assert instants[0] > 0


@pytest.mark.usefixtures("dummy_display")
def test_a_pressed_target_is_drawn_at_once_and_again_when_it_is_let_go() -> None:
    with opened() as window:
        before = window.drawn
        finger(window, pygame.FINGERDOWN, "finish")
        assert heard(window) == []
        assert window.drawn == before + 1
        finger(window, pygame.FINGERUP, "finish")
        assert heard(window) == [players.Finish()]
        assert window.drawn == before + 2


@pytest.mark.usefixtures("dummy_display")
def test_two_fingers_at_once_are_two_presses() -> None:
    with opened() as window:
        finger(window, pygame.FINGERDOWN, "back", 1)
        finger(window, pygame.FINGERDOWN, "tile.Q", 2)
        finger(window, pygame.FINGERUP, "tile.Q", 2)
        finger(window, pygame.FINGERUP, "back", 1)
        assert heard(window) == [players.TypeTile("Q"), players.Back()]


@pytest.mark.usefixtures("dummy_display")
def test_touches_that_came_before_another_page_was_up_press_nothing_there() -> None:
    with opened("words_3") as window:
        spot = middle(window, "finish")
        touch(window, "finish")
        touch(window, "finish", 1)
        finger(window, pygame.FINGERDOWN, "back", 2)
        assert [each.event for each in window.poll() if isinstance(each, Said)] == [players.Finish()]
        window.draw(checking(3))
        assert window.arranged is not None
        assert hit(window.arranged, *spot) is not None
        post(pygame.FINGERUP, touch_id=1, finger_id=2, x=spot[0] / SIZE[0], y=spot[1] / SIZE[1])
        assert heard(window) == []


@pytest.mark.usefixtures("dummy_display")
def test_letters_that_came_before_another_page_was_up_count_there_for_somebody_types_ahead_and_what_does_more_does_not() -> None:
    with timed() as (window, hand):
        window.draw(PAGES["idle"])
        hand.now += NS
        key(pygame.K_a, "a")
        key(pygame.K_RETURN)
        window.draw(PAGES["words_3"])
        hand.now += NS
        assert heard(window) == [players.Type("a")]


@pytest.mark.usefixtures("dummy_display")
def test_a_tab_typed_ahead_of_the_words_to_be_checked_adjudicates_nothing_and_one_after_them_does() -> None:
    with opened() as window:
        window.draw(PAGES["words_3"])
        post(pygame.KEYDOWN, key=pygame.K_TAB, mod=0)
        window.draw(PAGES["checking_1"])
        assert heard(window) == []
        post(pygame.KEYDOWN, key=pygame.K_TAB, mod=0)
        assert heard(window) == []
        post(pygame.KEYUP, key=pygame.K_TAB, mod=0)
        post(pygame.KEYDOWN, key=pygame.K_TAB, mod=0)
        assert heard(window) == [players.Adjudicate(Way.TAB)]


class Drawing:
    """A clock that says how late it is, and that drawing takes a while."""

    def __init__(self) -> None:
        self.now = NS
        self.drawing = 0


@contextmanager
def timed() -> Iterator[tuple[KioskWindow, Drawing]]:
    """Give a window in the test's own time; ``drawing`` ns go by while a page is drawn."""
    hand = Drawing()
    window = KioskWindow(SIZE, "Station", clocks=Clocks(lambda: hand.now))
    paint = window._paint

    def late() -> bool:
        hand.now += hand.drawing
        return paint()

    window._paint = late  # type: ignore[method-assign]  # slower, and otherwise as it is
    window.draw(PAGES["words_3"])
    pygame.event.clear()
    yield window, hand
    window.close()


@pytest.mark.usefixtures("dummy_display")
def test_a_touch_that_begins_in_a_pages_first_half_second_presses_nothing_shows_nothing_and_is_gone_when_it_is_lifted() -> None:
    with timed() as (window, hand):
        hand.now += NS // 2 - 1
        drawn = window.drawn
        finger(window, pygame.FINGERDOWN, "finish")
        assert heard(window) == []
        assert (window.drawn, window._hands.touching.pressed) == (drawn, frozenset())
        hand.now += NS
        finger(window, pygame.FINGERUP, "finish")
        assert heard(window) == []
        touch(window, "finish")
        assert heard(window) == [players.Finish()]


@pytest.mark.usefixtures("dummy_display")
def test_a_page_that_is_drawn_late_counts_from_when_it_was_drawn() -> None:
    with timed() as (window, hand):
        hand.now, hand.drawing = hand.now + NS, NS
        window.draw(PAGES["checking_1"])
        hand.drawing = 0
        hand.now += NS // 2 - 1
        touch(window, "back")
        assert heard(window) == []
        hand.now += 1
        touch(window, "back")
        assert heard(window) == [players.Back()]


@pytest.mark.usefixtures("dummy_display")
def test_letters_typed_and_touched_are_never_held_up_and_keys_that_do_more_are() -> None:
    with timed() as (window, hand):
        touch(window, "tile.Q")
        key(pygame.K_a, "a")
        key(pygame.K_BACKSPACE)
        key(pygame.K_RETURN)
        assert heard(window) == [players.TypeTile("Q"), players.Type("a"), players.Erase()]
        hand.now += NS // 2
        key(pygame.K_RETURN)
        assert heard(window) == [players.Next()]


@pytest.mark.usefixtures("dummy_display")
def test_a_press_lasts_while_its_page_only_changes_a_word() -> None:
    with opened("words_3") as window:
        finger(window, pygame.FINGERDOWN, "finish")
        assert heard(window) == []
        page = PAGES["words_3"]
        window.draw(replace(page, words=(*page.words[:2], replace(page.words[2], text="OXAZOLES"))))
        finger(window, pygame.FINGERUP, "finish")
        assert heard(window) == [players.Finish()]


@pytest.mark.usefixtures("dummy_display")
def test_keys_type_where_the_page_takes_characters_and_name_what_it_knows() -> None:
    with opened("words_3") as window:
        key(pygame.K_n, "ñ")
        key(pygame.K_BACKSPACE)
        key(pygame.K_RETURN)
        key(pygame.K_ESCAPE)
        assert heard(window) == [players.Type("ñ"), players.Erase(), players.Next()]
        window.draw(PAGES["idle"])
        key(pygame.K_a, "a")
        assert heard(window) == []


@pytest.mark.usefixtures("dummy_display")
def test_keys_with_ctrl_alt_or_the_systems_own_key_do_nothing() -> None:
    with opened("words_3") as window:
        for mod in (pygame.KMOD_LCTRL, pygame.KMOD_RCTRL, pygame.KMOD_LALT, pygame.KMOD_LMETA):
            key(pygame.K_v, "v", mod)
            key(pygame.K_TAB, "", mod)
            key(pygame.K_RETURN, "", mod)
        key(pygame.K_TAB, "", pygame.KMOD_RALT)
        key(pygame.K_l, "ł", pygame.KMOD_RALT)
        assert heard(window) == [players.Type("ł")]


@pytest.mark.usefixtures("dummy_display")
def test_a_tab_held_for_a_minute_adjudicates_once() -> None:
    with opened("checking_8") as window:
        for _ in range(1800):
            post(pygame.KEYDOWN, key=pygame.K_TAB, mod=0)
        assert heard(window) == [players.Adjudicate(Way.TAB)]
        post(pygame.WINDOWFOCUSLOST)
        key(pygame.K_TAB)
        assert heard(window) == [players.Adjudicate(Way.TAB)]


@pytest.mark.usefixtures("dummy_display")
def test_a_shift_key_that_goes_down_while_a_letter_repeats_types_no_more_of_it() -> None:
    with opened("words_3") as window:
        post(pygame.KEYDOWN, key=pygame.K_a, mod=0)
        post(pygame.TEXTINPUT, text="a")
        post(pygame.KEYDOWN, key=pygame.K_LSHIFT, mod=pygame.KMOD_LSHIFT)
        post(pygame.TEXTINPUT, text="A")
        assert heard(window) == [players.Type("a")]


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
def test_what_is_dropped_pasted_or_unknown_never_gets_in_and_a_flood_is_taken_in_parts() -> None:
    with opened("words_3") as window:
        for kind in (
            pygame.DROPTEXT,
            pygame.DROPFILE,
            pygame.MOUSEMOTION,
            pygame.FINGERMOTION,
            pygame.TEXTEDITING,
            pygame.USEREVENT,
            pygame.JOYBUTTONDOWN,
        ):
            assert pygame.event.get_blocked(kind)
        for _ in range(4 * MOST):
            key(pygame.K_a, "a")
        assert heard(window) == [players.Type("a")] * 4 * MOST


@pytest.mark.usefixtures("dummy_display")
def test_a_wheel_and_other_buttons_press_nothing() -> None:
    with opened("words_3") as window:
        for button in (2, 3, 4, 5):
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                post(kind, button=button, pos=middle(window, "finish"), touch=False)
        assert heard(window) == []


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
        with pytest.raises(ScreenError, match="expected the display to go on with"):
            act()
    window.close()


def test_without_a_display_the_error_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":987654")
    with pytest.raises(ScreenError, match="connect a screen"):
        KioskWindow(SIZE, "Station")


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
