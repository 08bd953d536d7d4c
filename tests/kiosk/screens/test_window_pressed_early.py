"""What is pressed or typed before its page was up, or in the first half second of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pygame
import pytest

from appliance.clocks import Clocks
from game.challenge_log.entry import Way
from kiosk import events as players
from kiosk.layout.placed import hit
from kiosk.screens.pressing import Pressed
from kiosk.screens.window import KioskWindow
from rules.duration import NS
from tests.kiosk.screens.opened import middle
from tests.kiosk.screens.pages import PAGES, checking
from tests.kiosk.screens.pressing import SIZE, finger, heard, key, opened, post, touch


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
def test_touches_that_came_before_another_page_was_up_press_nothing_there() -> None:
    with opened("words_3") as window:
        spot = middle(window, "finish")
        touch(window, "finish")
        touch(window, "finish", 1)
        finger(window, pygame.FINGERDOWN, "back", 2)
        assert [each.event for each in window.poll() if isinstance(each, Pressed)] == [players.Finish()]
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
