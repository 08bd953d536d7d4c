"""The page on which both players agree to take back the last act: what it shows, what agrees, and what goes back from it."""

import pytest

from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures.trains import Press, drive, said
from tests.firmware.table_menu.player import Players, players

pytestmark = pytest.mark.parametrize("two_button", [False, True], ids=["full", "two-button"])
STOPPED = ("0 press right", "14 neutralise")
OUT = ("0 press right", "14 out_play")


def test_the_page_to_agree_on_names_what_is_taken_back_with_before_and_after(two_button: bool) -> None:
    both = players("naspa-2017", "0 press right", "10 press left", "14 neutralise", two_button=two_button)
    both.open()
    both.take("take_back")
    change = both.page.change
    assert change is not None
    assert (type(change.event).__name__, change.before.turn, change.after.turn) == ("Press", Side.RIGHT, Side.LEFT)


def test_a_short_press_of_anything_goes_back_from_the_page_to_agree_on(two_button: bool) -> None:
    for cell in each_cell(["left", "right"] if two_button else ["left", "right", "bar"]):
        with cell as button:
            both = players("naspa-2017", *STOPPED, two_button=two_button)
            both.open()
            both.take("take_back")
            both.press(button)
            assert both.page.rows[0].name == "challenge"
            assert both.said() == ["new_game 4 naspa-2017", "press right", "neutralise"]


def test_one_player_alone_or_both_for_less_than_a_second_do_not_agree(two_button: bool) -> None:
    both = players("naspa-2017", *STOPPED, two_button=two_button)
    both.open()
    both.take("take_back")
    both.press("left", 4_000)
    assert both.said()[3:] == []
    both.take("take_back")
    both.both(950)
    assert both.said()[3:] == []


def test_in_out_play_the_out_players_press_on_the_page_to_agree_on_counts_and_agreeing_takes_it_back(two_button: bool) -> None:
    for cell in each_cell(["left", "right"]):
        with cell as first:
            both = players("naspa-2017", *OUT, two_button=two_button)
            both.open()
            both.take("take_back")
            alone = Players(both.table, both.now)
            alone.press("left")
            assert alone.said()[3:] == ["press left"], "no press that starts a clock is swallowed"
            assert alone.table.table_menu is None
            both._press((first, "right" if first == "left" else "left"), 1_200)
            assert both.said()[3:] == ["undo taken back by both players 3 players"]


def test_the_players_last_act_can_be_taken_back_until_exactly_sixty_seconds_after_it(two_button: bool) -> None:
    for cell in each_cell([(60_000, True), (60_001, False)]):
        with cell as (at, taken_back):
            both = players("naspa-2017", "0 press right", "14 neutralise", at=50_000, two_button=two_button)
            both.open()
            both.take("take_back")
            # Both agree at the later of the two first edges.
            both.now = at - 20
            both.both(1_100)
            assert (both.said()[-1].startswith("undo")) is taken_back


def test_the_bar_pressed_while_both_hold_to_agree_says_no(two_button: bool) -> None:
    if two_button:
        return
    both = players("naspa-2017", *STOPPED)
    both.open()
    both.take("take_back")
    edges = [
        *Press("left", both.now, 2_000).edges(bouncy=False),
        *Press("right", both.now, 2_000).edges(bouncy=False),
        *Press("centre", both.now + 500).edges(bouncy=False),
    ]
    both.table = drive(both.table, edges, both.now + 3_000)
    assert said(both.table.record)[3:] == []
    assert both.table.table_menu is not None
    assert both.table.table_menu.path == ()
