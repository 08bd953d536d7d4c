"""The board's button under hands as they are: held too early, let go late, pressed while the program is busy; and the loop that sleeps in between."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from appliance.program import POLL_NS
from game.challenge_log.entry import Kind, Way
from hardware.boards.board import load_board
from hardware.boards.kinds import STATION
from hardware.pins.mock import MockBoard
from tests.kiosk.shell.rig import Hand, Rig, rig
from tests.kiosk.shell.test_log_lost import full_disk

pytestmark = pytest.mark.usefixtures("dummy_display")
BOARD: dict[str, Any] = {"board__file": "station", "board__pins": "mock"}


@pytest.fixture
def board() -> MockBoard:
    return MockBoard(load_board("station", STATION))


@pytest.fixture
def station(tmp_path: Path, board: MockBoard) -> Iterator[Rig]:
    with rig(tmp_path, Hand(), board.factory, **BOARD) as made:
        yield made


def test_the_boards_button_adjudicates_its_lamps_show_the_verdict_and_its_key_switch_opens_the_desk(
    tmp_path: Path, board: MockBoard
) -> None:
    hand = Hand()
    with rig(tmp_path, hand, board.factory, door__key_switch=True, **BOARD) as station:
        station.asked("TILE")
        station.goes_by(0.6)
        assert board.lit("adjudicate")
        board.down("adjudicate", hand.now)
        station.goes_by(0.1)
        board.up("adjudicate", hand.now)
        station.goes_by(0.1)
        assert station.page.startswith("verdict")
        assert [board.lit(lamp) for lamp in ("adjudicate", "acceptable", "unacceptable")] == [False, True, False]
        assert station.entries()[-1].way == "button"
        station.tap("done")
        board.down("key", hand.now)
        station.goes_by(0.2)
        assert station.page == "desk.menu"
        board.up("key", hand.now)
        station.goes_by(0.2)
        assert station.page == "idle"


def test_a_button_that_is_held_while_the_words_come_up_and_let_go_later_adjudicates_nothing(station: Rig, board: MockBoard) -> None:
    station.tap("begin", "clock.stopped", "tile.1", "next", "challenger.left", "last_play.no", "count.1", "tile.Q", "tile.I")
    board.down("adjudicate", station.hand.now)
    station.goes_by(0.2)
    station.tap("finish")
    station.goes_by(2)
    board.up("adjudicate", station.hand.now)
    station.goes_by(1)
    assert station.page == "checking"
    assert [entry.kind for entry in station.entries()] == [Kind.STARTED]
    board.press("adjudicate", station.hand.now)
    station.goes_by(1)
    assert station.entries()[-1].way is Way.BUTTON


def test_a_press_before_the_screen_clears_counts_however_late_the_loop_comes_to_hear_of_it(station: Rig, board: MockBoard) -> None:
    station.asked("TILE")
    station.goes_by(44.9)
    assert station.page == "checking"
    board.down("adjudicate", station.hand.now)
    station.hand.now += 500_000_000
    # As in the loop's own turn: what woke it is taken first, and then all is brought to now.
    station.loop._take(station.loop.inbox.wait(0))
    station.loop._show()
    assert station.page.startswith("verdict")
    assert station.entries()[-1].way is Way.BUTTON


def test_while_the_next_players_wait_for_a_log_that_cannot_be_written_the_loop_sleeps(tmp_path: Path) -> None:
    with rig(tmp_path) as station:
        station.asked("TILE")
        with full_disk():
            station.tap("adjudicate")
            station.goes_by(180)
            assert station.page == "idle.trouble"
            for _ in range(3):
                station.goes_by(15)
                wake = station.loop._show()
                assert wake is not None
                assert wake >= station.hand.now + POLL_NS
