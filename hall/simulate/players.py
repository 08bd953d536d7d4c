"""Simulated players: what they press next, from what the clock shows. Most turns are a press; some are a stop, a hold or a challenge."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from firmware.gestures.clock_state import ClockState
from game.game import Phase
from rules.duration import NS
from rules.side import Side

MS: Final = 1_000_000
_TAP: Final = 80 * MS
_BOTH: Final = 200 * MS
CALL: Final = 1_300 * MS
"""A hold, a resumption by the menu's side, a verdict, the table menu: the button is held for a second."""
CHALLENGE: Final = 2_300 * MS
"""A challenge, or after the end the next game: the bar is held for two."""
BAR: Final = "centre"
_IN_TIME: Final = 10 * NS
"""So long after a stop an out play can be declared under each rulebook; later they play on."""


@dataclass(frozen=True, slots=True)
class PlayersMove:
    """Buttons pressed together, for how long (ns), and how long the next move takes as a share of a turn."""

    buttons: tuple[str, ...] = ()
    """None: they wait."""
    held: int = _TAP
    pause: float = 1.0


def next_move(table: ClockState, now: int, chance: Random) -> PlayersMove | None:
    """Return what the players do at ``now`` (ns); None: the game is over."""
    game = table.game_at(now)
    if table.table_menu is not None:
        # It closes after 15 s.
        return PlayersMove()
    match game.phase:
        case Phase.RUNNING if game.running is not None:
            return _in_turn(game.running, chance)
        case Phase.HOLD if game.running is not None:
            # The player on turn lets the play stand.
            return PlayersMove((game.running.value,), pause=0.5)
        case Phase.ADJUDICATION:
            # Held where nothing is offered, the bar would open the menu.
            taken = table.offer.event is not None and chance.random() < 0.5
            return PlayersMove((BAR,), CALL if taken else _TAP, pause=0.1)
        case Phase.OVER:
            return None
        case _:
            # Whoever presses starts the other player's clock.
            starter = Side.RIGHT if game.turn is None else game.turn.other
            return PlayersMove((starter.value,))


def ending_move(table: ClockState, now: int, chance: Random) -> PlayersMove | None:
    """Return what the players do at ``now`` (ns) after the last play: one stops the clock and has played out, the other one accepts it."""
    game = table.game_at(now)
    match game.phase:
        case Phase.RUNNING if table.table_menu is None:
            return PlayersMove((BAR,), pause=0.3)
        case Phase.NEUTRAL if table.table_menu is None and game.turn is not None and table.instant(now) - game.stopped < _IN_TIME:
            return PlayersMove((game.turn.value,), CALL, pause=0.3)
        case Phase.NEUTRAL if table.table_menu is not None and table.table_menu.path == ("out_play",) and game.turn is not None:
            return PlayersMove((game.turn.value,), pause=0.3)
        case Phase.OUT_PLAY if table.table_menu is None and game.out_player is not None:
            return PlayersMove((game.out_player.other.value,), CALL, pause=0.3)
        case _:
            return next_move(table, now, chance)


def asked_to_stop(table: ClockState, now: int) -> PlayersMove:
    """Return what the players do while the director asks them to stop: they stop the clock, and wait."""
    return PlayersMove((BAR,) if table.game_at(now).running is not None else (), pause=0.2)


def _in_turn(running: Side, chance: Random) -> PlayersMove:
    kind = chance.random()
    if kind < 0.03:
        return PlayersMove((Side.LEFT.value, Side.RIGHT.value), _BOTH, pause=0.5)
    if kind < 0.06:
        return PlayersMove((running.other.value,), CALL, pause=0.3)
    if kind < 0.09:
        return PlayersMove((BAR,), CHALLENGE, pause=0.3)
    return PlayersMove((running.value,))
