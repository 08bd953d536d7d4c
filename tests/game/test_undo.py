"""Undo strikes one event of this game; the game is what it would have been without it."""

import pytest

from game.events import By, Undo
from game.game import EventNotAllowed
from game.record import Fate, accept
from rules.duration import parse_instant
from tests.cells import each_cell
from tests.firmware.saying import Told, play


def _fates(told: Told) -> dict[int, Fate]:
    return {link.number: link.fate for link in told.record}


def _why(told: Told, t: str) -> str | None:
    """Return why the players cannot take back at ``t``, or None."""
    try:
        accept(told.record, Undo("x"), parse_instant(t), by=By.PLAYERS)
    except EventNotAllowed as error:
        return str(error)
    return None


def test_an_undone_press_was_never_made_and_its_time_goes_to_the_clock_that_should_have_run() -> None:
    told = play("naspa-2017", "0 press right", "10 press left", "25 undo reason=x")
    assert told.states("25") == ("running", "left", "left")
    face = told.face("25")
    assert (face["left"]["used_ns"], face["right"]["used_ns"]) == (25 * 10**9, 0)


BY_DEFAULT = {
    "press left": ("0 press right",),
    "hold": ("0 press right",),
    "release": ("0 press right", "0 hold"),
    "out_play": ("0 press right",),
    "not_out": ("0 press right", "0 out_play", "0 challenge", "0 withdraw"),
    "challenge": ("0 press right",),
    "withdraw": ("0 press right", "0 challenge"),
    "verdict acceptable=true": ("0 press right", "0 challenge"),
    "resume right": ("0 press right", "0 neutralise"),
    "decide right": ("0 press right", "0 neutralise"),
    "late_start left": (),
    "arrive left": ("0 late_start left",),
    "end reason=x": ("0 press right", "0 neutralise"),
    "reopen reason=x": ("0 press right", "0 end reason=x"),
}


def test_an_undo_without_a_number_strikes_the_latest_of_these() -> None:
    for cell in each_cell(BY_DEFAULT):
        with cell as event:
            before = play("naspa-2014", *BY_DEFAULT[event])
            after = before.then(f"5 {event}", "7 undo reason=x")
            assert after.refused == ()
            left_stopped = before.then("5 neutralise") if event in STOPPING else before
            assert after.face("7") == left_stopped.face("7")


STOPPING = ("out_play", "challenge")
"""The events that stop a clock: it has stood since, also when they are struck."""
PASSED_OVER = {
    "neutralise": "reason=director",
    "window": "name=mixing",
    "adjust": "left seconds=60 when=now reason=x",
    "erase_overtime": "left reason=x",
    "infraction": "left",
    "points": "left points=-10 reason=x",
    "call": "on=true",
}


@pytest.mark.parametrize("event", PASSED_OVER)
def test_an_undo_without_a_number_passes_over_the_stop_and_the_directors_own_changes(event: str) -> None:
    told = play("naspa-2017", "0 press right", "5 press left", f"6 {event} {PASSED_OVER[event]}", "7 undo reason=x")
    assert _fates(told)[3] is Fate.STRUCK
    assert told.states("7")[2] == "left"
    assert _fates(told)[4] is Fate.VALID


def test_an_undo_without_a_number_passes_over_a_swap() -> None:
    told = play("naspa-2017", "0 press right", "5 neutralise", "6 swap reason=x", "7 undo reason=x")
    assert _fates(told)[2] is Fate.STRUCK
    assert _fates(told)[4] is Fate.VALID


@pytest.mark.parametrize("event", PASSED_OVER)
def test_the_stop_and_the_directors_changes_are_struck_by_number(event: str) -> None:
    before = play("naspa-2017", "0 press right", "5 press left")
    after = before.then(f"6 {event} {PASSED_OVER[event]}", "7 undo reason=x event=4")
    assert after.refused == ()
    assert after.face("7") == before.face("7")


