"""The table of docs/spec/events.md, "Bar", row by row, each with clean edges and with bounce."""

import pytest

from tests.cells import each_cell
from tests.firmware.gestures import states
from tests.firmware.gestures.states import after, answered
from tests.firmware.gestures.trains import MS, Press, drive, said, table

pytestmark = pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])

BAR_SHORT = [
    (states.READY, None, None),
    (states.LATE, "arrive left", None),
    (states.BOTH_LATE, None, "both_absent"),
    ((*states.BOTH_LATE, "3 arrive left"), "arrive right", None),
    (states.RUNNING, "neutralise", None),
    (states.HOLD, "neutralise", None),
    (states.PENDING_HOLD, "neutralise", None),
    (states.STOPPED, "resume left", None),
    (states.STOPPED_HOLD, "resume left", None),
    (states.NO_TURN, None, None),
    (states.PENDING_STOP, "press left", None),
    (states.OUT, None, "out_play_stopped"),
    (states.ADJUDICATION, None, None),
    (states.OVER, None, "over"),
]


def test_the_bar_short_does_its_row(bouncy: bool) -> None:
    for cell in each_cell(BAR_SHORT):
        with cell as (start, event, answer):
            events, done = after("naspa-2017", start, Press("centre", 7_000, 900), bouncy=bouncy)
            assert events == ([] if event is None else [(7_000, event)])
            assert answered(done) == ([] if answer is None else [(None, f"answer.{answer}")])


BAR_AT_ONE_SECOND = [
    (states.READY, None),
    (states.LATE, None),
    (states.BOTH_LATE, None),
    (states.RUNNING, "neutralise"),
    (states.HOLD, "neutralise"),
    (states.PENDING_HOLD, "neutralise"),
    (states.STOPPED, None),
    (states.NO_TURN, None),
    (states.PENDING_STOP, None),
    (states.OUT, None),
    (states.ADJUDICATION, None),
    (states.OVER, None),
]


def test_the_bar_held_for_a_second_opens_the_table_menu_and_only_a_stop_stands(bouncy: bool) -> None:
    for cell in each_cell(BAR_AT_ONE_SECOND):
        with cell as (start, event):
            events, done = after("naspa-2017", start, Press("centre", 7_000, 1_000), bouncy=bouncy)
            assert events == ([] if event is None else [(7_000, event)])
            assert done.table_menu is not None
            assert done.table_menu.opened_at == 8_000 * MS


def test_the_bar_held_for_two_seconds_is_a_challenge_at_the_first_edge_and_closes_the_menu(bouncy: bool) -> None:
    for cell in each_cell(
        [states.RUNNING, states.HOLD, states.STOPPED, states.STOPPED_HOLD, states.OUT, states.PENDING_HOLD, states.PENDING_STOP]
    ):
        with cell as start:
            events, done = after("naspa-2017", start, Press("centre", 7_000, 2_000), bouncy=bouncy)
            assert events == [(7_000, "challenge")]
            assert done.record.number == len(start) + 2
            assert done.table_menu is None
    for cell in each_cell([states.READY, states.LATE, states.NO_TURN]):
        with cell as start:
            events, done = after("naspa-2017", start, Press("centre", 7_000, 4_000), bouncy=bouncy)
            assert events == []
            assert done.table_menu is not None


def test_the_challenge_is_made_at_two_seconds_while_still_held(bouncy: bool) -> None:
    begun = table("naspa-2017", *states.RUNNING)
    edges = [edge for edge in Press("centre", 7_000, 60_000).edges(bouncy=bouncy) if edge.at < 9_500 * MS]
    assert said(drive(begun, edges, 8_999).record)[2:] == [(7_000, "neutralise")]
    assert said(drive(begun, edges, 9_000).record)[2:] == [(7_000, "challenge")]


def test_the_next_game_is_made_on_letting_go_after_two_seconds_and_never_by_a_bar_that_is_stuck(bouncy: bool) -> None:
    begun = table("naspa-2017", *states.OVER)
    held = Press("centre", 7_000, 60_000).edges(bouncy=bouncy)
    assert drive(begun, held, 9_900).record is begun.record
    for cell in each_cell([(1_999, False), (2_000, True), (9_999, True), (10_000, False), (40_000, False)]):
        with cell as (for_ms, begins):
            done = after("naspa-2017", states.OVER, Press("centre", 7_000, for_ms), bouncy=bouncy)[1]
            assert (done.record.before is None) is begins


SWAPPED = ("0 swap reason=x", "1 rulebook rulebook=club reason=x", "2 end reason=x")


