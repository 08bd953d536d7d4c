"""The tables of docs/spec/events.md, "Own button" and "Bar", row by row, each with clean edges and with bounce; and where no button does anything."""

from functools import partial

import pytest
from msgspec.structs import replace

from firmware.gestures.clock_state import Answer
from firmware.gestures.meaning import offer_key
from firmware.texts import message
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.gestures import states
from tests.firmware.gestures.states import after, answered, edges, made, new
from tests.firmware.gestures.trains import MS, drive, said, table
from tests.firmware.saying import NZ, RULEBOOKS
from tests.some import some

pytestmark = pytest.mark.parametrize("bouncy", [False, True], ids=["clean", "bouncy"])
ONE_IS_THERE = (*states.BOTH_LATE, "3 arrive left")

# What each own button does short, left and right, or why it does nothing.
OWN_BUTTON_SHORT = [
    (states.READY, "press left", "press right"),
    (states.LATE, "arrive left", "? late"),
    (states.BOTH_LATE, "arrive left", "arrive right"),
    (ONE_IS_THERE, "? late", "arrive right"),
    (states.RUNNING, "press left", "? hold"),
    (states.DECIDING, "? opponent_decides", "press right"),
    (states.HOLD, "press left", "? on_hold"),
    (states.PENDING_HOLD, "? opponent_runs", "? accept"),
    (states.OUT, "press left", "? accept"),
    (states.STOPPED, "press left", "press right"),
    (states.STOPPED_HOLD, "press left", "press right"),
    (states.PENDING_STOP, "press left", "? accept"),
    (states.OVER, "? signed", "? signed"),
]


def test_an_own_button_short_does_its_row_or_says_why_it_does_nothing(bouncy: bool) -> None:
    for cell in each_cell(
        [(start, side, does) for start, *row in OWN_BUTTON_SHORT for side, does in zip(("left", "right"), row, strict=True)]
    ):
        with cell as (start, side, does):
            done = after(start, f"{side}@7000+900", bouncy=bouncy)
            answers = [(where, key) for where, key in answered(done) if key.startswith("answer.")]
            assert new(done, start) == ("" if does.startswith("?") else f"7000 {does}")
            assert answers == ([(side, f"answer.{does[2:]}")] if does.startswith("?") else [])
            # Held for less than a second it keeps its short meaning.
            assert made(start, f"{side}@7000+999", bouncy=bouncy) == new(done, start)


OWN_BUTTON_HELD = [
    (states.READY, "left", "press left"),
    (states.LATE, "right", ""),
    (states.RUNNING, "left", "press left"),
    (states.RUNNING, "right", "hold"),
    (states.DECIDING, "left", ""),
    (states.HOLD, "left", "press left"),
    (states.HOLD, "right", "release"),
    (states.PENDING_HOLD, "left", ""),
    (states.PENDING_HOLD, "right", "release"),
    (states.OUT, "left", "press left"),
    (states.OUT, "right", "release"),
    (states.STOPPED, "left", ""),
    (states.STOPPED, "right", "hold"),
    (states.STOPPED_HOLD, "right", "release"),
    (states.PENDING_STOP, "left", "press left"),
    (states.PENDING_STOP, "right", "release"),
    (states.ADJUDICATION, "right", "challenge right"),
    (states.ADJUDICATION, "left", ""),
    (states.PENDING_ADJUDICATION, "left", ""),
    (states.OVER, "left", ""),
]


def test_an_own_button_held_for_a_second_calls_at_its_first_edge_and_under_the_number_of_its_short_press(bouncy: bool) -> None:
    for cell in each_cell(OWN_BUTTON_HELD):
        with cell as (start, side, event):
            # During a challenge the same button offers a verdict: a firm press must not take it for the challenger's.
            full = 2_000 if start == states.ADJUDICATION else 1_000
            assert made(start, f"{side}@7000+{full - 1}", bouncy=bouncy) in ("", f"7000 press {side}")
            done = after(start, f"{side}@7000+{full}", bouncy=bouncy)
            assert new(done, start) == (f"7000 {event}" if event else "")
            assert not event or done.history.number == len(start) + 2


