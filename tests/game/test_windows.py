"""Windows: their lengths under each rulebook, when they have expired, when they are gone, and what ends them."""

import pytest

from game.game import EventNotAllowed
from game.record import accept
from rules.duration import NS
from tests.cells import each_cell
from tests.firmware.saying import RULEBOOKS, attempt, event_of, play

LENGTHS = {
    "missed_press": 20,
    "return_to_table": 5,
    "overdraw_decision": 15,
    "tiles_returned": 15,
    "tile_decision": 60,
    "mixing": 10,
    "recount": 60,
    "recount_warning": 60,
    "late_start": 300,
    "between_rounds": 600,
}


@pytest.mark.parametrize("rulebook", [rulebook for rulebook in RULEBOOKS if rulebook != "nzasp-2022"])
def test_a_window_has_expired_at_exactly_its_length_and_is_gone_ten_seconds_later(rulebook: str) -> None:
    for cell in each_cell(LENGTHS):
        with cell as name:
            length = 60 if (rulebook, name) == ("naspa-2012", "overdraw_decision") else LENGTHS[name]
            told = play(rulebook, f"1 window name={name}")
            assert told.window("1") == (name, f"{length // 60}:{length % 60:02d}", False)
            assert told.window(f"{length}.999999999") == (name, "0:01", False)
            assert told.window(f"{length + 1}") == (name, "0:00", True)
            assert told.window(f"{length + 10}.999999999") == (name, "0:00", True)
            assert told.window(f"{length + 11}") is None


def test_a_window_touches_no_clock() -> None:
    told = play("naspa-2017", "0 press right", "5 window name=missed_press")
    assert told.states("6") == ("running", "left", "left")
    assert told.face("6")["left"]["used_ns"] == 6_000_000_000


def test_a_new_window_replaces_the_one_that_stands() -> None:
    told = play("naspa-2017", "0 window name=mixing", "5 window name=tile_decision")
    assert told.window("5") == ("tile_decision", "1:00", False)


ENDED_BY = {
    "press left": ("0 press right",),
    "neutralise": ("0 press right",),
    "hold": ("0 press right",),
    "out_play": ("0 press right",),
    "challenge": ("0 press right",),
    "end reason=x": ("0 press right",),
    "withdraw": ("0 press right", "0 challenge"),
    "verdict acceptable=false": ("0 press right", "0 challenge"),
    "resume left": ("0 press right", "0 neutralise"),
    "decide left": ("0 press right", "0 neutralise"),
    "swap reason=x": (),
    "late_start left": (),
    "release": ("0 press right", "0 hold", "0 neutralise"),
}


def test_these_events_end_the_window_that_stands() -> None:
    for cell in each_cell(ENDED_BY):
        with cell as event:
            told = play("naspa-2017", *ENDED_BY[event], "5 window name=tile_decision", f"6 {event}")
            window = told.window("6")
            assert window is None or window[0] in ("courtesy_draw", "out_play")


def test_a_reopened_game_has_no_window() -> None:
    assert play("naspa-2014", "0 press right", "5 end reason=x", "6 reopen reason=x").window("6") is None


KEPT_BY = (
    "adjust left seconds=60 when=now reason=x",
    "erase_overtime left reason=x",
    "points left points=-10 reason=x",
    "rulebook rulebook=naspa-2014 reason=x",
    "reason reason=overdraw",
    "call on=true",
    "call on=false",
    "undo reason=x event=2",
)


def test_what_starts_no_clock_leaves_the_window_alone() -> None:
    for cell in each_cell(KEPT_BY):
        with cell as event:
            told = play("naspa-2017", "0 infraction left", "0 press right", "0 neutralise", "5 window name=tile_decision", f"6 {event}")
            assert told.window("6") == ("tile_decision", "0:59", False)


def test_an_infraction_leaves_the_window_alone() -> None:
    told = play("naspa-2017", "0 press right", "5 window name=tile_decision", "6 infraction left")
    assert told.window("6") == ("tile_decision", "0:59", False)


