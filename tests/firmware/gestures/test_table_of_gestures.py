"""The tables of docs/spec/events.md, "Own button" and "Bar", row by row, each with clean edges and with bounce."""

import pytest

from firmware.gestures.clock_state import ClockState
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Press, drive, said, table
from tests.firmware.saying import RULEBOOKS

pytestmark = pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])

READY: tuple[str, ...] = ()
RUNNING = ("0 press right",)  # left's clock and turn
DECIDING = ("0 press right", "2 neutralise", "4 decide right")  # right's clock, left's turn
HOLD = ("0 press right", "4 hold")
STOPPED = ("0 press right", "4 neutralise")
STOPPED_HOLD = (*HOLD, "5 neutralise")
OUT = ("0 press right", "4 out_play")
PENDING_HOLD = (*OUT, "5 hold")
PENDING_STOP = (*PENDING_HOLD, "6 neutralise")
ADJUDICATION = ("0 press right", "4 challenge")  # left challenges
PENDING_ADJUDICATION = (*OUT, "5 challenge")
OVER = ("0 press right", "4 end reason=x")
NO_TURN = ("0 end reason=x", "1 reopen reason=x")
LATE = ("0 late_start left",)
BOTH_LATE = ("0 late_start both",)


def after(rulebook: str, start: tuple[str, ...], *presses: Press, bouncy: bool) -> tuple[list[tuple[int, str]], ClockState]:
    """Return what the presses said, by instants in ms, and the table 100 ms after the last was let go."""
    begun = table(rulebook, *start)
    edges = [edge for press in presses for edge in press.edges(bouncy=bouncy)]
    done = drive(begun, edges, max(press.at + press.held for press in presses) + 100)
    return said(done.record)[len(said(begun.record)) :], done


def told(rulebook: str, start: tuple[str, ...], *presses: Press, bouncy: bool) -> list[tuple[int, str]]:
    """Return what the presses said."""
    return after(rulebook, start, *presses, bouncy=bouncy)[0]


def answered(done: ClockState) -> list[tuple[str | None, str]]:
    """Return whom the table answers, and by which text."""
    return [(None if answer.where is None else answer.where.value, answer.message.key) for answer in done.answers]


OWN_BUTTON_SHORT = [
    (READY, "left", "press left", None),
    (READY, "right", "press right", None),
    (LATE, "left", "arrive left", None),
    (LATE, "right", None, "late"),
    (BOTH_LATE, "left", "arrive left", None),
    (BOTH_LATE, "right", "arrive right", None),
    ((*BOTH_LATE, "3 arrive left"), "left", None, "late"),
    (RUNNING, "left", "press left", None),
    (RUNNING, "right", None, "hold"),
    (DECIDING, "right", "press right", None),
    (DECIDING, "left", None, "opponent_decides"),
    (HOLD, "left", "press left", None),
    (HOLD, "right", None, "on_hold"),
    (PENDING_HOLD, "left", None, "opponent_runs"),
    (PENDING_HOLD, "right", None, "accept"),
    (OUT, "left", "press left", None),
    (OUT, "right", None, "accept"),
    (STOPPED, "left", "press left", None),
    (STOPPED, "right", "press right", None),
    (STOPPED_HOLD, "left", "press left", None),
    (STOPPED_HOLD, "right", "press right", None),
    (PENDING_STOP, "left", "press left", None),
    (PENDING_STOP, "right", None, "accept"),
    (ADJUDICATION, "left", "press left", None),
    (ADJUDICATION, "right", "press right", None),
    (PENDING_ADJUDICATION, "left", None, "verdict_first"),
    (PENDING_ADJUDICATION, "right", None, "verdict_first"),
    (OVER, "left", None, "signed"),
    (OVER, "right", None, "signed"),
]


def test_an_own_button_short_does_its_row_or_says_why_it_does_nothing(bouncy: bool) -> None:
    for cell in each_cell(OWN_BUTTON_SHORT):
        with cell as (start, side, event, answer):
            events, done = after("naspa-2017", start, Press(side, 7_000, 900), bouncy=bouncy)
            assert events == ([] if event is None else [(7_000, event)])
            assert answered(done) == ([] if answer is None else [(side, f"answer.{answer}")])


