"""Both player buttons at once are the bar, by the time that both contacts are closed together (docs/spec/events.md, "Gestures")."""

from itertools import product

import pytest

from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Press, drive, said, table

pytestmark = pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])
RUNNING = ("0 press right",)
STOPPED = ("0 press right", "4 neutralise")
OVER = ("0 press right", "4 end reason=x")
PAIRS = [("left", "right"), ("right", "left")]


def told(start: tuple[str, ...], *presses: Press, bouncy: bool, two_button: bool = True, until: int = 20_000) -> list[tuple[int, str]]:
    """Return what the presses said, by instants in ms."""
    begun = table("naspa-2017", *start, two_button=two_button)
    edges = [edge for press in presses for edge in press.edges(bouncy=bouncy)]
    return said(drive(begun, edges, until).record)[len(start) + 1 :]


def test_closed_together_for_a_hundred_ms_they_are_the_bar_at_the_first_edge(bouncy: bool) -> None:
    for cell in each_cell(product(PAIRS, [0, 1, 40, 250, 401, 900], [False, True])):
        with cell as ((first, second), apart, two_button):
            presses = [Press(first, 7_000, apart + 100), Press(second, 7_000 + apart, 900)]
            assert told(RUNNING, *presses, bouncy=bouncy, two_button=two_button) == [(7_000, "neutralise")]
            assert told(STOPPED, *presses, bouncy=bouncy, two_button=two_button) == [(7_000, "resume left")]


def test_closed_together_for_less_they_are_two_presses_in_the_order_of_their_edges(bouncy: bool) -> None:
    for cell in each_cell([50, 250, 401, 900]):
        with cell as apart:
            presses = [Press("left", 7_000, apart + 99), Press("right", 7_000 + apart, 300)]
            assert told(RUNNING, *presses, bouncy=bouncy) == [(7_000, "press left"), (7_000 + apart, "press right")]


def test_two_replies_that_never_overlap_are_two_presses_however_near(bouncy: bool) -> None:
    for cell in each_cell([150, 350]):
        with cell as apart:
            presses = [Press("left", 7_000, 100), Press("right", 7_000 + apart, 100)]
            assert told(RUNNING, *presses, bouncy=bouncy) == [(7_000, "press left"), (7_000 + apart, "press right")]


def test_first_edges_at_most_a_second_apart_may_be_a_chord_also_where_the_first_fill_would_be_full(bouncy: bool) -> None:
    # The waiting player's button, held a second, would be a hold.
    for cell in each_cell([(999, True), (1_000, True), (1_001, False)]):
        with cell as (apart, chord):
            presses = [Press("right", 7_000, 3_000), Press("left", 7_000 + apart, 400)]
            expected = [(7_000, "neutralise")] if chord else [(7_000, "hold"), (7_000 + apart, "press left")]
            assert told(RUNNING, *presses, bouncy=bouncy) == expected


def test_a_fill_that_waited_for_a_chord_that_did_not_come_is_full(bouncy: bool) -> None:
    # The opponent accepts an out play that is held; the out player's button does nothing there.
    held = ("0 press right", "4 out_play", "5 hold")
    presses = [Press("right", 7_000, 3_000), Press("left", 7_950, 80)]
    assert told(held, *presses, bouncy=bouncy) == [(7_000, "release")]


def test_nobody_is_charged_for_a_chord(bouncy: bool) -> None:
    edges = [edge for press in (Press("left", 7_000, 900), Press("right", 7_600, 300)) for edge in press.edges(bouncy=bouncy)]
    game = drive(table("naspa-2017", *RUNNING), edges, 9_000).game_at(9_000 * MS)
    assert (game.used.left, game.used.right) == (7_000 * MS, 0)


