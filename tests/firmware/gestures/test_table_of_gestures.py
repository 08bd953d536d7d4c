"""The table of docs/spec/events.md, "Gestures", row by row, each with clean edges and with bounce."""

import pytest

from firmware.gestures.clock_state import ClockState
from tests.cells import each_cell
from tests.firmware.gestures.trains import MS, Press, drive, said, table

pytestmark = pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])

RUNNING = ("0 press right",)  # left's clock and turn
HOLD = ("0 press right", "4 hold")
STOPPED = ("0 press right", "4 neutralise")
OUT = ("0 press right", "4 out_play")
PENDING_HOLD = (*OUT, "5 hold")
PENDING_STOP = (*PENDING_HOLD, "6 neutralise")
ADJUDICATION = ("0 press right", "4 challenge")
OVER = ("0 press right", "4 end reason=x")


def after(rulebook: str, start: tuple[str, ...], *presses: Press, bouncy: bool) -> tuple[list[tuple[int, str]], ClockState]:
    """Return what the presses said, by instants in ms, and the table 2 s after the last was let go."""
    begun = table(rulebook, *start)
    edges = [edge for press in presses for edge in press.edges(bouncy=bouncy)]
    done = drive(begun, edges, max(press.at + press.held for press in presses) + 2_000)
    return said(done.record)[len(said(begun.record)) :], done


def told(rulebook: str, start: tuple[str, ...], *presses: Press, bouncy: bool) -> list[tuple[int, str]]:
    """Return what the presses said."""
    return after(rulebook, start, *presses, bouncy=bouncy)[0]


def test_an_own_button_presses_where_a_press_by_that_side_is_allowed(bouncy: bool) -> None:
    for cell in each_cell(
        [
            ((), "left"),
            ((), "right"),
            (RUNNING, "left"),
            (HOLD, "left"),
            (STOPPED, "left"),
            (STOPPED, "right"),
            (OUT, "left"),
            (OUT, "right"),
            (PENDING_HOLD, "right"),
            (PENDING_STOP, "left"),
            (PENDING_STOP, "right"),
            (ADJUDICATION, "left"),
            (ADJUDICATION, "right"),
        ]
    ):
        with cell as (start, side):
            assert told("naspa-2017", start, Press(side, 7_000), bouncy=bouncy) == [(7_000, f"press {side}")]


def test_the_press_counts_at_its_first_edge_to_the_nanosecond(bouncy: bool) -> None:
    done = after("naspa-2017", RUNNING, Press("left", 7_001), bouncy=bouncy)[1]
    assert done.game_at(8_000 * MS).used.left == 7_001 * MS


def test_in_new_zealand_the_out_players_button_does_nothing_within_five_seconds(bouncy: bool) -> None:
    assert told("nzasp-2022", OUT, Press("left", 8_900), bouncy=bouncy) == []
    assert told("nzasp-2022", OUT, Press("left", 9_000), bouncy=bouncy) == [(9_000, "press left")]


def test_the_waiting_sides_button_holds_and_then_releases(bouncy: bool) -> None:
    presses = [Press("right", 7_000), Press("right", 8_000)]
    assert told("naspa-2017", RUNNING, *presses, bouncy=bouncy) == [(7_000, "hold"), (8_000, "release")]


def test_a_hold_comes_only_a_second_and_a_half_after_that_buttons_last_press(bouncy: bool) -> None:
    start = ("0 press left",)  # right's clock
    soon = [Press("right", 7_000), Press("right", 8_499)]
    assert told("naspa-2017", start, *soon, bouncy=bouncy) == [(7_000, "press right")]
    later = [Press("right", 7_000), Press("right", 8_500)]
    assert told("naspa-2017", start, *later, bouncy=bouncy) == [(7_000, "press right"), (8_500, "hold")]


def test_a_press_that_did_nothing_counts_as_that_buttons_last_press(bouncy: bool) -> None:
    presses = [Press("right", 7_000), Press("right", 8_000), Press("right", 9_000), Press("right", 10_500)]
    assert told("naspa-2017", ("0 press left",), *presses, bouncy=bouncy) == [(7_000, "press right"), (10_500, "hold")]


def test_the_waiting_out_players_button_does_nothing_while_the_out_play_is_held(bouncy: bool) -> None:
    assert told("naspa-2017", PENDING_HOLD, Press("left", 8_000), bouncy=bouncy) == []


def test_the_bar_neutralises(bouncy: bool) -> None:
    for cell in each_cell([RUNNING, HOLD, PENDING_HOLD]):
        with cell as start:
            assert told("naspa-2017", start, Press("centre", 7_000), bouncy=bouncy) == [(7_000, "neutralise")]


def test_the_bar_after_a_stop_resumes_the_turn_and_where_pending_is_the_out_players_button(bouncy: bool) -> None:
    assert told("naspa-2017", STOPPED, Press("centre", 7_000), bouncy=bouncy) == [(7_000, "resume left")]
    assert told("naspa-2017", PENDING_STOP, Press("centre", 7_000), bouncy=bouncy) == [(7_000, "press left")]


def test_the_bar_does_nothing_where_the_table_gives_it_nothing(bouncy: bool) -> None:
    for cell in each_cell([(), OUT, ("0 end reason=x", "1 reopen reason=x"), ("0 late_start both",)]):
        with cell as start:
            assert told("naspa-2017", start, Press("centre", 7_000), bouncy=bouncy) == []


