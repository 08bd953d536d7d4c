"""What hands do beside touching one thing at a time: two touches at once, a touch held for a minute, a keyboard pulled in mid-key, text pasted."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from game.challenge_log.entry import Way
from tests.kiosk.shell.rig import Rig, rig

pytestmark = pytest.mark.usefixtures("dummy_display")


def finger(station: Rig, target: str, number: int, *, down: bool) -> None:
    """Put a finger on a target, or lift it."""
    box = next(item.box for item in station.window.arranged.items if item.target is not None and item.target.id == target)
    width, height = station.window.size
    kind = pygame.FINGERDOWN if down else pygame.FINGERUP
    place = {"x": (box.x + box.width / 2) / width, "y": (box.y + box.height / 2) / height}
    pygame.event.post(pygame.event.Event(kind, touch_id=0, finger_id=number, dx=0.0, dy=0.0, pressure=1.0, **place))


def key(code: int, *, down: bool) -> None:
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN if down else pygame.KEYUP, key=code, mod=0, unicode="", scancode=0))


def test_two_players_who_touch_at_once_are_both_heard_once(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.tap("begin", "clock.stopped")
        for down in (True, False):
            finger(station, "tile.4", 1, down=down)
            finger(station, "tile.2", 2, down=down)
        station.loop.turn()
        assert station.loop.page is not None
        assert station.loop.page.entry == "42"


def test_the_challenger_leaning_on_a_key_does_not_keep_the_challenged_player_from_theirs(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        station.goes_by(0.6)
        finger(station, "back", 1, down=True)
        finger(station, "adjudicate", 2, down=True)
        finger(station, "adjudicate", 2, down=False)
        station.loop.turn()
        assert station.page.startswith("verdict")
        # Lifted over another page than it came down on: that presses nothing.
        pygame.event.post(pygame.event.Event(pygame.FINGERUP, touch_id=0, finger_id=1, x=0.5, y=0.9, dx=0.0, dy=0.0, pressure=0.0))
        station.goes_by(1)
        assert station.page.startswith("verdict")


def test_a_finger_that_stays_on_the_adjudication_key_presses_nothing_and_is_nobodys_answer_and_the_screen_clears(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        station.goes_by(0.6)
        finger(station, "adjudicate", 1, down=True)
        station.loop.turn()
        for _ in range(120):
            station.goes_by(1)
        assert station.page == "still_there"
        for _ in range(60):
            station.goes_by(1)
        assert station.page == "idle"
        pygame.event.post(pygame.event.Event(pygame.FINGERUP, touch_id=0, finger_id=1, x=0.8, y=0.8, dx=0.0, dy=0.0, pressure=0.0))
        station.goes_by(1)
        assert station.page == "idle"
        assert all(entry.acceptable is None for entry in station.entries())


def test_a_keyboard_pulled_while_its_tab_key_is_down_and_plugged_in_again_goes_on(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        # Too early: nothing is adjudicated in the first half second. Then the keyboard is gone, and the key was never let go.
        key(pygame.K_TAB, down=True)
        station.loop.turn()
        assert station.page == "checking"
        for _ in range(2):
            station.goes_by(0.6)
            key(pygame.K_TAB, down=True)
            key(pygame.K_TAB, down=False)
            station.loop.turn()
        assert station.entries()[-1].way is Way.TAB


def test_a_tab_key_that_repeats_while_it_is_held_adjudicates_nothing(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        for _ in range(100):
            key(pygame.K_TAB, down=True)
            station.goes_by(0.03)
        assert station.page == "checking"


def test_pasted_text_becomes_words_and_what_is_too_much_is_left_out_and_said(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.tap("begin", "clock.stopped", "tile.5", "next", "challenger.right", "last_play.no", "count.2")
        pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text="tile qi za cat"))
        station.loop.turn()
        assert station.loop.page is not None
        assert [line.text for line in station.loop.page.words] == ["TILE", "QI"]
        assert station.loop.page.notice is not None
        station.key("f8")
        assert station.page == "checking"
