"""Keys of a rulebook file that no shipped rulebook uses: increment, delay, seconds a turn, longest hold, limit, points, forfeit, ends."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.events import NewGame
from game.record import begin
from game.rulings import fresh
from game.timed_transitions import advance
from rules.rulebooks import load_rulebook
from rules.rulebooks.model import HoldMaximum, OvertimeBand, OvertimeLimit, OvertimeRule, Rulebook, TurnLimit
from rules.side import BySide, Side
from tests.examples import examples
from tests.firmware.random_games import Played, S, apply_or_advance, played
from tests.firmware.saying import Told

BASE = load_rulebook("naspa-2017")
DELAY = replace(BASE, delay_ns=5 * S)
TURN = replace(BASE, turn=TurnLimit(60 * S, (10 * S,)))
RELEASES = replace(BASE, hold_maximum=HoldMaximum(90 * S, releases=True))


def _begun(rulebook: Rulebook) -> NewGame:
    return NewGame(rulebook, rulebook.id, BySide(None, None))


def _play(rulebook: Rulebook, *lines: str) -> Told:
    told = Told(begin(_begun(rulebook), 0)).then(*lines)
    assert told.refused == ()
    return told


def _used(told: Told, t: str) -> tuple[int, int]:
    face = told.face(t)
    return face["left"]["used_ns"], face["right"]["used_ns"]


def test_an_increment_comes_with_the_press_that_ends_the_players_turn() -> None:
    told = _play(replace(BASE, increment_ns=10 * S), "0 press right", "20 press left", "25 press right")
    assert told.readings("25") == ("24:50", "25:05")
    stopped = told.then("30 neutralise", "31 press right", "40 challenge", "41 verdict acceptable=false")
    assert stopped.readings("41") == ("24:36", "25:05")
    deciding = _play(replace(BASE, increment_ns=10 * S), "0 press right", "5 neutralise", "6 decide right", "8 press right")
    assert deciding.readings("8") == ("24:55", "24:58")
    held = _play(replace(BASE, increment_ns=10 * S), "0 press right", "5 hold", "10 press left")
    assert held.readings("10") == ("25:00", "25:00")


def test_a_delay_is_charged_to_neither_side_and_a_stop_only_pauses_it() -> None:
    told = _play(DELAY, "0 press right")
    assert _used(told, "5") == (0, 0)
    assert _used(told, "5.000000001") == (1, 0)
    paused = told.then("3 neutralise", "10 resume left")
    assert (_used(paused, "12"), _used(paused, "13")) == ((0, 0), (S, 0))
    assert _used(told.then("3 press left"), "9") == (0, S)
    used_up = told.then("8 neutralise", "10 resume left")
    assert _used(used_up, "12") == (5 * S, 0)
    assert told.then("3 neutralise", "10 press left").states("11")[1] == "right"
    assert _used(told.then("3 neutralise", "10 press left"), "16") == (0, S)


def test_a_decision_neither_uses_nor_renews_the_delay() -> None:
    told = _play(DELAY, "0 press right", "2 neutralise", "3 decide right", "6 neutralise", "10 resume left")
    assert _used(told, "10") == (0, 3 * S)
    assert _used(told, "14") == (S, 3 * S)


def test_a_turn_lost_by_a_verdict_begins_a_turn_with_its_own_delay() -> None:
    told = _play(DELAY, "0 press right", "8 challenge", "9 verdict acceptable=true", "10 press left")
    assert (_used(told, "15"), _used(told, "16")) == ((3 * S, 0), (3 * S, S))
    kept = _play(DELAY, "0 press right", "8 challenge", "9 verdict acceptable=false", "10 press right")
    assert _used(kept, "11") == (4 * S, 0)


def test_the_limit_waits_for_the_delay_of_a_clock_that_starts() -> None:
    told = _play(DELAY, "0 press left", "1 neutralise", "2 adjust left seconds=-2200 when=now reason=x", "3 press right")
    assert told.states("7.999999999")[0] == "running"
    assert told.face("8")["reason"] == "overtime limit"
    assert _used(told, "8") == (0, 0)


def test_the_time_of_a_turn_counts_without_stops_and_decisions_and_is_charged_nothing() -> None:
    told = _play(TURN, "0 press right")
    assert (told.face("10")["turn_left"], told.face("59.5")["turn_left"], told.face("75")["turn_left"]) == ("0:50", "0:01", "0:00")
    assert told.states("75") == ("running", "left", "left")
    decided = told.then("10 neutralise", "20 decide right", "30 neutralise", "40 resume left")
    assert (decided.face("25")["turn_left"], decided.face("45")["turn_left"]) == ("0:50", "0:45")
    assert decided.then("45 press left").face("46")["turn_left"] == "0:59"
    assert "turn_left" not in _play(BASE, "0 press right").face("1")
    assert "turn_left" not in _play(TURN).face("1")


def test_a_hold_is_released_at_its_longest_and_its_clock_runs_on() -> None:
    told = _play(RELEASES, "0 press right", "10 hold")
    assert (told.states("99.999999999")[0], told.states("100")) == ("hold", ("running", "left", "left"))
    assert told.face("100")["holder"] is None
    stopped = told.then("50 neutralise")
    assert (stopped.face("99")["holder"], stopped.face("100")["holder"], stopped.states("100")[0]) == ("left", None, "neutral")
    says = _play(replace(BASE, hold_maximum=HoldMaximum(90 * S, releases=False)), "0 press right", "10 hold")
    assert says.states("500")[0] == "hold"


def test_the_longest_hold_never_accepts_an_out_play() -> None:
    told = _play(RELEASES, "0 press right", "10 hold", "20 out_play", "25 hold")
    assert told.states("500")[0] == "hold"


def test_after_a_hold_released_by_itself_the_limit_still_comes_by_itself() -> None:
    told = _play(RELEASES, "0 press right", "10 hold")
    face = told.face("9999")
    assert (face["reason"], face["left"]["used_ns"], face["elapsed"]) == ("overtime limit", 2101 * S, "131:38")


CHARGES = {"instead": 100, "beside": 210, "none": 110}


@pytest.mark.parametrize("charge", CHARGES)
def test_the_limit_costs_its_penalty_instead_of_or_beside_the_overtime_or_none(charge: str) -> None:
    limit = OvertimeLimit(-601, 0 if charge == "none" else 100, charge, recount=False, wins_by_one=True)  # type: ignore[arg-type]  # a key of CHARGES
    told = _play(replace(BASE, limit=limit), "0 press right")
    assert told.face("2101")["left"]["penalty"] == CHARGES[charge]


def test_a_limit_may_leave_the_recount() -> None:
    limit = OvertimeLimit(-601, 100, "instead", recount=True, wins_by_one=True)
    by_itself = replace(load_rulebook("naspa-2014"), limit=limit)
    assert _play(by_itself, "0 press right").window("2101") == ("recount", "1:00", False)
    assert _play(replace(BASE, limit=limit), "0 press right", "2200 window name=recount").window("2201") == ("recount", "0:59", False)
    assert Told(begin(_begun(by_itself), 0)).then("0 end reason=forfeit loser=left", "1 window name=recount").refused


def test_bands_caps_and_completed_minutes_are_charged_by_the_game() -> None:
    rule = OvertimeRule((OvertimeBand(0, 10, 60), OvertimeBand(60, 5, 30)), counts_completed=False, cap=18, zero_reading_free=True)
    told = _play(replace(BASE, overtime=rule, limit=None), "0 press right")
    assert [told.face(t)["left"]["penalty"] for t in ("1500.5", "1501", "1561", "1600")] == [0, 10, 15, 18]


@pytest.mark.parametrize(("points_are", "points"), [("given", (0, 5)), ("taken", (-5, 0))])
def test_a_challenge_of_an_acceptable_play_costs_once_given_or_taken(points_are: str, points: tuple[int, int]) -> None:
    rule = replace(BASE.challenge, points_a_challenge=5, points_are=points_are)  # type: ignore[arg-type]  # one of the two words
    face = _play(replace(BASE, challenge=rule), "0 press right", "5 challenge", "6 verdict acceptable=true words=4").face("6")
    assert (face["left"]["points"], face["right"]["points"]) == points


def test_an_absent_player_forfeits_so_many_minutes_after_the_start_whatever_the_reading() -> None:
    rulebook = replace(BASE, forfeit_late_ns=600 * S)
    told = _play(rulebook, "0 adjust left seconds=600 when=now reason=x", "5 late_start left")
    assert (told.states("604.999999999")[0], told.face("605")["loser"]) == ("late", "left")
    both = _play(rulebook, "5 late_start both", "100 arrive right")
    assert (both.face("605")["reason"], both.face("605")["loser"]) == ("forfeit", "left")


@pytest.mark.parametrize("reason", ["six zeros", "resignation"])
def test_a_reason_that_never_ends_a_game_is_refused(reason: str) -> None:
    never = replace(BASE, six_zeros_by="never", resignation_by="never")
    keys = {"do": "end", "reason": reason} | ({"loser": "left"} if reason == "resignation" else {})
    allowed, refused = Told(begin(_begun(BASE), 0)), Told(begin(_begun(never), 0))
    assert allowed.said("1", keys).refused == ()
    assert refused.said("1", keys).refused


@settings(deadline=None, max_examples=examples(200))
@given(drawn=played(st.sampled_from([_begun(DELAY), _begun(replace(RELEASES, delay_ns=3 * S)), _begun(TURN)]), longest_gap_s=40, most=30))
def test_what_both_sides_used_and_what_nobody_is_charged_for_make_up_what_elapsed(drawn: Played) -> None:
    beginning, script = drawn
    game, neutral, before = fresh(beginning), 0, 0
    for line in script:
        standing = game.running is None
        neutral += line.at - before if standing else min(max(game.since, before), line.at) - before
        game = apply_or_advance(game, line)
        before = line.at
    used = sum(game.used_at(side, before) for side in Side)
    late = any(type(line.event).__name__ == "LateStart" for line in script)
    assert late or used + neutral == before
    assert advance(game, before) == game