def test_a_swap_is_struck_by_number() -> None:
    told = play("naspa-2017 left_seconds=60", "6 swap reason=x", "7 undo reason=x event=2")
    assert told.readings("7") == ("1:00", "25:00")


def test_new_game_and_undo_and_what_is_struck_or_unknown_cannot_be_struck() -> None:
    for cell in each_cell([1, 4, 5, 0, -1, 99]):
        with cell as number:
            told = play("naspa-2017", "0 press right", "5 press left", "6 undo reason=x")  # 1 to 4; 3 is struck
            assert told.then(f"7 undo reason=x event={number}").refused
            assert told.then("7 undo reason=x event=3").refused


def test_undoing_again_and_again_goes_back_one_event_at_a_time_until_nothing_is_left() -> None:
    told = play("naspa-2017", "0 press right", "5 press left", "6 undo reason=x", "7 undo reason=x")
    assert told.states("7") == ("ready", None, None)
    assert told.readings("7") == ("25:00", "25:00")
    assert told.then("8 undo reason=x").refused == ("8 undo reason=x",)


def test_a_number_counts_accepted_events_only() -> None:
    told = play("naspa-2017", "0 press right").then("1 press right", "2 reopen reason=x", "3 press left", "9 undo reason=x event=3")
    assert told.refused == ("1 press right", "2 reopen reason=x")
    assert told.states("9") == ("running", "left", "left")


def test_an_event_that_becomes_impossible_drops_out_and_stays_out() -> None:
    told = play("naspa-2017", "0 press right", "5 challenge", "6 verdict acceptable=true", "8 undo reason=x event=3")
    assert _fates(told) == {1: Fate.VALID, 2: Fate.VALID, 3: Fate.STRUCK, 4: Fate.DROPPED, 5: Fate.VALID}
    assert told.states("8") == ("neutral", None, "left")
    later = told.then("9 challenge", "10 undo reason=x event=2")
    assert _fates(later)[4] is Fate.DROPPED
    assert told.then("9 undo reason=x event=4").refused


def test_a_default_undo_passes_over_what_was_dropped() -> None:
    told = play("naspa-2017", "0 press right", "5 challenge", "6 verdict acceptable=true", "8 undo reason=x event=3", "9 undo reason=x")
    assert told.states("9") == ("ready", None, None)


def test_a_dropped_event_does_not_come_back_though_a_later_undo_would_make_it_possible() -> None:
    told = play("naspa-2017", "0 press right", "5 neutralise", "6 decide right", "7 neutralise", "8 press left")
    # Without the press that started the game: the stops and the decision drop; the press at 8 starts the other clock from ready.
    gone = told.then("10 undo reason=x event=2")
    assert [_fates(gone)[number] for number in (3, 4, 5, 6)] == [Fate.DROPPED, Fate.DROPPED, Fate.DROPPED, Fate.VALID]
    assert gone.states("10") == ("running", "right", "right")
    again = gone.then("11 undo reason=x event=6")
    assert again.states("11") == ("ready", None, None)
    assert [_fates(again)[number] for number in (3, 4, 5)] == [Fate.DROPPED] * 3


def test_a_refused_event_stays_dead_though_an_undo_would_make_it_possible() -> None:
    told = play("naspa-2017", "0 press right", "5 challenge").then("6 hold", "7 undo reason=x")
    assert told.refused == ("6 hold",)
    assert (told.states("8"), told.face("8")["holder"]) == (("neutral", None, "left"), None)


def test_undoing_a_reopening_leaves_the_game_over_since_its_end() -> None:
    told = play("naspa-2014", "0 press right", "10 end reason=six", "20 reopen reason=x", "30 undo reason=x")
    assert told.face("30")["reason"] == "six"
    assert told.window("30") == ("recount", "0:40", False)