def test_it_is_held_from_the_second_edge_to_the_first_release(bouncy: bool) -> None:
    begun = table("naspa-2017", *RUNNING, two_button=True)
    for cell in each_cell(
        [(1_999, 3_000, "neutralise"), (2_000, 3_000, "challenge"), (3_000, 1_999, "neutralise"), (3_000, 2_000, "challenge")]
    ):
        with cell as (left, right, event):
            presses = [Press("left", 7_000, 400 + left), Press("right", 7_400, right)]
            edges = [edge for press in presses for edge in press.edges(bouncy=bouncy)]
            assert said(drive(begun, edges, 14_000).record)[2:] == [(7_000, event)]


def test_a_button_pressed_anew_beside_one_that_is_still_down_after_a_chord_plays_by_itself(bouncy: bool) -> None:
    presses = [Press("left", 7_000, 2_000), Press("right", 7_100, 200), Press("right", 7_600, 300)]
    assert told(STOPPED, *presses, bouncy=bouncy) == [(7_000, "resume left")]
    presses = [Press("left", 7_000, 2_000), Press("right", 7_100, 200), Press("right", 7_600, 1_100)]
    assert told(STOPPED, *presses, bouncy=bouncy) == [(7_000, "resume left"), (7_600, "hold")]


def test_the_verdict_is_taken_by_both_buttons(bouncy: bool) -> None:
    offers = [Press(button, 7_000 + 700 * index + late, 300) for index in range(2) for button, late in (("left", 0), ("right", 30))]
    takes = [Press("left", 10_000, 1_500), Press("right", 10_050, 1_500)]
    assert told(("0 press right", "4 challenge"), *offers, *takes, bouncy=bouncy) == [(10_000, "verdict false 1")]


def test_both_buttons_start_nobodys_clock_before_the_game(bouncy: bool) -> None:
    assert told((), Press("left", 7_000, 400), Press("right", 7_200, 400), bouncy=bouncy) == []


def test_both_buttons_of_one_absent_player_are_that_players_arrival_and_of_two_nobodys(bouncy: bool) -> None:
    both = [Press("left", 7_000, 400), Press("right", 7_100, 400)]
    assert told(("0 late_start left",), *both, bouncy=bouncy) == [(7_000, "arrive left")]
    assert told(("0 late_start both",), *both, bouncy=bouncy) == []


def test_on_two_buttons_both_held_five_seconds_are_the_directors_door_and_only_a_stop_stands(bouncy: bool) -> None:
    for cell in each_cell(
        [
            ((), "ready"),
            (RUNNING, "neutral"),
            (STOPPED, "neutral"),
            # The window of the out play and the late player's clock are stopped: nobody can challenge or arrive at the door.
            (("0 press right", "4 out_play"), "adjudication"),
            (("0 press right", "4 challenge"), "adjudication"),
            (("0 late_start left",), "ready"),
            (("0 late_start both",), "late"),
            (OVER, "over"),
        ]
    ):
        with cell as (start, phase):
            begun = table("naspa-2017", *start, two_button=True)
            edges = [edge for press in (Press("left", 7_000, 5_200), Press("right", 7_100, 5_200)) for edge in press.edges(bouncy=bouncy)]
            assert drive(begun, [edge for edge in edges if edge.at < 8_000 * MS], 12_099).menu is None
            opened = drive(begun, edges, 14_000)
            assert opened.menu is not None
            assert opened.table_menu is None
            assert opened.game_at(14_000 * MS).phase.value == phase


def test_on_two_buttons_a_verdict_taken_on_the_way_to_the_door_is_taken_back(bouncy: bool) -> None:
    begun = table("naspa-2017", "0 press right", "4 challenge", two_button=True)
    offered = [Press("left", 6_000, 300), Press("right", 6_050, 300)]
    door = [Press("left", 7_000, 5_200), Press("right", 7_100, 5_200)]
    edges = [edge for press in (*offered, *door) for edge in press.edges(bouncy=bouncy)]
    assert drive(begun, [edge for edge in edges if edge.at < 9_000 * MS], 9_000).game_at(9_000 * MS).phase.value == "neutral"
    assert drive(begun, edges, 14_000).game_at(14_000 * MS).phase.value == "adjudication"