def test_the_next_game_keeps_the_rulebook_begins_with_the_regulation_and_asks_whether_extra_time_is_kept(bouncy: bool) -> None:
    begun = table("naspa-2017 left_seconds=1800", *SWAPPED)
    done = drive(begun, Press("centre", 7_000, 2_500).edges(bouncy=bouncy), 10_000)
    assert said(done.record) == [(9_500, "new_game 4 club")]
    assert done.table_menu is not None
    assert done.table_menu.path == ("keep", "-", str(1800 * 1000 * MS)), "it is the player's, who has changed seats"
    assert drive(done, [], 24_600).record.game.allowed.right == 1500 * 1000 * MS, "unanswered, the regulation stands"


def test_both_players_hold_to_keep_extra_time_and_a_short_press_declines(bouncy: bool) -> None:
    begun = table("naspa-2017 left_seconds=1800", *SWAPPED)
    asked = drive(begun, Press("centre", 7_000, 2_500).edges(bouncy=bouncy), 10_000)
    agree = [edge for button in ("left", "right") for edge in Press(button, 12_000, 1_500).edges(bouncy=bouncy)]
    kept = drive(asked, agree, 15_000)
    assert said(kept.record) == [(12_000, "new_game 4 club 1800")]
    assert kept.record.game.allowed.right == 1800 * 1000 * MS
    for button in ("left", "right", "centre"):
        declined = drive(asked, Press(button, 12_000, 300).edges(bouncy=bouncy), 13_000)
        assert (declined.table_menu, said(declined.record)) == (None, [(9_500, "new_game 4 club")])


def test_a_call_that_stands_at_the_end_goes_on_into_the_next_game(bouncy: bool) -> None:
    begun = table("club", "2 end reason=x", "3 call on=true")
    done = drive(begun, Press("centre", 7_000, 2_500).edges(bouncy=bouncy), 10_000)
    assert said(done.record) == [(9_500, "new_game 4 club true")]
    assert done.record.game.called


def test_without_a_screen_the_acts_at_two_seconds_remain_and_no_menu_opens(bouncy: bool) -> None:
    begun = table("naspa-2017", *states.STOPPED, screen=False)
    edges = Press("centre", 7_000, 2_000).edges(bouncy=bouncy)
    assert drive(begun, edges, 8_500).table_menu is None
    assert said(drive(begun, edges, 9_500).record)[3:] == [(7_000, "challenge")]


def test_the_bar_offers_in_turn_on_letting_go_and_held_takes_the_one_on_offer(bouncy: bool) -> None:
    for cell in each_cell(
        [
            ("naspa-2017", 1, "verdict true 1"),
            ("naspa-2017", 2, "verdict false 1"),
            ("naspa-2017", 3, "withdraw"),
            ("naspa-2017", 4, None),
            ("naspa-2017", 5, "verdict true 1"),
            ("naspa-2017-collins-5", 3, "verdict true 2"),
            ("naspa-2017-collins-5", 9, "verdict true 8"),
            ("naspa-2017-collins-10", 10, "withdraw"),
            ("nzasp-2022", 4, "verdict true 3"),
            ("nzasp-2022", 9, "verdict true 8"),
            ("nzasp-2022", 10, None),
        ]
    ):
        with cell as (rulebook, shorts, taken):
            presses = [Press("centre", 7_000 + 300 * index) for index in range(shorts)]
            events, done = after(rulebook, states.ADJUDICATION, *presses, Press("centre", 11_000, 1_200), bouncy=bouncy)
            assert events == ([] if taken is None else [(11_000, taken)])
            # Where nothing is offered, the held bar opens the menu.
            assert (done.table_menu is not None) is (taken is None)


def test_an_offer_lapses_fifteen_seconds_after_the_last_press(bouncy: bool) -> None:
    begun = table("naspa-2017", *states.ADJUDICATION)
    edges = Press("centre", 7_000).edges(bouncy=bouncy)
    assert drive(begun, edges, 21_999).offer.kind.value == "acceptable"
    assert drive(begun, edges, 22_000).offer.kind.value == "none"


def test_a_second_adjudication_begins_with_nothing_on_offer(bouncy: bool) -> None:
    presses = [Press("centre", 7_000), Press("left", 8_000), Press("centre", 12_000, 2_000)]
    events, done = after("naspa-2017", states.ADJUDICATION, *presses, bouncy=bouncy)
    assert events == [(8_000, "press left"), (12_000, "challenge")]
    assert done.offer.kind.value == "none"