def test_the_bar_held_is_a_challenge_at_the_first_edge_and_the_short_press_is_taken_back(bouncy: bool) -> None:
    for cell in each_cell([RUNNING, HOLD, STOPPED, OUT, PENDING_HOLD, PENDING_STOP]):
        with cell as start:
            said_then, done = after("naspa-2017", start, Press("centre", 7_000, 1_000), bouncy=bouncy)
            assert said_then == [(7_000, "challenge")]
            number = done.record.number
            assert number == len(start) + 2
            assert done.game_at(9_000 * MS).phase.value == "adjudication"


def test_the_bar_held_for_less_than_a_second_stays_a_short_press(bouncy: bool) -> None:
    assert told("naspa-2017", RUNNING, Press("centre", 7_000, 999), bouncy=bouncy) == [(7_000, "neutralise")]


def test_the_long_press_takes_at_one_second_while_still_held(bouncy: bool) -> None:
    begun = table("naspa-2017", *RUNNING)
    edges = [edge for edge in Press("centre", 7_000, 60_000).edges(bouncy=bouncy) if edge.at < 8_500 * MS]
    assert said(drive(begun, edges, 7_999).record)[2:] == [(7_000, "neutralise")]
    assert said(drive(begun, edges, 8_000).record)[2:] == [(7_000, "challenge")]


def test_the_own_button_of_the_side_on_turn_held_after_a_stop_is_the_out_play_from_the_stop(bouncy: bool) -> None:
    said_then, done = after("naspa-2017", STOPPED, Press("left", 7_000, 1_000), bouncy=bouncy)
    assert said_then == [(7_000, "out_play")]
    window = done.game_at(10_000 * MS).window
    assert window is not None
    assert (window.name, window.starts) == ("out_play", 4_000 * MS)


def test_an_own_button_held_anywhere_else_is_a_short_press(bouncy: bool) -> None:
    for cell in each_cell([(STOPPED, "right", "press right"), (RUNNING, "left", "press left"), (OUT, "left", "press left")]):
        with cell as (start, side, short):
            assert told("naspa-2017", start, Press(side, 7_000, 3_000), bouncy=bouncy) == [(7_000, short)]


def test_where_the_out_play_is_pending_already_a_held_own_button_stays_a_short_press(bouncy: bool) -> None:
    assert told("naspa-2017", PENDING_STOP, Press("right", 7_000, 3_000), bouncy=bouncy) == [(7_000, "press right")]


def test_during_an_adjudication_the_bar_offers_in_turn_and_held_takes_the_one_on_offer(bouncy: bool) -> None:
    for cell in each_cell([(0, []), (1, ["verdict true 1"]), (2, ["verdict false 1"]), (3, ["withdraw"]), (4, ["verdict true 1"])]):
        with cell as (shorts, taken):
            presses = [Press("centre", 7_000 + 300 * index) for index in range(shorts)]
            held = Press("centre", 10_000, 1_200)
            assert told("naspa-2017", ADJUDICATION, *presses, held, bouncy=bouncy) == [(10_000, what) for what in taken]


def test_the_face_offers_nothing_at_first_and_then_one_after_the_other(bouncy: bool) -> None:
    offers = []
    for count in range(5):
        start = table("naspa-2017", *ADJUDICATION)
        edges = [edge for index in range(count) for edge in Press("centre", 7_000 + 400 * index).edges(bouncy=bouncy)]
        offers.append(drive(start, edges, 10_000).offer.value)
    assert offers == ["none", "acceptable", "unacceptable", "back", "acceptable"]


def test_a_second_adjudication_begins_with_nothing_on_offer(bouncy: bool) -> None:
    presses = [Press("centre", 7_000), Press("left", 8_000), Press("centre", 12_000, 1_000), Press("centre", 15_000, 1_000)]
    assert told("naspa-2017", ADJUDICATION, *presses, bouncy=bouncy) == [(8_000, "press left"), (12_000, "challenge")]


def test_an_absent_player_arrives_by_their_own_button(bouncy: bool) -> None:
    for cell in each_cell(
        [
            (("0 late_start left",), "left", ["arrive left"]),
            (("0 late_start left",), "right", []),
            (("0 late_start left",), "centre", ["arrive left"]),
            (("0 late_start both",), "right", ["arrive right"]),
            (("0 late_start both",), "centre", []),
            (("0 late_start both", "3 arrive left"), "centre", ["arrive right"]),
            (("0 late_start both", "3 arrive left"), "left", []),
        ]
    ):
        with cell as (lines, button, who):
            assert told("naspa-2017", lines, Press(button, 7_000), bouncy=bouncy) == [(7_000, what) for what in who]


def test_the_bar_starts_the_recount_where_the_rulebook_waits_for_the_agreed_score(bouncy: bool) -> None:
    for cell in each_cell(
        [
            ("naspa-2012", False),
            ("naspa-2014", False),
            ("naspa-2017", True),
            ("naspa-2017-collins-5", True),
            ("naspa-2017-collins-10", True),
            ("nzasp-2022", False),
            ("club", True),
        ]
    ):
        with cell as (rulebook, starts):
            assert told(rulebook, OVER, Press("centre", 7_000), bouncy=bouncy) == ([(7_000, "window recount")] if starts else [])


def test_after_the_end_the_other_buttons_do_nothing(bouncy: bool) -> None:
    for cell in each_cell(["left", "right", "up", "down", "ok"]):
        with cell as button:
            assert told("naspa-2017", OVER, Press(button, 7_000, 1_500), bouncy=bouncy) == []


def test_the_directors_buttons_do_nothing_while_the_key_is_off(bouncy: bool) -> None:
    for cell in each_cell(["up", "down", "ok"]):
        with cell as button:
            for start in ((), RUNNING, STOPPED, ADJUDICATION):
                assert told("naspa-2017", start, Press(button, 7_000, 1_500), bouncy=bouncy) == []
