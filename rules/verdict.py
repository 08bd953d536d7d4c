"""What a verdict on a play does to turn and points: the one reading of the challenge rule, for clock and station."""

from typing import Generic, TypeVar

from msgspec import Struct

from rules.rulebooks.model import ChallengeRule

T = TypeVar("T")
"""What stands for a player: the clock knows sides, the station roles."""


class TurnAndPoints(Struct, Generic[T], frozen=True):
    turn: T
    lost_turn: T | None
    points_of: T
    points: int
    """Below zero: taken; 0: none change."""


def turn_and_points(rule: ChallengeRule, *, acceptable: bool, words: int, challenger: T, challenged: T) -> TurnAndPoints[T]:
    points_of = challenged if rule.points_are == "given" else challenger
    points = points_for(rule, acceptable=acceptable, words=words)
    if not acceptable:
        # The play comes off, and its player has used the turn (2017 IV.J.1.l, VI.B.2; NZ 6.16).
        return TurnAndPoints(challenger, challenged, points_of, points)
    if rule.acceptable_loses_turn:
        return TurnAndPoints(challenged, challenger, points_of, points)  # 2017 IV.J.1.l
    return TurnAndPoints(challenger, None, points_of, points)  # 2017 VI.B.3, NZ 6.17


def points_for(rule: ChallengeRule, *, acceptable: bool, words: int) -> int:
    """Return the points for a challenge of ``words`` words (2017 VI.B.3, NZ 6.17); below zero: taken from the challenger."""
    if not acceptable:
        return 0
    points = rule.points_a_word * words + rule.points_a_challenge
    return points if rule.points_are == "given" else -points
