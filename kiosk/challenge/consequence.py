"""What a verdict means under the rulebook in force: who loses the turn, points to whom, whose clock runs on. From the same data as the clock's."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.rulebooks.model import ChallengeRule, RestartRule


class Role(StrEnum):
    """What a player is in a challenge."""

    CHALLENGER = "challenger"
    CHALLENGED = "challenged"


@dataclass(frozen=True, slots=True)
class Consequence:
    """What happens at the table now."""

    acceptable: bool
    turn_lost_by: Role | None
    on_turn: Role
    """Whose clock runs on; the other player starts it."""
    points: int
    points_to: Role | None
    restart: RestartRule | None = None
    """What must be so before that clock starts; None: the rulebook does not say."""


def consequence(rule: ChallengeRule, count: int, *, acceptable: bool) -> Consequence:
    """Return what the verdict on a play of ``count`` challenged words means (2017 IV.J, VI.B; NZ 6.16, 6.17)."""
    if not acceptable:
        # The play comes off and scores nothing: its player has had the turn.
        return Consequence(False, Role.CHALLENGED, Role.CHALLENGER, points=0, points_to=None, restart=rule.restart)
    loser, on_turn = (Role.CHALLENGER, Role.CHALLENGED) if rule.acceptable_loses_turn else (None, Role.CHALLENGER)
    points = rule.points_a_word * count
    return Consequence(True, loser, on_turn, points, points_to=Role.CHALLENGED if points else None, restart=rule.restart)