OWN_BUTTON_HELD = [
    (READY, "left", "press left"),
    (LATE, "right", None),
    (RUNNING, "left", "press left"),
    (RUNNING, "right", "hold"),
    (DECIDING, "left", None),
    (HOLD, "left", "press left"),
    (HOLD, "right", "release"),
    (PENDING_HOLD, "left", None),
    (PENDING_HOLD, "right", "release"),
    (OUT, "left", "press left"),
    (OUT, "right", "release"),
    (STOPPED, "left", "out_play"),
    (PENDING_STOP, "left", "press left"),
    (PENDING_STOP, "right", "release"),
    (ADJUDICATION, "right", "challenge right"),
    (ADJUDICATION, "left", "press left"),
    (PENDING_ADJUDICATION, "left", None),
    (OVER, "left", None),
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
    done = after("naspa-2017", RUNNING, Press("left", 7_001), bouncy=bouncy)[1]
    assert done.game_at(8_000 * MS).used.left == 7_001 * MS


def test_in_new_zealand_the_out_players_button_does_nothing_within_five_seconds(bouncy: bool) -> None:
    events, done = after("nzasp-2022", OUT, Press("left", 8_900), bouncy=bouncy)
    assert (events, answered(done)) == ([], [("left", "answer.out_play_wait")])
    assert told("nzasp-2022", OUT, Press("left", 9_000), bouncy=bouncy) == [(9_000, "press left")]


def test_an_answer_ends_where_the_game_changes(bouncy: bool) -> None:
    for cell in each_cell([Press("left", 8_000), Press("right", 8_000, held=1_100)]):
        with cell as second:
            done = after("naspa-2017", RUNNING, Press("right", 7_000), second, bouncy=bouncy)[1]
            assert answered(done) == []


def test_an_answer_stands_for_two_seconds(bouncy: bool) -> None:
    done = after("naspa-2017", RUNNING, Press("right", 7_000), bouncy=bouncy)[1]
    assert [answer.until for answer in done.answers] == [9_000 * MS]


def test_the_waiting_side_records_the_hold_and_its_release_each_by_a_held_press(bouncy: bool) -> None:
    presses = [Press("right", 7_000, 1_200), Press("right", 9_000, 1_200)]
    assert told("naspa-2017", RUNNING, *presses, bouncy=bouncy) == [(7_000, "hold"), (9_000, "release")]


BAR_SHORT = [
    (READY, None, None),
    (LATE, "arrive left", None),
    (BOTH_LATE, None, "both_absent"),
    ((*BOTH_LATE, "3 arrive left"), "arrive right", None),
    (RUNNING, "neutralise", None),
    (HOLD, "neutralise", None),
    (PENDING_HOLD, "neutralise", None),
    (STOPPED, "resume left", None),
    (STOPPED_HOLD, "resume left", None),
    (NO_TURN, None, None),
    (PENDING_STOP, "press left", None),
    (OUT, None, "out_play_stopped"),
    (ADJUDICATION, None, None),
    (OVER, None, "over"),
]


def test_the_bar_short_does_its_row(bouncy: bool) -> None:
    for cell in each_cell(BAR_SHORT):
        with cell as (start, event, answer):
            events, done = after("naspa-2017", start, Press("centre", 7_000, 900), bouncy=bouncy)
            assert events == ([] if event is None else [(7_000, event)])
            assert answered(done) == ([] if answer is None else [(None, f"answer.{answer}")])


BAR_AT_ONE_SECOND = [
    (READY, None),
    (LATE, None),
    (BOTH_LATE, None),
    (RUNNING, "neutralise"),
    (HOLD, "neutralise"),
    (PENDING_HOLD, "neutralise"),
    (STOPPED, None),
    (NO_TURN, None),
    (PENDING_STOP, None),
    (OUT, None),
    (ADJUDICATION, None),
    (OVER, None),
]


def test_the_bar_held_for_a_second_opens_the_table_menu_and_only_a_stop_stands(bouncy: bool) -> None:
    for cell in each_cell(BAR_AT_ONE_SECOND):
        with cell as (start, event):
            events, done = after("naspa-2017", start, Press("centre", 7_000, 1_000), bouncy=bouncy)
            assert events == ([] if event is None else [(7_000, event)])
            assert done.table_menu is not None
            assert done.table_menu.opened_at == 8_000 * MS


def test_the_bar_held_for_two_seconds_is_a_challenge_at_the_first_edge_and_closes_the_menu(bouncy: bool) -> None:
    for cell in each_cell([RUNNING, HOLD, STOPPED, STOPPED_HOLD, OUT, PENDING_HOLD, PENDING_STOP]):
        with cell as start:
            events, done = after("naspa-2017", start, Press("centre", 7_000, 2_000), bouncy=bouncy)
            assert events == [(7_000, "challenge")]
            assert done.record.number == len(start) + 2
            assert done.table_menu is None
    for cell in each_cell([READY, LATE, NO_TURN]):
        with cell as start:
            events, done = after("naspa-2017", start, Press("centre", 7_000, 4_000), bouncy=bouncy)
            assert events == []
            assert done.table_menu is not None


def test_the_challenge_is_made_at_two_seconds_while_still_held(bouncy: bool) -> None:
    begun = table("naspa-2017", *RUNNING)
    edges = [edge for edge in Press("centre", 7_000, 60_000).edges(bouncy=bouncy) if edge.at < 9_500 * MS]
    assert said(drive(begun, edges, 8_999).record)[2:] == [(7_000, "neutralise")]
    assert said(drive(begun, edges, 9_000).record)[2:] == [(7_000, "challenge")]


def test_the_next_game_is_made_on_letting_go_after_two_seconds_and_never_by_a_bar_that_is_stuck(bouncy: bool) -> None:
    begun = table("naspa-2017", *OVER)
    held = Press("centre", 7_000, 60_000).edges(bouncy=bouncy)
    assert drive(begun, held, 9_900).record is begun.record
    for cell in each_cell([(1_999, False), (2_000, True), (9_999, True), (10_000, False), (40_000, False)]):
        with cell as (for_ms, begins):
            done = after("naspa-2017", OVER, Press("centre", 7_000, for_ms), bouncy=bouncy)[1]
            assert (done.record.before is None) is begins


def test_the_next_game_keeps_rulebook_and_allowances_which_follow_the_players_seats(bouncy: bool) -> None:
    start = ("0 swap reason=x", "1 rulebook rulebook=club reason=x", "2 end reason=x")
    begun = table("naspa-2017 left_seconds=1800", *start)
    done = drive(begun, Press("centre", 7_000, 2_500).edges(bouncy=bouncy), 10_000)
    assert said(done.record) == [(9_500, "new_game 3 club 1800")]
    assert (done.record.game.allowed.left, done.record.game.allowed.right) == (1500 * 1000 * MS, 1800 * 1000 * MS)


def test_without_a_screen_the_acts_at_two_seconds_remain_and_no_menu_opens(bouncy: bool) -> None:
    begun = table("naspa-2017", *STOPPED, screen=False)
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
            events, done = after(rulebook, ADJUDICATION, *presses, Press("centre", 11_000, 1_200), bouncy=bouncy)
            assert events == ([] if taken is None else [(11_000, taken)])
            # Where nothing is offered, the held bar opens the menu.
            assert (done.table_menu is not None) is (taken is None)


def test_an_offer_lapses_fifteen_seconds_after_the_last_press(bouncy: bool) -> None:
    begun = table("naspa-2017", *ADJUDICATION)
    edges = Press("centre", 7_000).edges(bouncy=bouncy)
    assert drive(begun, edges, 21_999).offer.kind.value == "acceptable"
    assert drive(begun, edges, 22_000).offer.kind.value == "none"


def test_a_second_adjudication_begins_with_nothing_on_offer(bouncy: bool) -> None:
    presses = [Press("centre", 7_000), Press("left", 8_000), Press("centre", 12_000, 2_000)]
    events, done = after("naspa-2017", ADJUDICATION, *presses, bouncy=bouncy)
    assert events == [(8_000, "press left"), (12_000, "challenge")]
    assert done.offer.kind.value == "none"


def test_after_a_decisions_window_the_other_players_button_starts_the_deciders_clock(bouncy: bool) -> None:
    for cell in each_cell([("overdraw_decision", True), ("tiles_returned", True), ("tile_decision", False)]):
        with cell as (window, decides):
            start = (*STOPPED, f"5 window left name={window}")
            expires = 5_000 + (60_000 if window == "tile_decision" else 15_000)
            early = told("naspa-2017", start, Press("right", expires - 1), bouncy=bouncy)
            assert early == [(expires - 1, "press right")]
            late = told("naspa-2017", start, Press("right", expires), bouncy=bouncy)
            assert late == [(expires, "decide left" if decides else "press right")]
            assert told("naspa-2017", start, Press("left", expires), bouncy=bouncy) == [(expires, "press left")]


def test_without_a_side_a_decisions_window_leaves_the_buttons_as_they_are(bouncy: bool) -> None:
    start = (*STOPPED, "5 window name=overdraw_decision")
    assert told("naspa-2017", start, Press("right", 21_000), bouncy=bouncy) == [(21_000, "press right")]


def test_a_clock_that_a_player_started_ends_the_decisions_window(bouncy: bool) -> None:
    start = (*STOPPED, "5 window left name=overdraw_decision")
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
            assert told(rulebook, OVER, Press(button, 7_000, 900), bouncy=bouncy) == []


def test_the_directors_buttons_do_nothing_while_the_key_is_off(bouncy: bool) -> None:
    for cell in each_cell(["up", "down", "ok"]):
        with cell as button:
            for start in (READY, RUNNING, STOPPED, ADJUDICATION):
                assert told("naspa-2017", start, Press(button, 7_000, 1_500), bouncy=bouncy) == []