def test_an_expired_window_that_is_still_shown_is_ended_as_well() -> None:
    told = play("naspa-2017", "0 window name=mixing", "15 press right")
    assert told.window("14") == ("mixing", "0:00", True)
    assert told.window("15") is None


def test_an_end_that_comes_by_itself_ends_the_window() -> None:
    assert play("naspa-2017", "0 press right", "2090 window name=tile_decision").window("2101") is None
    assert play("naspa-2017", "0 press right", "5 out_play").window("25") is None


def test_a_decision_says_who_decides() -> None:
    for cell in each_cell(["overdraw_decision", "tiles_returned", "tile_decision"]):
        with cell as name:
            told = play("naspa-2017", "0 press right", "5 neutralise", f"6 window name={name} right")
            assert told.face("7")["window"]["side"] == "right"
            assert "side" not in play("naspa-2017", f"6 window name={name}").face("7")["window"]


AGO = {"missed_press": (20, ("0 press right", "30 press left")), "late_start": (300, ())}


def test_a_missed_press_and_a_late_start_count_from_as_long_before_as_the_players_say() -> None:
    for cell in each_cell(AGO):
        with cell as name:
            length, before = AGO[name]
            told = play("naspa-2017", *before, f"40 window name={name} ago=15")
            left = length - 15
            assert told.window("40") == (name, f"{left // 60}:{left % 60:02d}", False)
            assert told.window(f"{39 + left}.999999999") == (name, "0:01", False)
            assert told.window(f"{40 + left}") == (name, "0:00", True)
            assert told.window(f"{50 + left}") is None


def test_a_window_that_would_be_over_at_its_event_is_refused() -> None:
    for cell in each_cell(AGO):
        with cell as name:
            length, before = AGO[name]
            over = f"40 window name={name} ago={length}"
            assert attempt("naspa-2017", *before, over).refused == (over,)
            assert play("naspa-2017", *before, f"40 window name={name} ago={length - 1}").window("40") == (name, "0:01", False)
            with pytest.raises(EventNotAllowed, match=f"{name} is over"):
                accept(play("naspa-2017", *before).record, event_of(f"window name={name} ago={length}"), 40 * NS)


def test_the_director_limits_a_break_to_five_minutes_and_more_and_without_it_the_rulebooks_length_holds() -> None:
    for cell in each_cell([(" seconds=300", "5:00"), (" seconds=421", "7:01"), (" seconds=600", "10:00"), ("", "10:00")]):
        with cell as (seconds, reading):
            assert play("naspa-2017", f"1 window name=between_rounds{seconds}").window("1") == ("between_rounds", reading, False)
    over = play("naspa-2017", "0 press right", "5 end reason=x", "9 window name=between_rounds seconds=300")
    assert over.window("304.5") == ("between_rounds", "0:01", False)
    assert over.window("305") == ("between_rounds", "0:00", True)


@pytest.mark.parametrize("rulebook", ["naspa-2014", "naspa-2017"])
def test_a_recount_minute_that_a_break_hides_is_shown_again_and_has_run_on(rulebook: str) -> None:
    began = ("5 window name=recount",) if rulebook == "naspa-2017" else ()
    again = play(rulebook, "0 press right", "5 end reason=x", *began, "10 window name=between_rounds", "20 window name=recount")
    assert again.window("60") == ("recount", "0:05", False)
    ended = attempt(rulebook, "0 press right", "5 end reason=x", *began, "10 window name=between_rounds", "65 window name=recount")
    assert ended.refused == ("65 window name=recount",)


def test_each_key_of_a_window_is_refused_with_the_windows_that_it_does_not_belong_to() -> None:
    takes = {"side=left": {"overdraw_decision", "tiles_returned", "tile_decision"}, "ago=0": set(AGO), "seconds=300": {"between_rounds"}}
    for cell in each_cell([(key, name) for key in takes for name in LENGTHS], name=" ".join):
        with cell as (key, name):
            line = f"1 window name={name} {key}"
            assert attempt("naspa-2017", line).refused == (() if name in takes[key] else (line,))


