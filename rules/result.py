"""What counts of the scores with which a game ends: final scores, winner and margin, for clock and desk alike.

Scores are those of both players' sheets, with the unplayed tiles and all points of challenges, which belong to the sheets and are never taken off here.
"""

from typing import Final

from msgspec import Struct

from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side

LEAST_SCORE: Final = -999
MOST_SCORE: Final = 1999
"""The scores that anything in the hall takes: what lies beyond is a slip of the hand."""
NO_PENALTIES: Final = BySide(0, 0)


class GameEnd(Struct, frozen=True):
    penalties: BySide[int] = NO_PENALTIES
    """Overtime, with that of the limit, as points to take off; not below 0."""
    limit_loser: Side | None = None
    """Who lost by the overtime limit (2017 V.G.3)."""
    leaver: Side | None = None
    """Who resigned, or left the game (2017 V.K.2, WESPA 5.7)."""


class Outcome(Struct, frozen=True):
    winner: Side | None
    """None: a tie, half a win each (2017 V.H, NZ 8.5)."""
    margin: int


def final_scores(rulebook: Rulebook, scores: BySide[int], end: GameEnd, *, taken_off: bool = False) -> BySide[int]:
    """Return the scores that count; ``taken_off``: the players have already taken the penalties off ``scores``."""
    penalties = NO_PENALTIES if taken_off else end.penalties
    final = BySide(scores.left - penalties.left, scores.right - penalties.right)
    if end.limit_loser is not None:
        final = _lost_at_limit(rulebook, final, end.limit_loser)
    return final if end.leaver is None else _left(rulebook, final, end.leaver)


def outcome(final: BySide[int]) -> Outcome:
    lead = final.left - final.right
    return Outcome(None if lead == 0 else Side.LEFT if lead > 0 else Side.RIGHT, abs(lead))


def _lost_at_limit(rulebook: Rulebook, final: BySide[int], loser: Side) -> BySide[int]:
    """Return the scores with the least margin of the limit: one point raises the winner's (2017 V.G.3), more lower the loser's (WESPA 5.3.3).

    Where that leaves the loser below zero, both get the margin on top (WESPA 5.3.3: 100 points each).
    """
    limit, winner = rulebook.limit, loser.other
    if limit is None or not limit.wins_by:
        return final
    if limit.wins_by == 1:
        return final.replace(winner, max(final.of(winner), final.of(loser) + 1))
    lost = min(final.of(loser), final.of(winner) - limit.wins_by)
    more = limit.wins_by if lost < 0 else 0
    return final.replace(loser, lost).map(lambda score: score + more)


def _left(rulebook: Rulebook, final: BySide[int], leaver: Side) -> BySide[int]:
    """Return the scores after ``leaver`` has left: who is behind loses the margin, else the opponent's score is raised by it above the leaver's (2017 V.K.2, WESPA 5.7).

    Level scores are raised too (assumed); the spread is the same.
    """
    margin, behind = rulebook.result.leaving_margin, final.of(leaver) < final.of(leaver.other)
    if margin is None:
        return final
    if behind:
        return final.replace(leaver, final.of(leaver) - margin)
    return final.replace(leaver.other, final.of(leaver) + margin)
