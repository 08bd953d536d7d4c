"""A finger that taps twice: the second tap lands on whatever the first one brought up, and does nothing there."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from game.challenge_log.entry import Kind
from tests.kiosk.shell.rig import Rig, rig

pytestmark = pytest.mark.usefixtures("dummy_display")
START = ("begin", "clock.stopped", "tile.1", "tile.2")


def spot(station: Rig, target: str) -> tuple[float, float]:
    box = next(item.box for item in station.window.arranged.items if item.target is not None and item.target.id == target)
    width, height = station.window.size
    return (box.x + box.width / 2) / width, (box.y + box.height / 2) / height


def press(station: Rig, at: tuple[float, float]) -> None:
    for kind in (pygame.FINGERDOWN, pygame.FINGERUP):
        pygame.event.post(pygame.event.Event(kind, touch_id=0, finger_id=0, x=at[0], y=at[1], dx=0.0, dy=0.0, pressure=1.0))
        station.loop.turn()


def twice(station: Rig, target: str) -> None:
    """Touch a target, and 0.2 s later the same place once more."""
    station.goes_by(0.6)
    at = spot(station, target)
    press(station, at)
    station.goes_by(0.2)
    press(station, at)


@pytest.mark.parametrize("words", [("TILE",), ("TILE", "QI")])
def test_twice_on_all_typed_shows_the_words_and_neither_withdraws_nor_concedes(tmp_path: Path, words: tuple[str, ...]) -> None:
    with rig(tmp_path, rulebook="naspa-2017") as station:
        station.tap(*START, "next", "challenger.right", "last_play.no", f"count.{len(words)}")
        for word in words[:-1]:
            station.tap(*(f"tile.{letter}" for letter in word), "next")
        station.tap(*(f"tile.{letter}" for letter in words[-1]))
        twice(station, "finish")
        assert station.page == "checking"
        assert [entry.kind for entry in station.entries()] == [Kind.STARTED]


def test_twice_on_begin_does_not_say_that_the_clock_is_stopped(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        twice(station, "begin")
        assert station.page == "table.clock"


def test_twice_on_the_number_of_the_table_chooses_no_challenger_and_calls_nobody(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.tap(*START)
        twice(station, "next")
        assert station.page == "table.challenger"
        twice(station, "challenger.right")
        assert station.page == "table.last_play"


def test_a_second_touch_after_half_a_second_is_meant(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.tap("begin")
        at = spot(station, "clock.stopped")
        station.goes_by(0.5)
        press(station, at)
        assert station.page == "table.table"


def test_a_key_struck_twice_does_one_thing_and_digits_and_letters_go_on(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.goes_by(0.6)
        for _ in range(2):
            for kind in (pygame.KEYDOWN, pygame.KEYUP):
                pygame.event.post(pygame.event.Event(kind, key=pygame.K_RETURN, mod=0, unicode="", scancode=0))
            station.loop.turn()
        assert station.page == "table.clock"
        station.key("return")
        station.type("12")
        assert station.loop.page is not None
        assert station.loop.page.entry == "12"


@pytest.mark.parametrize("left_handed", [False, True])
def test_fewer_words_twice_takes_no_typed_word_away(tmp_path: Path, *, left_handed: bool) -> None:
    with rig(tmp_path, screen__left_handed=left_handed) as station:
        station.tap(
            *START,
            "next",
            "challenger.left",
            "last_play.no",
            "count.2",
            *(f"tile.{letter}" for letter in "TILE"),
            "next",
            "tile.Q",
            "tile.I",
        )
        twice(station, "count.fewer")
        assert station.loop.page is not None
        assert [line.text for line in station.loop.page.words] == ["TILE", "QI"]