def test_the_press_counts_at_its_first_edge_to_the_nanosecond(bouncy: bool) -> None:
    resumed = replace(table("naspa-2017", *states.RUNNING), offset=30 * MS)
    assert drive(resumed, edges("left@6971", bouncy=bouncy), 8_000).history.game.used.left == 7_001 * MS


def test_in_new_zealand_the_out_players_button_does_nothing_within_five_seconds(bouncy: bool) -> None:
    done = after(states.OUT, "left@8900", bouncy=bouncy, rulebook=NZ)
    assert (new(done, states.OUT), done.answers) == ("", (Answer(Side.LEFT, message("answer.out_play_wait", reading="0:01"), 10_900 * MS),))
    assert made(states.OUT, "left@9000", bouncy=bouncy, rulebook=NZ) == "9000 press left"


def test_an_answer_stands_for_two_seconds_and_ends_where_the_game_changes(bouncy: bool) -> None:
    assert [answer.until for answer in after(states.RUNNING, "right@7000", bouncy=bouncy).answers] == [9_000 * MS]
    for second in ("left@8000", "right@8000+1100"):
        done = after(states.RUNNING, f"right@7000, {second}", bouncy=bouncy)
        assert not [key for _, key in answered(done) if key.startswith("answer.")]


def test_the_waiting_side_records_the_hold_and_its_release_each_by_a_held_press(bouncy: bool) -> None:
    done = after(states.RUNNING, "right@7000+1200, right@9000+1200", bouncy=bouncy)
    assert (new(done, states.RUNNING), answered(done)) == (
        "7000 hold, 9000 release",
        [("left", "act.released"), ("right", "act.release_recorded")],
    )


@pytest.mark.parametrize(
    ("window", "expires", "decides"),
    [("overdraw_decision", 20_000, True), ("tiles_returned", 20_000, True), ("tile_decision", 65_000, False)],
)
def test_after_a_decisions_window_the_other_starts_the_deciders_clock(window: str, expires: int, decides: bool, bouncy: bool) -> None:
    does = partial(made, (*states.STOPPED, f"5 window left name={window}"), bouncy=bouncy)
    assert does(f"right@{expires - 1}") == f"{expires - 1} press right"
    assert does(f"right@{expires}") == f"{expires} {'decide left' if decides else 'press right'}"
    assert does(f"left@{expires}") == f"{expires} press left"


def test_without_a_side_or_after_a_clock_that_a_player_started_a_decisions_window_leaves_the_buttons_as_they_are(bouncy: bool) -> None:
    assert made((*states.STOPPED, "5 window name=overdraw_decision"), "right@21000", bouncy=bouncy) == "21000 press right"
    presses = "right@21000, left@25000, centre@30000, right@33000"
    events = "21000 decide left, 25000 press left, 30000 neutralise, 33000 press right"
    assert made((*states.STOPPED, "5 window left name=overdraw_decision"), presses, bouncy=bouncy) == events


def test_where_no_button_does_anything(bouncy: bool) -> None:
    # After the end, by a short press; the director's buttons while the key is off.
    for cell in each_cell([(rulebook, button) for rulebook in RULEBOOKS for button in ("left", "right", "centre", "up", "down", "ok")]):
        with cell as (rulebook, button):
            assert made(states.OVER, f"{button}@7000+900", bouncy=bouncy, rulebook=rulebook) == ""
    for button in ("up", "down", "ok"):
        for start in (states.READY, states.RUNNING, states.STOPPED, states.ADJUDICATION):
            assert made(start, f"{button}@7000+1500", bouncy=bouncy) == ""


