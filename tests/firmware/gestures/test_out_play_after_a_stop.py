"""The own button held after a stop: the out play by that side, also in the place of a press out of habit (2017 V.E)."""

import pytest

from firmware.core.game import Phase
from firmware.gestures.clock_state import ClockState
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Press, drive, said, table

pytestmark = pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])
PLAYED_ON = ("0 press right", "10 press left")  # left played out at 10 s and pressed out of habit: right's clock runs
STOPPED = (*PLAYED_ON, "14 neutralise")


def after(rulebook: str, start: tuple[str, ...], press: Press, *, bouncy: bool) -> tuple[list[tuple[int, str]], ClockState]:
    """Return the events after the first press of the script, and the table once ``press`` is held to its end."""
    done = drive(table(rulebook, *start), press.edges(bouncy=bouncy), press.at + press.held + 100)
    return said(done.record)[2:], done


def test_it_takes_the_place_of_the_last_press_at_that_presss_instant_and_the_stop_drops_out(bouncy: bool) -> None:
    events, done = after("naspa-2017", STOPPED, Press("left", 16_000, 1_200), bouncy=bouncy)
    assert events == [(10_000, "out_play")]
    game = done.game_at(18_000 * MS)
    assert (game.phase, game.out_player and game.out_player.value) == (Phase.OUT_PLAY, "left")
    assert (game.used.left, game.used.right) == (10_000 * MS, 0), "what the opponent was charged since is neutral"
    assert game.out_play_ends == 30_000 * MS


def test_stops_reasons_windows_calls_infractions_and_the_players_minute_leave_it_possible(bouncy: bool) -> None:
    for cell in each_cell(
        [
            ("15 reason reason=x",),
            ("15 window name=mixing",),
            ("15 call on=true",),
            ("15 infraction right",),
            ("15 adjust right seconds=60 when=now reason=x by=players",),
        ]
    ):
        with cell as more:
            events, done = after("naspa-2017", (*STOPPED, *more), Press("left", 16_000, 1_200), bouncy=bouncy)
            assert events[0] == (10_000, "out_play")
            assert done.game_at(17_000 * MS).phase is Phase.OUT_PLAY


def test_anything_else_since_leaves_the_short_press(bouncy: bool) -> None:
    for cell in each_cell(
        [
            ("0 press right", "10 press left", "12 press right", "14 neutralise"),
            ("0 press right", "10 neutralise", "12 resume right", "14 neutralise"),
            (*STOPPED, "15 adjust right seconds=60 when=now reason=x"),
            (*PLAYED_ON, "12 challenge", "13 verdict acceptable=false"),
        ]
    ):
        with cell as start:
            habit = "right" if start[2].startswith("12 press") else "left"
            side = {"right": "left", "left": "left"}[habit]
            before = len(start) - 1
            events, _ = after("naspa-2017", start, Press(side, 16_000, 1_200), bouncy=bouncy)
            on_turn = table("naspa-2017", *start).game_at(15_500 * MS).turn
            expected = "out_play" if on_turn is not None and on_turn.value == side else f"press {side}"
            assert events[before:] == [(16_000, expected)]


def test_a_hold_that_came_within_the_window_stands_as_the_hold_of_the_out_play(bouncy: bool) -> None:
    start = (*PLAYED_ON, "12 hold", "14 neutralise")
    events, done = after("naspa-2017", start, Press("left", 16_000, 1_200), bouncy=bouncy)
    assert events == [(10_000, "out_play"), (12_000, "hold"), (14_000, "neutralise")]
    game = done.game_at(18_000 * MS)
    assert game.out_player is not None
    assert game.holder is game.out_player.other
    assert game.used.right == 2_000 * MS, "the opponent's clock runs while the out play is held"


def test_where_the_window_would_be_over_the_short_press_is_taken_back_and_the_page_asks(bouncy: bool) -> None:
    for cell in each_cell(
        [
            (("0 press right", "4 neutralise"), "left", 24_000),  # by the side on turn
            (STOPPED, "left", 30_000),  # out of habit
            ((*PLAYED_ON, "31 hold", "33 neutralise"), "left", 34_000),  # the hold came after the window
            ((*PLAYED_ON, "12 hold", "13 release", "14 neutralise"), "left", 16_000),  # a release would accept it
        ]
    ):
        with cell as (start, side, at):
            begun = table("naspa-2017", *start)
            events, done = after("naspa-2017", start, Press(side, at, 1_200), bouncy=bouncy)
            assert events == said(begun.record)[2:]
            assert done.game_at((at + 1_500) * MS).phase is Phase.NEUTRAL
            assert done.table_menu is not None
            assert done.table_menu.path == ("out_play", side)


def test_a_millisecond_before_the_window_is_over_it_is_in_time(bouncy: bool) -> None:
    events, _ = after("naspa-2017", ("0 press right", "4 neutralise"), Press("left", 23_999, 1_000), bouncy=bouncy)
    assert events[-1] == (23_999, "out_play")


def test_in_new_zealand_no_out_play_ends_a_game_so_none_is_too_late(bouncy: bool) -> None:
    events, done = after("nzasp-2022", STOPPED, Press("left", 60_000, 1_200), bouncy=bouncy)
    assert events == [(10_000, "out_play")]
    assert done.game_at(62_000 * MS).phase is Phase.OUT_PLAY
