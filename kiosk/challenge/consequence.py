"""The consequence of a verdict under the rulebook in force: lost turn, points, whose clock runs. The clock uses the same data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.rulebooks.model import ChallengeRule, RestartRule


class Role(StrEnum):
    """A player's role in a challenge."""

    CHALLENGER = "challenger"
    CHALLENGED = "challenged"


@dataclass(frozen=True, slots=True)
class Consequence:
    """What happens at the table after the verdict."""

    acceptable: bool
    turn_lost_by: Role | None
    on_turn: Role | None
    """The player whose clock runs next; the other one starts it. None: the game is over, and no clock runs."""
    points: int
    """Below zero: taken from that player."""
    points_to: Role | None
    restart: RestartRule | None = None
    """The condition for starting that clock; None: the rulebook has none."""


def consequence(rule: ChallengeRule, count: int, *, acceptable: bool, last_play: bool = False) -> Consequence:
    """Return the consequence of the verdict on a play of ``count`` challenged words (2017 IV.J, VI.B; NZ 6.16, 6.17).

    An acceptable last play ends the game: there is no turn left to lose (2014 V.A, 2017 V.A, V.E, NZ 8.1.1).
    """
    if not acceptable:
        # The play is removed and scores nothing; its player has used the turn.
        return Consequence(False, Role.CHALLENGED, Role.CHALLENGER, points=0, points_to=None, restart=rule.restart)
    loser, on_turn = (Role.CHALLENGER, Role.CHALLENGED) if rule.acceptable_loses_turn else (None, Role.CHALLENGER)
    points = rule.points_a_word * count + rule.points_a_challenge
    to = Role.CHALLENGED if rule.points_are == "given" else Role.CHALLENGER
    paid = points if rule.points_are == "given" else -points
    points_to = to if points else None
    if last_play:
        return Consequence(True, None, None, paid, points_to)
    return Consequence(True, loser, on_turn, paid, points_to, restart=rule.restart)