STRUCK_ENDS = {
    "running": (("0 press right", "10 end reason=x"), ("neutral", None, "left"), {}),
    "hold": (("0 press right", "5 hold", "10 end reason=x"), ("neutral", None, "left"), {"holder": "left"}),
    "neutral with its reason": (("0 press right", "5 neutralise reason=y", "10 end reason=x"), ("neutral", None, "left"), {"reason": "y"}),
    "accepted out play": (("0 press right", "5 out_play", "10 release"), ("neutral", None, "left"), {}),
    "accepted on the opponent's clock": (
        ("0 press right", "5 out_play", "6 hold", "10 press right"),
        ("neutral", None, "right"),
        {"holder": "right"},
    ),
    "verdict": (("0 press right", "5 out_play", "6 challenge", "10 verdict acceptable=true"), ("adjudication", None, "left"), {}),
    "ready": (("10 end reason=x",), ("ready", None, None), {}),
    "late": (("0 late_start left", "10 end reason=x"), ("ready", None, None), {}),
    "both late": (("0 late_start both", "10 end reason=x"), ("ready", None, None), {}),
    "limit": (("0 press right", "10 adjust left seconds=-2200 when=now reason=x"), ("neutral", None, "left"), {}),
}


def test_a_struck_end_comes_back_stopped_and_charges_nothing_since() -> None:
    for cell in each_cell(STRUCK_ENDS):
        with cell as name:
            lines, states, keys = STRUCK_ENDS[name]
            over = play("naspa-2014", *lines)
            assert over.states("11")[0] == "over"
            back = over.then(f"500 undo reason=x event={over.record.number}")
            face = back.face("900")
            assert back.refused == ()
            assert back.states("900") == states
            assert {key: face[key] for key in keys} == keys
            assert sum(face[side]["used_ns"] for side in ("left", "right")) <= 10 * 10**9
            assert (face["window"], face["elapsed"], face["loser"]) == (None, None, None)


def test_a_struck_end_counts_an_out_play_from_its_declaration_and_stays_stopped_when_more_is_struck() -> None:
    told = play("naspa-2017", "0 press right", "3 infraction left", "10 end reason=six", "30 undo reason=x")
    assert told.readings("30")[0] == "24:50"
    assert told.then("22 out_play").window("22") == ("out_play", "0:20", False), "that stop was for no out play"
    again = told.then("40 undo reason=x event=3")
    assert again.states("41") == ("neutral", None, "left")
    assert again.readings("41")[0] == "24:50"


def test_an_accepted_out_play_that_is_struck_is_pending_again() -> None:
    told = play("naspa-2017", "0 press right", "5 out_play", "10 release", "20 undo reason=x")
    assert told.states("300") == ("neutral", None, "left")
    assert told.then("300 press left").states("300") == ("hold", "right", "right")
    assert told.then("300 release").face("300")["reason"] == "out play"


def test_the_players_take_back_their_own_last_act_for_a_minute() -> None:
    told = play("naspa-2017", "0 press right", "10 press left")
    taken = told.then("70 undo reason=x by=players")
    assert taken.refused == ()
    assert taken.states("70") == ("running", "left", "left")
    assert told.then("70.000000001 undo reason=x by=players").refused
    assert _why(told, "70.000000001") == "older than 60 s"


def test_the_players_take_nothing_back_after_the_director_or_where_nothing_is() -> None:
    acted = play("naspa-2017", "0 press right", "10 adjust left seconds=60 when=now reason=x")
    assert _why(acted, "11") == "the director has acted since"
    assert _why(play("naspa-2017", "0 late_start left"), "11") == "the director has acted since"
    assert _why(play("naspa-2017", "0 infraction left"), "11") == "nothing to take back"
    minute = play("naspa-2017", "0 press right", "10 adjust left seconds=60 when=now reason=x by=players")
    assert _why(minute, "11") is None


