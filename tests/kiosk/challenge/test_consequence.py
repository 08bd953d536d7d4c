"""What a verdict means: station and table clock, which ask the same rulebook, agree on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.events import By, Verdict
from game.game import Game
from game.play import verdict
from kiosk.effects import Role, consequence
from rules.rulebooks import load_rulebook
from rules.rulebooks.model import ChallengeRule
from rules.side import Side
from tests.cells import each_cell
from tests.firmware.saying import RULEBOOKS, play


def _judged(rulebook: str, rule: ChallengeRule, challenger: Side, count: int, *, acceptable: bool) -> Game:
    """Return the clock's game after the verdict."""
    game = play(rulebook, "0 press right", f"5 challenge {challenger}").game("6")
    ruled = game.replace(rulebook=replace(game.rulebook, challenge=rule))
    return verdict(ruled, Verdict(acceptable=acceptable, words=count), 7, By.PLAYERS)


def _agree(rulebook: str, rule: ChallengeRule, challenger: Side, count: int, *, acceptable: bool) -> None:
    game = _judged(rulebook, rule, challenger, count, acceptable=acceptable)
    follows = consequence(rule, count, acceptable=acceptable)
    sides = {Role.CHALLENGER: challenger, Role.CHALLENGED: challenger.other, None: None}
    assert (game.turn, game.lost_turn) == (sides[follows.on_turn], sides[follows.turn_lost_by])
    for side in Side:
        assert game.points.of(side) == (follows.points if side is sides[follows.points_to] else 0)
    assert (follows.points_to is None) is (follows.points == 0)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_station_and_clock_agree_under_every_shipped_rulebook(rulebook: str) -> None:
    for cell in each_cell(product(Side, [True, False])):
        with cell as (challenger, acceptable):
            for count in range(1, 9):
                _agree(rulebook, load_rulebook(rulebook).challenge, challenger, count, acceptable=acceptable)


@given(
    st.builds(
        ChallengeRule,
        acceptable_loses_turn=st.booleans(),
        points_a_word=st.integers(0, 1_000),
        may_withdraw=st.booleans(),
        may_concede=st.booleans(),
        review=st.sampled_from(["judges", "appeal", None]),
    ),
    st.sampled_from(Side),
    st.integers(1, 8),
    st.booleans(),
)
def test_station_and_clock_agree_under_a_directors_own_rulebook(
    rule: ChallengeRule, challenger: Side, count: int, acceptable: bool
) -> None:
    _agree("club", rule, challenger, count, acceptable=acceptable)


@pytest.mark.parametrize(
    ("rulebook", "lost_by", "on_turn", "points"),
    [
        ("naspa-2012", Role.CHALLENGER, Role.CHALLENGED, 0),
        ("naspa-2014", Role.CHALLENGER, Role.CHALLENGED, 0),
        ("naspa-2017", Role.CHALLENGER, Role.CHALLENGED, 0),
        ("naspa-2014-collins-5", None, Role.CHALLENGER, 15),
        ("naspa-2014-collins-10", None, Role.CHALLENGER, 30),
        ("naspa-2017-collins-5", None, Role.CHALLENGER, 15),
        ("naspa-2017-collins-10", None, Role.CHALLENGER, 30),
        ("nzasp-2022", None, Role.CHALLENGER, 15),
        ("club", None, Role.CHALLENGER, 0),
    ],
)
def test_an_acceptable_play_of_three_words_means_what_the_rulebooks_source_says(
    rulebook: str, lost_by: Role | None, on_turn: Role, points: int
) -> None:
    follows = consequence(load_rulebook(rulebook).challenge, 3, acceptable=True)
    assert (follows.turn_lost_by, follows.on_turn, follows.points) == (lost_by, on_turn, points)
    assert follows.points_to is (Role.CHALLENGED if points else None)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_an_unacceptable_play_costs_its_player_the_turn_and_nobody_points_under_every_rulebook(rulebook: str) -> None:
    follows = consequence(load_rulebook(rulebook).challenge, 3, acceptable=False)
    assert (follows.turn_lost_by, follows.on_turn, follows.points, follows.points_to) == (Role.CHALLENGED, Role.CHALLENGER, 0, None)