BAR = [
    (states.READY, "", "", ""),
    (states.LATE, "arrive left", "", ""),
    (states.BOTH_LATE, "? both_absent", "", None),
    (ONE_IS_THERE, "arrive right", None, None),
    (states.RUNNING, "neutralise", "neutralise", "challenge"),
    (states.HOLD, "neutralise", "neutralise", "challenge"),
    (states.PENDING_HOLD, "neutralise", "neutralise", "challenge"),
    (states.STOPPED, "resume left", "", "challenge"),
    (states.STOPPED_HOLD, "resume left", None, "challenge"),
    (states.NO_TURN, "", "", ""),
    (states.PENDING_STOP, "press left", "", "challenge"),
    (states.OUT, "? out_play_stopped", "", "challenge"),
    (states.ADJUDICATION, "", "", None),
    (states.OVER, "? over", "", None),
]


def test_the_bar_short_does_its_row(bouncy: bool) -> None:
    for cell in each_cell(BAR):
        with cell as (start, does, *_):
            done = after(start, "centre@7000+900", bouncy=bouncy)
            assert new(done, start) == (f"7000 {does}" if does and not does.startswith("?") else "")
            assert answered(done) == ([(None, f"answer.{does[2:]}")] if does.startswith("?") else [])


def test_the_bar_held_for_a_second_opens_the_table_menu_and_only_a_stop_stands(bouncy: bool) -> None:
    for cell in each_cell([(start, does) for start, _, does, _ in BAR if does is not None]):
        with cell as (start, does):
            done = after(start, "centre@7000+1000", bouncy=bouncy)
            assert new(done, start) == (f"7000 {does}" if does else "")
            assert some(done.table_menu).path == ()


def test_the_bar_held_for_two_seconds_is_a_challenge_at_the_first_edge_and_closes_the_menu(bouncy: bool) -> None:
    for cell in each_cell([(start, does) for start, _, _, does in BAR if does is not None]):
        with cell as (start, does):
            done = after(start, "centre@7000+2000" if does else "centre@7000+4000", bouncy=bouncy)
            assert new(done, start) == (f"7000 {does}" if does else "")
            assert (done.table_menu is None) is bool(does)
            assert not does or done.history.number == len(start) + 2
    held = [edge for edge in edges("centre@7000+60000", bouncy=bouncy) if edge.at < 9_500 * MS]
    running = table("naspa-2017", *states.RUNNING)
    # It is made while still held.
    assert [said(drive(running, held, at).history)[2:] for at in (8_999, 9_000)] == [[(7_000, "neutralise")], [(7_000, "challenge")]]


def test_the_next_game_is_asked_about_on_letting_go_after_two_seconds_and_never_by_a_bar_that_is_stuck(bouncy: bool) -> None:
    begun = table("naspa-2017", *states.OVER)
    assert drive(begun, edges("centre@7000+60000", bouncy=bouncy), 9_900).table_menu is None
    for cell in each_cell([(1_999, ()), (2_000, ("next_game",)), (9_999, ("next_game",)), (10_000, None), (40_000, None)]):
        with cell as (for_ms, page):
            done = after(states.OVER, f"centre@7000+{for_ms}", bouncy=bouncy)
            assert (new(done, states.OVER), done.table_menu and done.table_menu.path) == ("", page)


YES = "right@10000, centre@11000"
"""To the question whether the next game begins."""
SWAPPED = ("0 swap reason=x", "1 rulebook rulebook=club reason=x", "2 end reason=x")


def test_the_next_game_keeps_the_rulebook_begins_with_the_regulation_and_asks_whether_extra_time_is_kept(bouncy: bool) -> None:
    asked = after(SWAPPED, f"centre@7000+2500, {YES}", 11_500, bouncy=bouncy, rulebook="naspa-2017 left_seconds=1800")
    assert (said(asked.history), some(asked.last_game).reason) == ([(11_000, "new_game 5 club")], "x")
    assert some(asked.table_menu).path == ("keep", "-", str(1800 * 1000 * MS)), "it is the player's, who has changed seats"
    assert drive(asked, [], 24_600).history.game.accounts.right.allowed == 1500 * 1000 * MS, "unanswered, the regulation stands"
    # Both players hold to keep extra time, and a short press declines.
    kept = drive(asked, edges("left@12000+1500, right@12000+1500", bouncy=bouncy), 15_000)
    assert said(kept.history) == [(12_000, "new_game 5 club 1800")]
    assert kept.history.game.accounts.right.allowed == 1800 * 1000 * MS
    for button in ("left", "right", "centre"):
        declined = drive(asked, edges(f"{button}@12000+300", bouncy=bouncy), 13_000)
        assert (declined.table_menu, said(declined.history)) == (None, [(11_000, "new_game 5 club")])


