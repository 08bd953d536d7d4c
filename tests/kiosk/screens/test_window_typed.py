"""A keyboard at the station's window: what is typed, what a named key does, and what never gets in."""

from __future__ import annotations

import pygame
import pytest

from game.challenge_log.entry import Way
from kiosk import events as players
from kiosk.screens.window import MAX
from tests.kiosk.screens.pages import PAGES
from tests.kiosk.screens.pressing import heard, key, opened, post


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
def test_what_is_dropped_pasted_or_unknown_never_gets_in_and_a_flood_is_taken_in_parts() -> None:
    with opened("words_3") as window:
        for kind in (
            pygame.DROPTEXT,
            pygame.DROPFILE,
            pygame.MOUSEMOTION,
            pygame.FINGERMOTION,
            pygame.TEXTEDITING,
        ):
            assert pygame.event.get_blocked(kind)
        for kind in (pygame.USEREVENT, pygame.JOYBUTTONDOWN, pygame.WINDOWENTER):
            post(kind)
        assert heard(window) == []
        for _ in range(4 * MAX):
            key(pygame.K_a, "a")
        assert heard(window) == [players.Type("a")] * 4 * MAX
