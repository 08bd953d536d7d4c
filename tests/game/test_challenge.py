"""Challenge rules and points of every rulebook, with and without a pending out play (docs/spec/rules.md, "The challenge")."""

import pytest

from tests.cells import each_cell
from tests.firmware.saying import RULEBOOKS, play

TURN_LOST = {"naspa-2012", "naspa-2014", "naspa-2017"}
POINTS = {
    "naspa-2014-collins-5": 5,  # 2014 VI
    "naspa-2014-collins-10": 10,
    "naspa-2017-collins-5": 5,  # 2017 VI.B.3
    "naspa-2017-collins-10": 10,
    "nzasp-2022": 5,
}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_an_acceptable_play_costs_the_challenger_what_the_rulebook_says(rulebook: str) -> None:
    for cell in each_cell([1, 3]):
        with cell as words:
            told = play(rulebook, "0 press right", "5 challenge", f"60 verdict acceptable=true words={words}")
            face = told.face("61")
            assert told.states("61") == ("neutral", None, "right" if rulebook in TURN_LOST else "left")
            assert face["lost_turn"] == ("left" if rulebook in TURN_LOST else None)
            assert (face["left"]["points"], face["right"]["points"]) == (0, POINTS.get(rulebook, 0) * words)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_an_unacceptable_play_loses_the_challenged_player_the_turn_and_nobody_points(rulebook: str) -> None:
    told = play(rulebook, "0 press right", "5 challenge", "60 verdict acceptable=false words=2")
    face = told.face("61")
    assert told.states("61") == ("neutral", None, "left")
    assert (face["lost_turn"], face["left"]["points"], face["right"]["points"]) == ("right", 0, 0)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_an_acceptable_out_play_ends_the_game_points_all_the_same(rulebook: str) -> None:
    told = play(rulebook, "0 press right", "5 out_play", "6 challenge", "60 verdict acceptable=true words=2")
    face = told.face("61")
    assert (face["phase"], face["reason"], face["lost_turn"]) == ("over", "out play", None)
    assert (face["left"]["points"], face["right"]["points"]) == (POINTS.get(rulebook, 0) * 2, 0)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_an_unacceptable_out_play_is_no_longer_pending_and_the_challenger_is_on_turn(rulebook: str) -> None:
    told = play(rulebook, "0 press right", "5 out_play", "6 challenge", "60 verdict acceptable=false")
    assert told.states("61") == ("neutral", None, "right")
    assert told.face("61")["lost_turn"] == "left"
    assert told.then("62 out_play").states("62")[0] in ("out_play", "over")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_challenger_who_is_named_counts_against_the_turn(rulebook: str) -> None:
    told = play(rulebook, "0 press right", "5 challenge right", "60 verdict acceptable=true")
    face = told.face("61")
    assert told.states("61")[2] == ("left" if rulebook in TURN_LOST else "right")
    assert (face["left"]["points"], face["right"]["points"]) == (POINTS.get(rulebook, 0), 0)


def test_the_challenger_is_the_out_players_opponent_while_pending_else_the_player_on_turn() -> None:
    held = play("naspa-2017", "0 press right", "5 out_play", "6 hold", "7 challenge", "8 verdict acceptable=false")
    assert (held.face("8")["turn"], held.face("8")["lost_turn"]) == ("right", "left")
    stopped = play("naspa-2017", "0 press right", "5 neutralise", "7 challenge", "8 verdict acceptable=false")
    assert (stopped.face("8")["turn"], stopped.face("8")["lost_turn"]) == ("left", "right")


def test_a_challenge_stops_the_clock_at_its_instant() -> None:
    told = play("naspa-2017", "0 press right", "5.000000003 challenge")
    assert told.face("99")["left"]["used_ns"] == 5_000_000_003


def test_the_turn_that_was_lost_is_shown_until_that_stop_is_over() -> None:
    told = play("naspa-2017", "0 press right", "5 challenge", "6 verdict acceptable=true")
    assert told.then("7 window name=mixing", "8 adjust left seconds=60 when=now reason=x").face("9")["lost_turn"] == "left"
    for after in ("press left", "resume right", "decide left", "challenge", "out_play", "end reason=x"):
        further = told.then(f"7 {after}")
        assert further.refused == ()
        assert further.face("7")["lost_turn"] is None


def test_a_withdrawn_challenge_leaves_turn_and_pending_as_they_were() -> None:
    told = play("naspa-2017-collins-5", "0 press right", "5 challenge", "6 withdraw")
    face = told.face("7")
    assert told.states("7") == ("neutral", None, "left")
    assert (face["lost_turn"], face["left"]["points"], face["right"]["points"]) == (None, 0, 0)


def test_points_of_several_challenges_add_up() -> None:
    lines = ["0 press right", "5 challenge", "6 verdict acceptable=true words=2", "7 challenge", "8 verdict acceptable=true"]
    told = play("naspa-2017-collins-10", *lines, "9 challenge right", "10 verdict acceptable=true")
    assert (told.face("11")["left"]["points"], told.face("11")["right"]["points"]) == (10, 30)
