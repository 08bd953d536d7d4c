import pytest
from msgspec.structs import replace

from rules.rulebooks import load_rulebook
from rules.rulebooks.model import ChallengeRule
from rules.side import Side
from rules.verdict import turn_and_points

LEFT, RIGHT = Side.LEFT, Side.RIGHT
DOUBLE, BY_WORD, CLUB = (load_rulebook(name).challenge for name in ("naspa-2017", "naspa-2017-collins-5", "club"))


@pytest.mark.parametrize(
    ("rule", "turn", "lost_turn", "points_of", "points"),
    [
        (DOUBLE, LEFT, RIGHT, LEFT, 0),  # 2017 IV.J.1.l
        (BY_WORD, RIGHT, None, LEFT, 15),  # 2017 VI.B.3
        (load_rulebook("nzasp-2022").challenge, RIGHT, None, LEFT, 15),  # NZ 6.17
        (CLUB, RIGHT, None, LEFT, 0),
        (replace(CLUB, points_a_challenge=10), RIGHT, None, LEFT, 10),
        (replace(CLUB, points_a_word=7, points_are="taken"), RIGHT, None, RIGHT, -21),
        (replace(DOUBLE, points_a_word=7), LEFT, RIGHT, LEFT, 21),
    ],
)
def test_an_acceptable_play_of_three_words_costs_the_right_challenger_what_the_rule_says(
    rule: ChallengeRule, turn: Side, lost_turn: Side | None, points_of: Side, points: int
) -> None:
    follows = turn_and_points(rule, acceptable=True, words=3, challenger=RIGHT, challenged=LEFT)
    assert (follows.turn, follows.lost_turn, follows.points_of, follows.points) == (turn, lost_turn, points_of, points)


@pytest.mark.parametrize("rule", [DOUBLE, BY_WORD, replace(CLUB, points_a_word=7, points_are="taken")])
def test_an_unacceptable_play_costs_its_player_the_turn_and_nobody_points(rule: ChallengeRule) -> None:
    follows = turn_and_points(rule, acceptable=False, words=3, challenger=RIGHT, challenged=LEFT)
    assert (follows.turn, follows.lost_turn, follows.points) == (RIGHT, LEFT, 0)
