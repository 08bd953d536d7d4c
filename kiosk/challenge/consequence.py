"""What a verdict means under the rulebook in force: who loses the turn, points to whom, whose clock runs on. From the same data as the clock's."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from firmware.rulebooks.model import ChallengeRule


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


def consequence(rule: ChallengeRule, count: int, *, acceptable: bool) -> Consequence:
    """Return what the verdict on a play of ``count`` challenged words means (2017 IV.J, VI.B; NZ 6.16, 6.17)."""
    if not acceptable:
        # The play comes off and scores nothing: its player has had the turn.
        return Consequence(False, turn_lost_by=Role.CHALLENGED, on_turn=Role.CHALLENGER, points=0, points_to=None)
    points = rule.points_a_word * count
    given_to = Role.CHALLENGED if points else None
    if rule.acceptable_loses_turn:
        return Consequence(True, turn_lost_by=Role.CHALLENGER, on_turn=Role.CHALLENGED, points=points, points_to=given_to)
    return Consequence(True, turn_lost_by=None, on_turn=Role.CHALLENGER, points=points, points_to=given_to)