def test_there_is_no_recount_after_limit_or_forfeit_by_itself_or_by_event() -> None:
    ends = {
        "overtime limit": ("0 press right",),
        "forfeit": ("0 late_start left",),
        "double forfeit": ("0 late_start both",),
        "forfeit by event": ("0 press right", "5 end reason=forfeit loser=left"),
    }
    for cell in each_cell(ends):
        with cell as end:
            for rulebook in ("naspa-2014", "naspa-2017"):
                over = play(rulebook, *ends[end])
                assert over.states("3000")[0] == "over"
                refused = ("3000 window name=recount", "3000 window name=recount_warning")
                assert over.then(*refused).refused == refused


def test_the_recount_starts_once_an_end() -> None:
    told = play("naspa-2017", "0 press right", "10 end reason=x", "20 window name=recount")
    again = told.then("30 window name=recount", "200 window name=recount")
    assert again.refused == ("30 window name=recount", "200 window name=recount")
    reopened = told.then("40 reopen reason=x", "50 end reason=x", "60 window name=recount")
    assert reopened.refused == ()
    assert reopened.window("61") == ("recount", "0:59", False)


def test_a_recount_that_started_by_itself_is_not_started_again() -> None:
    told = play("naspa-2014", "0 press right", "10 end reason=x")
    assert told.then("20 window name=recount").refused
    assert told.then("20 window name=recount_warning").refused == ()


def test_disconnected_tiles_count_from_the_end_and_start_until_twenty_seconds_after_it() -> None:
    told = play("naspa-2017", "0 press right", "10 end reason=x")
    assert told.then("17 window name=disconnected").window("17") == ("disconnected", "0:13", False)
    assert told.then("29.999999999 window name=disconnected").window("30") == ("disconnected", "0:00", True)
    assert told.then("30 window name=disconnected").refused
    assert play("naspa-2017", "0 press right").then("5 window name=disconnected").refused


LOST_OR_NOT_BEGUN = [
    ("lost by the limit", ("0 press right",), "2101"),
    ("forfeited while absent", ("0 late_start left",), "1501"),
    ("forfeited by both", ("0 late_start both",), "1501"),
    ("forfeited by the director", ("0 press right", "10 end reason=forfeit loser=left"), "10"),
    ("resigned", ("0 press right", "10 end reason=resignation loser=left"), "10"),
    ("ended before the start", ("10 end reason=x",), "10"),
    ("ended while late", ("5 late_start left", "10 end reason=x"), "10"),
]


def test_disconnected_tiles_do_not_reopen_a_game_that_is_lost_given_up_or_never_began() -> None:
    # 2017 III.G.5.7 speaks of the end of a game that was played to it.
    for cell in each_cell(LOST_OR_NOT_BEGUN, lambda row: row[0]):
        with cell as (_, lines, end):
            told = play("naspa-2017", *lines)
            assert told.states(end)[0] == "over"
            assert told.then(f"{int(end) + 1} window name=disconnected").refused


def test_disconnected_tiles_reopen_a_game_that_ended_by_a_play_by_zeros_or_by_the_director() -> None:
    for cell in each_cell(["10 end reason=zeros", "10 end reason=shortened", "10 out_play"]):
        with cell as end:
            told = play("naspa-2017", "0 press right", end, *(["12 release"] if "out_play" in end else []))
            assert told.then("13 window name=disconnected").refused == ()


def test_the_time_since_the_end_and_since_both_were_late_is_shown_rounded_down() -> None:
    told = play("naspa-2017", "0 press right", "10 end reason=x")
    assert [told.face(t)["elapsed"] for t in ("9", "10", "10.999999999", "71")] == [None, "0:00", "0:00", "1:01"]
    late = play("naspa-2017", "5 late_start both")
    assert (late.face("65.5")["elapsed"], late.then("66 arrive left").face("70")["elapsed"]) == ("1:00", None)
