"""The table of docs/spec/events.md, "Own button", row by row, each with clean edges and with bounce; and where no button does anything."""

import pytest

from tests.cells import each_cell
from tests.firmware.gestures import states
from tests.firmware.gestures.states import after, answered, told
from tests.firmware.gestures.trains import MS, Press
from tests.firmware.saying import RULEBOOKS

pytestmark = pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])


OWN_BUTTON_SHORT = [
    (states.READY, "left", "press left", None),
    (states.READY, "right", "press right", None),
    (states.LATE, "left", "arrive left", None),
    (states.LATE, "right", None, "late"),
    (states.BOTH_LATE, "left", "arrive left", None),
    (states.BOTH_LATE, "right", "arrive right", None),
    ((*states.BOTH_LATE, "3 arrive left"), "left", None, "late"),
    (states.RUNNING, "left", "press left", None),
    (states.RUNNING, "right", None, "hold"),
    (states.DECIDING, "right", "press right", None),
    (states.DECIDING, "left", None, "opponent_decides"),
    (states.HOLD, "left", "press left", None),
    (states.HOLD, "right", None, "on_hold"),
    (states.PENDING_HOLD, "left", None, "opponent_runs"),
    (states.PENDING_HOLD, "right", None, "accept"),
    (states.OUT, "left", "press left", None),
    (states.OUT, "right", None, "accept"),
    (states.STOPPED, "left", "press left", None),
    (states.STOPPED, "right", "press right", None),
    (states.STOPPED_HOLD, "left", "press left", None),
    (states.STOPPED_HOLD, "right", "press right", None),
    (states.PENDING_STOP, "left", "press left", None),
    (states.PENDING_STOP, "right", None, "accept"),
    (states.ADJUDICATION, "left", "press left", None),
    (states.ADJUDICATION, "right", "press right", None),
    (states.PENDING_ADJUDICATION, "left", None, "verdict_first"),
    (states.PENDING_ADJUDICATION, "right", None, "verdict_first"),
    (states.OVER, "left", None, "signed"),
    (states.OVER, "right", None, "signed"),
]


def test_an_own_button_short_does_its_row_or_says_why_it_does_nothing(bouncy: bool) -> None:
    for cell in each_cell(OWN_BUTTON_SHORT):
        with cell as (start, side, event, answer):
            events, done = after("naspa-2017", start, Press(side, 7_000, 900), bouncy=bouncy)
            assert events == ([] if event is None else [(7_000, event)])
            said = [(where, key) for where, key in answered(done) if key.startswith("answer.")]
            assert said == ([] if answer is None else [(side, f"answer.{answer}")])


OWN_BUTTON_HELD = [
    (states.READY, "left", "press left"),
    (states.LATE, "right", None),
    (states.RUNNING, "left", "press left"),
    (states.RUNNING, "right", "hold"),
    (states.DECIDING, "left", None),
    (states.HOLD, "left", "press left"),
    (states.HOLD, "right", "release"),
    (states.PENDING_HOLD, "left", None),
    (states.PENDING_HOLD, "right", "release"),
    (states.OUT, "left", "press left"),
    (states.OUT, "right", "release"),
    (states.STOPPED, "left", None),
    (states.STOPPED, "right", "hold"),
    (states.STOPPED_HOLD, "right", "release"),
    (states.PENDING_STOP, "left", "press left"),
    (states.PENDING_STOP, "right", "release"),
    (states.ADJUDICATION, "right", "challenge right"),
    (states.ADJUDICATION, "left", "press left"),
    (states.PENDING_ADJUDICATION, "left", None),
    (states.OVER, "left", None),
]


def test_an_own_button_held_for_a_second_calls_at_its_first_edge_and_under_the_number_of_its_short_press(bouncy: bool) -> None:
    for cell in each_cell(OWN_BUTTON_HELD):
        with cell as (start, side, event):
            events, done = after("naspa-2017", start, Press(side, 7_000, 1_000), bouncy=bouncy)
            assert events == ([] if event is None else [(7_000, event)])
            if event is not None:
                assert done.record.number == len(start) + 2


def test_held_for_less_than_a_second_an_own_button_keeps_its_short_meaning(bouncy: bool) -> None:
    for cell in each_cell(OWN_BUTTON_SHORT):
        with cell as (start, side, event, _):
            assert told("naspa-2017", start, Press(side, 7_000, 999), bouncy=bouncy) == ([] if event is None else [(7_000, event)])


