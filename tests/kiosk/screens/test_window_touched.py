"""Fingers, a mouse and its wheel at the station's window: what each press is heard as, and when it is drawn."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from appliance.display.sources import Devices
from kiosk import events as players
from kiosk.screens.pressing import Pressed, ScreenInput
from tests.appliance.display.plugged import Plugged
from tests.kiosk.screens.opened import middle
from tests.kiosk.screens.pages import PAGES
from tests.kiosk.screens.pressing import click, finger, heard, opened, post, touch


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
        said: list[ScreenInput] = window.poll() + window.poll()
        assert all(isinstance(each, Pressed) for each in said)
        instants = [each.at for each in said if isinstance(each, Pressed)]
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
def test_a_press_lasts_while_its_page_only_changes_a_word() -> None:
    with opened("words_3") as window:
        finger(window, pygame.FINGERDOWN, "finish")
        assert heard(window) == []
        page = PAGES["words_3"]
        window.draw(replace(page, words=(*page.words[:2], replace(page.words[2], text="OXAZOLES"))))
        finger(window, pygame.FINGERUP, "finish")
        assert heard(window) == [players.Finish()]


@pytest.mark.usefixtures("dummy_display")
def test_a_wheel_and_other_buttons_press_nothing() -> None:
    with opened("words_3") as window:
        for button in (2, 3, 4, 5):
            for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                post(kind, button=button, pos=middle(window, "finish"), touch=False)
        assert heard(window) == []


@pytest.mark.usefixtures("dummy_display")
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