def test_on_two_buttons_the_next_game_is_made_on_letting_go_before_five_seconds(bouncy: bool) -> None:
    begun = table("naspa-2017", *OVER, two_button=True)
    for cell in each_cell([(1_999, False), (2_000, True), (4_999, True), (5_000, False)]):
        with cell as (held, begins):
            edges = [edge for button in ("left", "right") for edge in Press(button, 7_000, held).edges(bouncy=bouncy)]
            assert (drive(begun, edges, 14_000).record.before is None) is begins


def test_on_a_full_board_both_held_five_seconds_stay_the_bar_held(bouncy: bool) -> None:
    begun = table("naspa-2017", *RUNNING)
    edges = [edge for press in (Press("left", 7_000, 5_200), Press("right", 7_100, 5_200)) for edge in press.edges(bouncy=bouncy)]
    done = drive(begun, edges, 14_000)
    assert done.menu is None
    assert said(done.record)[2:] == [(7_000, "challenge")]


STUCK = Press("left", 2_000, 60_000)
"""It ended the left player's turn; the right player's clock runs."""


def test_with_the_other_button_stuck_one_held_for_a_second_is_the_bar_at_its_first_edge(bouncy: bool) -> None:
    assert told(RUNNING, STUCK, Press("right", 15_000, 999), bouncy=bouncy) == [(2_000, "press left"), (15_000, "press right")]
    assert told(RUNNING, STUCK, Press("right", 15_000, 1_000), bouncy=bouncy) == [(2_000, "press left"), (15_000, "neutralise")]
    # The waiting player's too, whose held press would be a hold.
    waiting = (STUCK, Press("right", 15_000), Press("right", 18_000, 3_000))
    assert told(RUNNING, *waiting, bouncy=bouncy, until=30_000)[1:] == [(15_000, "press right"), (18_000, "neutralise")]


def test_a_button_that_is_held_less_than_ten_seconds_is_not_stuck_and_the_other_one_held_keeps_its_meaning(bouncy: bool) -> None:
    early = (STUCK, Press("right", 11_999, 1_500))
    assert told(RUNNING, *early, bouncy=bouncy) == [(2_000, "press left"), (11_999, "press right")]


def test_after_the_stop_one_button_held_and_pressed_again_is_the_out_play_though_the_other_one_is_stuck(bouncy: bool) -> None:
    stopped = (STUCK, Press("right", 15_000, 1_500), Press("right", 16_600, 1_300), Press("right", 18_000))
    assert told(RUNNING, *stopped, bouncy=bouncy, until=25_000)[1:] == [(15_000, "neutralise"), (18_000, "out_play")]


def test_with_one_button_stuck_the_other_held_five_seconds_is_the_door_and_only_its_stop_stands(bouncy: bool) -> None:
    for cell in each_cell(
        [
            ((), [(2_000, "press left"), (15_000, "neutralise")]),
            ((Press("right", 13_000, 1_500),), [(2_000, "press left"), (13_000, "neutralise")]),
        ]
    ):
        with cell as (before, events):
            begun = table("naspa-2017", *RUNNING, two_button=True)
            at = 15_000 if not before else 18_000
            edges = [edge for press in (STUCK, *before, Press("right", at, 5_100)) for edge in press.edges(bouncy=bouncy)]
            done = drive(begun, edges, 26_000)
            assert done.menu is not None
            assert said(done.record)[2:] == events


def test_on_a_full_board_a_button_held_beside_a_stuck_one_means_no_more_than_before(bouncy: bool) -> None:
    begun = table("naspa-2017", "0 press right")
    edges = [edge for press in (STUCK, Press("right", 15_000, 1_500)) for edge in press.edges(bouncy=bouncy)]
    assert said(drive(begun, edges, 20_000).record)[2:] == [(2_000, "press left"), (15_000, "press right")]