def test_the_press_counts_at_its_first_edge_to_the_nanosecond(bouncy: bool) -> None:
    done = after("naspa-2017", states.RUNNING, Press("left", 7_001), bouncy=bouncy)[1]
    assert done.game_at(8_000 * MS).used.left == 7_001 * MS


def test_in_new_zealand_the_out_players_button_does_nothing_within_five_seconds(bouncy: bool) -> None:
    events, done = after("nzasp-2022", states.OUT, Press("left", 8_900), bouncy=bouncy)
    assert (events, answered(done)) == ([], [("left", "answer.out_play_wait")])
    assert told("nzasp-2022", states.OUT, Press("left", 9_000), bouncy=bouncy) == [(9_000, "press left")]


def test_an_answer_ends_where_the_game_changes(bouncy: bool) -> None:
    for cell in each_cell([Press("left", 8_000), Press("right", 8_000, held=1_100)]):
        with cell as second:
            done = after("naspa-2017", states.RUNNING, Press("right", 7_000), second, bouncy=bouncy)[1]
            assert not [key for _, key in answered(done) if key.startswith("answer.")]


def test_an_answer_stands_for_two_seconds(bouncy: bool) -> None:
    done = after("naspa-2017", states.RUNNING, Press("right", 7_000), bouncy=bouncy)[1]
    assert [answer.until for answer in done.answers] == [9_000 * MS]


def test_the_waiting_side_records_the_hold_and_its_release_each_by_a_held_press(bouncy: bool) -> None:
    presses = [Press("right", 7_000, 1_200), Press("right", 9_000, 1_200)]
    assert told("naspa-2017", states.RUNNING, *presses, bouncy=bouncy) == [(7_000, "hold"), (9_000, "release")]


def test_after_a_decisions_window_the_other_players_button_starts_the_deciders_clock(bouncy: bool) -> None:
    for cell in each_cell([("overdraw_decision", True), ("tiles_returned", True), ("tile_decision", False)]):
        with cell as (window, decides):
            start = (*states.STOPPED, f"5 window left name={window}")
            expires = 5_000 + (60_000 if window == "tile_decision" else 15_000)
            early = told("naspa-2017", start, Press("right", expires - 1), bouncy=bouncy)
            assert early == [(expires - 1, "press right")]
            late = told("naspa-2017", start, Press("right", expires), bouncy=bouncy)
            assert late == [(expires, "decide left" if decides else "press right")]
            assert told("naspa-2017", start, Press("left", expires), bouncy=bouncy) == [(expires, "press left")]


def test_without_a_side_a_decisions_window_leaves_the_buttons_as_they_are(bouncy: bool) -> None:
    start = (*states.STOPPED, "5 window name=overdraw_decision")
    assert told("naspa-2017", start, Press("right", 21_000), bouncy=bouncy) == [(21_000, "press right")]


def test_a_clock_that_a_player_started_ends_the_decisions_window(bouncy: bool) -> None:
    start = (*states.STOPPED, "5 window left name=overdraw_decision")
    presses = [Press("right", 21_000), Press("left", 25_000), Press("centre", 30_000), Press("right", 33_000)]
    assert told("naspa-2017", start, *presses, bouncy=bouncy) == [
        (21_000, "decide left"),
        (25_000, "press left"),
        (30_000, "neutralise"),
        (33_000, "press right"),
    ]


def test_after_the_end_no_button_does_anything_by_a_short_press(bouncy: bool) -> None:
    for cell in each_cell([(rulebook, button) for rulebook in RULEBOOKS for button in ("left", "right", "centre", "up", "down", "ok")]):
        with cell as (rulebook, button):
            assert told(rulebook, states.OVER, Press(button, 7_000, 900), bouncy=bouncy) == []


def test_the_directors_buttons_do_nothing_while_the_key_is_off(bouncy: bool) -> None:
    for cell in each_cell(["up", "down", "ok"]):
        with cell as button:
            for start in (states.READY, states.RUNNING, states.STOPPED, states.ADJUDICATION):
                assert told("naspa-2017", start, Press(button, 7_000, 1_500), bouncy=bouncy) == []
