"""Time and points by the director, and the minutes that players agree on: added, deducted, erased, or changed with the rulebook."""

from __future__ import annotations

from game.events import Adjust, By, ChangeRulebook, EraseOvertime, Points, When
from game.game import Ending, Game, Phase
from game.not_allowed import EventNotAllowed, require_phase
from rules.side import Side


def adjust(game: Game, event: Adjust, at: int, by: By) -> Game:
    """Add or deduct time now, or at the end of the game, without changing used time (2017 II.D, II.F).

    Players may only give what the rules let them agree on, and at once (2017 III.G.6, IV.E.1).
    """
    given = event.ns if event.when is When.NOW else None
    if by is By.PLAYERS and not any(minute.by == "players" and minute.ns == given for minute in game.rulebook.minutes.values()):
        raise EventNotAllowed("without the director, players give no time but a minute of the rules, and at once")
    if event.when is When.END:
        return game.replace(credit=game.credit.replace(event.side, game.credit.of(event.side) + event.ns))
    return _allow(game, event.side, event.ns)


def erase_overtime(game: Game, event: EraseOvertime, at: int) -> Game:
    """Set a side's remaining time back to ``to_ns``, if it is below that (2017 V.D, V.E)."""
    if game.ending is Ending.LIMIT:
        raise EventNotAllowed("the game ended at the overtime limit: reopen it first")
    return _allow(game, event.side, max(0, event.to_ns - game.remaining(event.side, at)))


def points(game: Game, event: Points, at: int) -> Game:
    """Give points to a side, or take them (2017 IV.J.2, IV.E.2.b.5)."""
    return game.replace(points=game.points.replace(event.side, game.points.of(event.side) + event.points))


def change_rulebook(game: Game, event: ChangeRulebook, at: int) -> Game:
    """Go on under another rulebook: the allowed times change with regulation, charged time and points stay."""
    require_phase(game, Phase.READY, Phase.NEUTRAL)
    if game.out_player is not None:
        raise EventNotAllowed("an out play is pending")
    new = event.rulebook
    more = new.regulation_ns - game.rulebook.regulation_ns
    changed = game.replace(rulebook=new, window=game.window if game.window is not None and game.window.name in new.windows else None)
    for side in Side:
        if not game.own_allowance.of(side):
            changed = _allow(changed, side, more)
    return changed


def _allow(game: Game, side: Side, ns: int) -> Game:
    return game.replace(allowed=game.allowed.replace(side, game.allowed.of(side) + ns))
