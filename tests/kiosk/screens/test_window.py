import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace

from appliance.clocks import Clocks
from appliance.display.drawing import font, stencil
from appliance.display.pane import Devices
from appliance.errors import ScreenError
from kiosk import events as players
from kiosk.face.view import rehearsal
from kiosk.keyboards import keyboard
from kiosk.layout.placed import Arranged
from kiosk.screens.painter import Painter
from kiosk.screens.window import MAX, KioskWindow
from kiosk.texts import load_texts
from records.entry import Way
from rules.duration import NS
from tests.appliance.display.plugged import Plugged
from tests.errors import with_fields
from tests.kiosk.challenge.making import context
from tests.kiosk.face.flows import shown, verdict
from tests.kiosk.screens.pages import PAGES, words_page
from tests.kiosk.screens.pressing import SIZE, click, finger, heard, key, opened, post, touch
from tests.some import some

pytestmark = pytest.mark.usefixtures("dummy_display")


@pytest.fixture
def window(dummy_display: None) -> Iterator[KioskWindow]:
    with opened("words_3") as window:
        yield window


def test_a_window_draws_a_page_once_and_counts_it_and_harms_nobody_once_it_is_closed() -> None:
    window = KioskWindow(SIZE, "Station")
    assert [window.draw(page) for page in (PAGES["idle"], replace(PAGES["idle"]), PAGES["challenger"])] == [True, False, True]
    assert window.drawn == 2
    assert not window.blocks
    for act in (window.close, window.close, window.wake, lambda: window.wait(None)):
        act()
    assert window.poll() == []
    assert not window.draw(PAGES["idle"])


def test_a_window_that_has_rehearsed_opens_no_font_and_draws_no_sign_for_its_first_verdict() -> None:
    stands = context()
    window = KioskWindow(SIZE, "Station")
    window.warm(rehearsal(stands, load_texts(), keyboard("qwerty", stands.spelling.tiles if stands.spelling else ())))
    assert (window.drawn, window.arranged) == (0, None)
    fonts, signs = font.cache_info().misses, stencil.cache_info().misses
    assert window.draw(shown(verdict(acceptable=False)))
    assert (font.cache_info().misses, stencil.cache_info().misses) == (fonts, signs)
    window.close()


def test_a_closed_window_is_told_unless_the_screen_is_locked_and_then_it_is_full_and_shows_no_pointer() -> None:
    for locked, closed in ((False, [players.CloseAsked()]), (True, [])):
        with opened("words_3", locked=locked) as window:
            post(pygame.QUIT)
            assert heard(window) == closed
            surface = some(pygame.display.get_surface())
            assert bool(surface.get_flags() & pygame.FULLSCREEN) is locked
            assert pygame.mouse.get_visible() is not locked


def test_a_wake_from_another_thread_ends_a_wait_and_what_lies_there_needs_none(window: KioskWindow) -> None:
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


@pytest.mark.parametrize("size", [(1280, 720), (480, 800), (200, 50), (1, 1)])
def test_a_resized_window_is_laid_out_and_drawn_anew_and_a_tiny_one_recovers(window: KioskWindow, size: tuple[int, int]) -> None:
    for width, height in (size, SIZE):
        pygame.display.set_mode((width, height), pygame.RESIZABLE)
        post(pygame.VIDEORESIZE, size=(width, height), w=width, h=height)
        before = window.drawn
        window.poll()
        assert window.size == (width, height)
        assert window.drawn == before + 1
    touch(window, "finish")
    assert heard(window) == [players.Finish()]


def test_a_display_that_is_gone_is_a_screen_error_in_drawing_polling_and_waiting() -> None:
    window = KioskWindow(SIZE, "Station")
    window.draw(PAGES["idle"])
    pygame.display.quit()
    for act in (lambda: window.draw(words_page(2)), window.poll, lambda: window.wait(None)):
        with pytest.raises(ScreenError, check=with_fields(expected="the display to stay connected")):
            act()
    window.close()


def test_a_finger_and_a_click_are_heard_once_two_fingers_as_two_presses_and_a_wheel_and_other_buttons_not(window: KioskWindow) -> None:
    touch(window, "tile.Q")
    click(window, "tile.Q", copied=True)
    click(window, "finish")
    assert heard(window) == [players.TypeTile("Q"), players.Finish()]
    for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
        finger(window, kind, "back", 1)
        finger(window, kind, "tile.Q", 2)
    assert heard(window) == [players.TypeTile("Q"), players.Back()]
    for button in (2, 3, 4, 5):
        click(window, "finish", button=button)
    assert heard(window) == []


def test_a_press_lasts_while_its_page_only_changes_a_word(window: KioskWindow) -> None:
    before = window.drawn
    finger(window, pygame.FINGERDOWN, "finish")
    assert (heard(window), window.drawn) == ([], before + 1)
    page = PAGES["words_3"]
    window.draw(replace(page, words=(*page.words[:2], replace(page.words[2], text="OXAZOLES"))))
    finger(window, pygame.FINGERUP, "finish")
    assert (heard(window), window.drawn) == ([players.Finish()], before + 3)


def test_a_touch_panel_that_is_pulled_out_under_a_finger_holds_nothing_any_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with closing(Plugged(tmp_path)) as plugged:
        plugged.plug("event0")
        monkeypatch.setattr("appliance.display.pane.sources", lambda _: Devices(plugged.folder, plugged.hotplug))
        with opened() as window:
            finger(window, pygame.FINGERDOWN, "finish")
            assert heard(window) == []
            drawn = window.drawn
            plugged.unplug("event0")
            window.wait(None)
            assert heard(window) == []
            assert window.drawn > drawn
            touch(window, "finish")
            assert heard(window) == [players.Finish()]