def test_a_call_that_stands_at_the_end_goes_on_into_the_next_game(bouncy: bool) -> None:
    done = after(("2 end reason=x", "3 call on=true"), f"centre@7000+2500, {YES}", bouncy=bouncy, rulebook="club")
    assert said(done.history) == [(11_000, "new_game 5 club true")]
    assert done.history.game.called


def test_without_a_screen_the_acts_at_two_seconds_remain_and_no_menu_opens(bouncy: bool) -> None:
    assert after(states.STOPPED, "centre@7000+2000", 8_500, bouncy=bouncy, screen=False).table_menu is None
    assert made(states.STOPPED, "centre@7000+2000", 9_500, bouncy=bouncy, screen=False) == "7000 challenge"


def test_an_own_button_offers_in_turn_on_letting_go_and_the_bar_held_takes_the_one_on_offer(bouncy: bool) -> None:
    offers: dict[str, dict[int, str]] = {
        "naspa-2017": {1: "verdict false 1", 2: "withdraw", 3: "verdict true 1", 4: "verdict false 1"},
        "naspa-2017-collins-5": {4: "verdict true 2", 10: "verdict true 8"},
        "naspa-2017-collins-10": {2: "withdraw", 11: "verdict false 1"},
        NZ: {4: "verdict true 3", 9: "verdict true 8", 10: "verdict false 1"},
    }
    for cell in each_cell([(rulebook, *each) for rulebook, taken in offers.items() for each in taken.items()]):
        with cell as (rulebook, shorts, taken):
            presses = ", ".join(f"{('left', 'right')[index % 3 == 0]}@{7_000 + 300 * index}" for index in range(shorts))
            done = after(states.ADJUDICATION, f"{presses}, centre@11000+1200", bouncy=bouncy, rulebook=rulebook)
            assert (new(done, states.ADJUDICATION), done.table_menu) == (f"11000 {taken}", None)


def test_an_own_button_offers_that_the_play_is_unacceptable_and_records_nothing(bouncy: bool) -> None:
    for cell in each_cell([(start, side) for start in (states.ADJUDICATION, states.PENDING_ADJUDICATION) for side in ("left", "right")]):
        with cell as (start, side):
            done = after(start, f"{side}@8000+900", bouncy=bouncy)
            assert (new(done, start), offer_key(done.offer)) == ("", "unacceptable")
            assert made(start, f"{side}@8000, centre@11000+1200", bouncy=bouncy) == "11000 verdict false 1"


def test_the_bar_let_go_too_soon_leaves_the_offer_that_it_was_to_take_in_sight(bouncy: bool) -> None:
    for first, stands in (("right@7000", "unacceptable"), ("centre@7000", "acceptable")):
        for held in (120, 700, 990):
            done = after(states.ADJUDICATION, f"{first}, centre@9000+{held}", bouncy=bouncy)
            assert (new(done, states.ADJUDICATION), offer_key(done.offer)) == ("", stands)
            # The offer itself says how it is taken, and an answer would stand in its place.
            assert answered(done) == []


def test_an_offer_lapses_fifteen_seconds_after_the_last_press_and_with_its_adjudication(bouncy: bool) -> None:
    offered = [offer_key(after(states.ADJUDICATION, "centre@7000", until, bouncy=bouncy).offer) for until in (21_999, 22_000)]
    assert offered == ["acceptable", "none"]
    done = after(states.ADJUDICATION, "left@8000, centre@9000+1200, centre@12000+2000", bouncy=bouncy)
    assert (new(done, states.ADJUDICATION), offer_key(done.offer)) == ("9000 verdict false 1, 12000 challenge", "none")