def test_the_players_name_no_other_event_than_their_last() -> None:
    told = play("naspa-2017", "0 press right", "10 press left")
    assert told.then("11 undo reason=x event=2 by=players").refused
    assert told.then("11 undo reason=x event=3 by=players").refused == ()
    assert told.then("11 undo reason=x by=players", "12 undo reason=x by=players").states("12") == ("ready", None, None)


def test_without_what_ended_the_20_seconds_of_an_out_play_the_game_waits_and_does_not_end_by_itself() -> None:
    for cell in each_cell(["press left", "hold", "challenge"]):
        with cell as event:
            for by in ("players", "director"):
                told = play("naspa-2017", "0 press right", "10 out_play", f"25 {event}", f"50 undo reason=x by={by}")
                assert told.states("500") == ("neutral", None, "left")
                assert told.face("500")["right"]["used_ns"] == 0
                assert told.then("600 release").face("600")["reason"] == "out play"


def test_an_event_that_an_undo_leaves_possible_counts_at_its_own_instant() -> None:
    told = play("naspa-2017", "0 press right", "10 out_play", "25 press left", "40 press right", "50 undo reason=x event=4")
    face = told.face("50")
    assert (face["phase"], face["reason"], face["right"]["used_ns"]) == ("over", "out play", 0)
    assert _fates(told)[5] is Fate.VALID


def test_undoing_a_press_can_show_that_the_limit_was_passed_before() -> None:
    told = play("naspa-2017", "0 press right", "2000 press left", "2200 undo reason=x")
    face = told.face("2200")
    assert (face["reason"], face["loser"], face["left"]["used_ns"]) == ("overtime limit", "left", 2101 * 10**9)


def test_an_undo_after_the_end_came_by_itself_takes_the_end_back() -> None:
    told = play("naspa-2017", "0 press right", "10 out_play", "40 undo reason=x")
    assert told.states("40") == ("neutral", None, "left")
    assert told.readings("40")[0] == "24:50"


def test_an_undo_has_a_number_and_does_not_count_as_the_latest_event() -> None:
    told = play("naspa-2017", "0 press right", "5 press left", "6 undo reason=x", "7 press left", "8 undo reason=x event=5")
    assert told.states("8") == ("running", "left", "left")
    assert _fates(told)[5] is Fate.STRUCK


def test_a_challenge_that_is_taken_back_or_undone_charges_neither_and_leaves_the_game_stopped_at_its_instant() -> None:
    for cell in each_cell(
        {"running": (), "hold": ("8 hold",), "an event put in late": ("6 infraction right",)}.items(), lambda each: each[0]
    ):
        with cell as (_, more):
            first = [line for line in more if "infraction" not in line]
            for undo in ("undo reason=x by=players", "undo reason=x", f"undo reason=x event={3 + len(first)}"):
                told = play("naspa-2017", "0 press right", *first, "10 challenge", f"40 {undo}")
                told = told.then(*(line for line in more if line not in first))
                assert told.states("60") == ("neutral", None, "left")
                face = told.face("60")
                assert (face["left"]["used_ns"], face["right"]["used_ns"]) == (10 * 10**9, 0)


def test_an_undo_of_an_undo_charges_neither_player_for_a_clock_that_stood() -> None:
    # The out player's press is taken back by the players at its instant; 4 s later the out play is struck: both were away from the board.
    told = play("nzasp-2022", "0 press right", "600 out_play", "617.657706781 press left", "617.657706781 undo reason=x by=players")
    struck = told.then("621.657706781 undo reason=x")
    assert struck.refused == ()
    assert struck.states("700") == ("neutral", None, "left")
    face = struck.face("700")
    assert (face["left"]["used_ns"], face["right"]["used_ns"]) == (600 * 10**9, 0)


def test_a_stop_that_the_director_strikes_by_number_has_let_the_clock_run() -> None:
    told = play("naspa-2017", "0 press right", "10 neutralise", "40 undo reason=x event=3")
    assert told.face("60")["left"]["used_ns"] == 60 * 10**9