def test_keys_type_where_the_page_takes_characters_and_name_what_it_knows(window: KioskWindow) -> None:
    key(pygame.K_n, "ñ")
    key(pygame.K_BACKSPACE)
    key(pygame.K_RETURN)
    key(pygame.K_ESCAPE)
    assert heard(window) == [players.Type("ñ"), players.Erase(), players.Next()]
    window.draw(PAGES["verdict_acceptable"])
    key(pygame.K_a, "a")
    assert heard(window) == []


def test_labels_of_keys_are_shown_once_a_keyboard_has_been_used(tmp_path: Path) -> None:
    def expected(arranged: Arranged) -> bytes:
        surface = pygame.Surface(SIZE, depth=32)
        Painter().draw(surface, arranged, frozenset())
        return pygame.image.tobytes(surface, "RGB")

    with opened("table") as window:

        def shown() -> bytes:
            window.snapshot(tmp_path / "window.png")
            return pygame.image.tobytes(pygame.image.load(tmp_path / "window.png"), "RGB")

        arranged = window.arranged
        assert arranged is not None
        assert shown() == expected(arranged.without_key_labels) != expected(arranged)
        key(pygame.K_n, "n")
        heard(window)
        assert shown() == expected(arranged)


def test_keys_with_ctrl_alt_or_the_systems_own_key_do_nothing_and_shift_types_no_more_of_a_letter_that_is_held(window: KioskWindow) -> None:
    for mod in (pygame.KMOD_LCTRL, pygame.KMOD_RCTRL, pygame.KMOD_LALT, pygame.KMOD_LMETA):
        for code, text in ((pygame.K_v, "v"), (pygame.K_TAB, ""), (pygame.K_RETURN, "")):
            key(code, text, mod)
    key(pygame.K_TAB, "", pygame.KMOD_RALT)
    key(pygame.K_l, "ł", pygame.KMOD_RALT)
    assert heard(window) == [players.Type("ł")]
    for code, mod, text in ((pygame.K_a, 0, "a"), (pygame.K_LSHIFT, pygame.KMOD_LSHIFT, "A")):
        post(pygame.KEYDOWN, key=code, mod=mod)
        post(pygame.TEXTINPUT, text=text)
    assert heard(window) == [players.Type("a")]


def test_a_tab_held_for_a_minute_adjudicates_once() -> None:
    with opened("checking_8") as window:
        for _ in range(1800):
            post(pygame.KEYDOWN, key=pygame.K_TAB, mod=0)
        assert heard(window) == [players.Adjudicate(Way.TAB)]
        post(pygame.WINDOWFOCUSLOST)
        key(pygame.K_TAB)
        assert heard(window) == [players.Adjudicate(Way.TAB)]


def test_what_is_dropped_pasted_or_unknown_never_gets_in_and_a_flood_is_taken_in_parts(window: KioskWindow) -> None:
    blocked = (pygame.DROPTEXT, pygame.DROPFILE, pygame.MOUSEMOTION, pygame.FINGERMOTION, pygame.TEXTEDITING)
    assert all(pygame.event.get_blocked(kind) for kind in blocked)
    for kind in (pygame.USEREVENT, pygame.JOYBUTTONDOWN, pygame.WINDOWENTER):
        post(kind)
    assert heard(window) == []
    for _ in range(4 * MAX):
        key(pygame.K_a, "a")
    assert heard(window) == [players.Type("a")] * 4 * MAX


class Timed:
    """A window in the test's own time; ``drawing`` ns go by while a page is drawn."""

    def __init__(self) -> None:
        self.now, self.drawing = NS, 0
        self.window = KioskWindow(SIZE, "Station", clocks=Clocks(lambda: self.now))
        self._paint, self.window._paint = self.window._paint, self._late  # type: ignore[method-assign]  # slower, and otherwise as it is

    def _late(self) -> bool:
        self.now += self.drawing
        return self._paint()


@pytest.fixture
def timed(dummy_display: None) -> Iterator[Timed]:
    made = Timed()
    made.window.draw(PAGES["words_3"])
    pygame.event.clear()
    yield made
    made.window.close()


def test_a_tab_typed_ahead_of_the_words_to_be_checked_adjudicates_nothing_and_one_after_them_does(window: KioskWindow) -> None:
    post(pygame.KEYDOWN, key=pygame.K_TAB, mod=0)
    window.draw(PAGES["checking_1"])
    assert heard(window) == []
    post(pygame.KEYDOWN, key=pygame.K_TAB, mod=0)
    assert heard(window) == []
    post(pygame.KEYUP, key=pygame.K_TAB, mod=0)
    key(pygame.K_TAB)
    assert heard(window) == [players.Adjudicate(Way.TAB)]


def test_a_touch_that_begins_in_a_pages_first_half_second_presses_nothing_shows_nothing_and_is_gone_when_it_is_lifted(timed: Timed) -> None:
    window = timed.window
    timed.now += NS // 2 - 1
    drawn = window.drawn
    finger(window, pygame.FINGERDOWN, "finish")
    assert heard(window) == []
    assert (window.drawn, window._touching.pressed) == (drawn, frozenset())
    timed.now += NS
    finger(window, pygame.FINGERUP, "finish")
    assert heard(window) == []
    touch(window, "finish")
    assert heard(window) == [players.Finish()]
