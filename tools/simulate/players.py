"""Simulated players: what they press next, from what the clock shows. Most turns are a press; some are a stop, a hold or a challenge.

Those of a trial hall play a short game for each pair of names that their clock is sent, and now and then call the director.
"""

from random import Random
from typing import Final

from msgspec import Struct

from firmware.gestures.clock_state import ClockState
from firmware.hall.orders import HallState
from firmware.table_menu.pages import YES, page
from game.game import Game, Phase, Stopped
from game.table import NO_NAMES, is_offered
from rules.duration import NS
from rules.side import Side

MS: Final = 1_000_000
_TAP: Final = 80 * MS
CALL: Final = 1_300 * MS
"""A hold, a resumption by the menu's side, a verdict, the table menu: the button is held for a second."""
CHALLENGE: Final = 2_300 * MS
"""A challenge, or after the end the next game: the bar is held for two."""
BAR: Final = "centre"
_IN_TIME: Final = 10 * NS
"""So long after a stop an out play can be declared under each rulebook; later they play on."""


class PlayersMove(Struct, frozen=True):
    """Buttons pressed together, for how long (ns), and how long the next move takes as a share of a turn."""

    buttons: tuple[str, ...] = ()
    """None: they wait."""
    held: int = _TAP
    pause: float = 1.0


def next_move(state: ClockState, now: int, chance: Random) -> PlayersMove | None:
    """Return what the players do at ``now`` (ns); None: the game is over."""
    game = state.game_at(now)
    if state.table_menu is not None:
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
            taken = state.offer is not None and chance.random() < 0.5
            return PlayersMove((BAR if taken else chance.choice((BAR, Side.LEFT.value)),), CALL if taken else _TAP, pause=0.1)
        case Phase.OVER:
            return None
        case _:
            # Whoever presses starts the other player's clock.
            starter = Side.RIGHT if game.turn is None else game.turn.other
            return PlayersMove((starter.value,))


def ending_move(state: ClockState, now: int, chance: Random) -> PlayersMove | None:
    """Return what the players do at ``now`` (ns) after the last play: one stops the clock and has played out, the other one accepts it."""
    game = state.game_at(now)
    match game.phase:
        case Phase.RUNNING if state.table_menu is None:
            return PlayersMove((BAR,), pause=0.3)
        case Phase.NEUTRAL if (
            state.table_menu is None
            and game.turn is not None
            and isinstance(game.state, Stopped)
            and state.instant(now) - game.state.at < _IN_TIME
        ):
            return PlayersMove((game.turn.value,), CALL, pause=0.3)
        case Phase.NEUTRAL if state.table_menu is not None and state.table_menu.path == ("out_play",) and game.turn is not None:
            return PlayersMove((game.turn.value,), pause=0.3)
        case Phase.OUT_PLAY if state.table_menu is None and game.out_player is not None:
            return PlayersMove((game.out_player.other.value,), CALL, pause=0.3)
        case _:
            return next_move(state, now, chance)


def asked_to_stop(state: ClockState, now: int) -> PlayersMove:
    """Return what the players do while the director asks them to stop: they stop the clock, and wait."""
    return PlayersMove((BAR,) if state.game_at(now).running is not None else (), pause=0.2)


def _in_turn(running: Side, chance: Random) -> PlayersMove:
    kind = chance.random()
    if kind < 0.03:
        return PlayersMove((BAR,), pause=0.5)
    if kind < 0.06:
        return PlayersMove((running.other.value,), CALL, pause=0.3)
    if kind < 0.09:
        return PlayersMove((BAR,), CHALLENGE, pause=0.3)
    return PlayersMove((running.value,))


UNANSWERED_S: Final = 90
"""A call without an answer from the desk ends after this time, so that a trial without a director goes on."""
ON_THE_WAY_S: Final = 8
"""So long the director walks."""
_AT_THE_TABLE: Final = 3 * NS
"""How long the director's key stays turned."""
_STOPPED: Final = (Phase.RUNNING, Phase.NEUTRAL)
"""The phases in which a player opens the menu and calls."""


class TrialPlayers:
    """What the players of one table do. Instants in ns.

    Args:
        turns: a player goes out after so many moves.
        calls: in which of their games they call the director; 0 is the first.
        chance: their random choices.
    """

    def __init__(self, turns: int, calls: frozenset[int], chance: Random) -> None:
        self._turns, self._calls, self._chance = turns, calls, chance
        self._played = self._moves = 0
        self._call_after = self._planned_call()
        self._answered_at: int | None = None

    def director_comes(self, state: ClockState, now: int, *, comes: bool = True) -> None:
        """Somebody goes to their call, if it stands at ``now``; or does not after all."""
        if state.game_at(now).called:
            self._answered_at = now + (ON_THE_WAY_S if comes else UNANSWERED_S) * NS

    def move(self, state: ClockState, hall: HallState, now: int) -> PlayersMove:
        """Return what they do at ``now``."""
        game = state.game_at(now)
        if hall.stop is not None:
            return asked_to_stop(state, now)
        if game.called:
            return self._until_the_director_comes(now)
        if game.phase is Phase.OVER:
            return PlayersMove(pause=0.3) if game.wait_to_leave(state.instant(now)) else self._next_game(state, hall, now)
        if hall.place.names == NO_NAMES:
            return PlayersMove(pause=0.3)
        if game.phase is Phase.READY and is_offered(state.history, state.setup.offered):
            return _taking(("next_game", YES), state, now)
        if self._calls_now(game):
            return _taking(("call",), state, now)
        move = (next_move if self._moves < self._turns else ending_move)(state, now, self._chance) or PlayersMove()
        self._moves += bool(move.buttons)
        return move

    def _next_game(self, state: ClockState, hall: HallState, now: int) -> PlayersMove:
        """Begin another game once the names of its players have come."""
        if self._moves:
            self._played, self._moves = self._played + 1, 0
            self._call_after = self._planned_call()
        return PlayersMove(pause=0.3) if hall.played is None else _taking(("next_game", YES), state, now)

    def _planned_call(self) -> int | None:
        """Return after how many moves they call in this game; None: they do not."""
        return self._chance.randint(self._turns // 6, self._turns // 2) if self._played in self._calls else None

    def _calls_now(self, game: Game) -> bool:
        return self._call_after is not None and self._moves >= self._call_after and game.phase in _STOPPED

    def _until_the_director_comes(self, now: int) -> PlayersMove:
        self._call_after = None
        if self._answered_at is None:
            self._answered_at = now + UNANSWERED_S * NS
        if now < self._answered_at:
            return PlayersMove(pause=0.1)
        self._answered_at = None
        # The director's key: the call is answered when the menu opens.
        return PlayersMove(("key",), _AT_THE_TABLE, pause=0.5)


def _taking(rows: tuple[str, ...], state: ClockState, now: int) -> PlayersMove:
    """Return the next press on the way to a row of the table menu: the menu opens, the cursor goes to the row of each page, the bar takes it."""
    if state.table_menu is None:
        return PlayersMove((BAR,), CALL, pause=0.1)
    shown = page(state.table_menu, state.history, state.setup, state.instant(now))
    names = [each.name for each in shown.rows]
    row = rows[len(state.table_menu.path)]
    if names[shown.cursor] == row:
        return PlayersMove((BAR,), pause=0.2)
    down = (names.index(row) - shown.cursor) % len(names)
    return PlayersMove(((Side.RIGHT if down <= len(names) // 2 else Side.LEFT).value,), pause=0.1)
