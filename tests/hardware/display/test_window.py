"""Opening and closing a window, whichever program it is for."""

from __future__ import annotations

import pygame
import pytest

from hardware.display.lost import lost
from hardware.display.window import close_window, open_window
from hardware.errors import HardwareError, ScreenError


@pytest.mark.usefixtures("dummy_display")
def test_a_window_has_its_size_and_title_and_can_be_closed_twice_and_opened_again() -> None:
    for size in ((640, 400), (800, 480)):
        assert open_window(size, "a title", fullscreen=False).get_size() == size
        assert pygame.display.get_caption()[0] == "a title"
        close_window()
        close_window()
        assert not pygame.display.get_init()


@pytest.mark.parametrize("advice", [None, "look for the cable"])
def test_without_a_display_the_error_is_one_sentence_that_ends_with_the_advice(monkeypatch: pytest.MonkeyPatch, advice: str | None) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setenv("DISPLAY", ":987654")
    given = {} if advice is None else {"advice": advice}
    with pytest.raises(HardwareError) as caught:
        open_window((640, 400), "a title", fullscreen=False, **given)
    assert str(caught.value).startswith("expected a display for the window, found none (x11 not available): ")
    assert str(caught.value).endswith(advice or "SDL_VIDEODRIVER=kmsdrm")


def test_a_driver_that_draws_where_nobody_sees_it_is_no_display_unless_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    open_window((640, 400), "a title", fullscreen=False)
    close_window()
    # What SDL takes by itself depends on the machine.
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    with pytest.raises(ScreenError, match="where nobody sees it: offscreen"):
        open_window((640, 400), "a title", fullscreen=False)
    assert not pygame.display.get_init()


def test_a_librarys_failure_becomes_the_screens_and_one_of_the_screens_stays_what_it_is() -> None:
    with pytest.raises(ScreenError, match=r"expected the panel to go on with, found none \(pulled out\)"), lost("the panel", pygame.error):
        raise pygame.error("pulled out")
    first = ScreenError("as it was")
    with pytest.raises(ScreenError) as caught, lost("the panel"):
        raise first
    assert caught.value is first
    with pytest.raises(ZeroDivisionError), lost("the panel", pygame.error):
        raise ZeroDivisionError
