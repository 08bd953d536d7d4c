"""Everything else that changes a game: its beginning, end and reopening, time frames, time and points, seats, calls and infractions."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from faults.errors import Phrase, as_phrase
from game.events import (
    By,
    Call,
    ChangeRulebook,
    NewGame,
    Reason,
    Reopen,
    Result,
    StartWindow,
    Swap,
)
from game.game import (
    COURTESY_DRAW,
    EXCLUDES_RECOUNT,
    OUT_PLAY_WINDOW,
    RECOUNT,
    SIX_ZEROS,
    ZEROS,
    Account,
    Ending,
    EventNotAllowed,
    Game,
    OutPlaying,
    Phase,
    Stopped,
    Turn,
    Window,
    needed,
    require_phase,
)
from rules.result import GameEnd, final_scores
from rules.rulebooks.model import DECISIONS, Rulebook
from rules.side import BySide, Side

RESIGNATION, FORFEIT = "resignation", str(Ending.FORFEIT)
WITH_LOSER: Final = (RESIGNATION, FORFEIT)
"""The reasons of an end that name who loses (2017 I.B, V.K.2)."""
DIRECTOR_CALLED: Final = "director called"
SIGNED: Final = "the result is signed"


def fresh(event: NewGame) -> Game:
    """Return a game in ``ready``; a side's own allowance replaces regulation (2017 III.A.3)."""
    regulation = event.rulebook.regulation_ns
    accounts = event.allowed.map(lambda own: Account(regulation if own is None else own, own))
    return Game(event.rulebook, accounts, called=event.called)


def never_ends(rulebook: Rulebook, reason: str) -> bool:
    return (rulebook.six_zeros_by == "never" and reason in (SIX_ZEROS, ZEROS)) or (
        rulebook.resignation_by == "never" and reason == RESIGNATION
    )


def reopen(game: Game, event: Reopen, at: int, by: By) -> Game:
    """Continue a game after found tiles or a wrong end, with the clocks stopped.

    After an out play the opponent is on turn: the out player has used that turn (2017 III.G.5.7, V.C.3; NZ 6.10.6, 6.11.5).
    """
    out_player, turn = None if game.end is None else game.end.out_player, game.on_turn
    if out_player is not None and game.turn is out_player:
        turn = Turn(out_player.other)
    return game.replace(state=Stopped(at, ruling="reopened"), on_turn=turn, window=None)


def give_reason(game: Game, event: Reason, at: int, by: By) -> Game:
    """Note why the clock stands; an earlier reason is replaced (2017 II.A)."""
    if not isinstance(game.state, Stopped) or not game.state.explicit:
        raise EventNotAllowed("only a stop of a running clock has a reason")
    return game.replace(state=replace(game.state, reason=event.reason))


def call(game: Game, event: Call, at: int, by: By) -> Game:
    """Call the director, which explains a stop without a reason, or disputes the result; or answer the call, which the players can take back with its reason.

    Called within the 20 s of an out play, they count no further: the director says how it goes on (2017 II.A, V.C.2).
    """
    called = game.replace(called=event.on)
    if event.disputes and game.end is not None:
        return called.replace(state=replace(game.end, disputed=True))
    if event.on and isinstance(game.state, OutPlaying) and game.rulebook.out_play_ends_game:
        return called.replace(state=Stopped(at), window=None)
    if event.on and game.unexplained:
        return give_reason(called, Reason(DIRECTOR_CALLED), at, by)
    if not event.on and by is By.PLAYERS and isinstance(game.state, Stopped) and game.state.reason == DIRECTOR_CALLED:
        return called.replace(state=replace(game.state, reason=None))
    return called


def swap(game: Game, event: Swap, at: int, by: By) -> Game:
    state, turn, held = game.state, game.on_turn, game.hold
    if isinstance(state, Stopped) and state.lost_turn is not None:
        state = replace(state, lost_turn=state.lost_turn.other)
    return game.replace(
        accounts=game.accounts.swapped(),
        used=game.used.swapped(),
        state=state,
        on_turn=None if turn is None else replace(turn, side=turn.side.other),
        hold=None if held is None else replace(held, side=held.side.other),
        out_player=None if game.out_player is None else game.out_player.other,
        window=None,
    )


BETWEEN_ROUNDS: Final = "between_rounds"
DISCONNECTED: Final = "disconnected"
LATE_START: Final = "late_start"
MISSED_PRESS: Final = "missed_press"
RECOUNT_WARNING: Final = "recount_warning"
_STAYS_ENDED: Final = EXCLUDES_RECOUNT | {RESIGNATION}
"""The reasons of an end that disconnected tiles do not change: the game is lost, forfeited or given up."""
_ANY: Final = frozenset({Phase.READY, Phase.RUNNING, Phase.NEUTRAL, Phase.ADJUDICATION})
_ALSO_IN_HOLD: Final = _ANY | {Phase.HOLD}
_ALSO_AFTER: Final = _ANY | {Phase.OVER}
WINDOW_PHASES: Final[Mapping[str, frozenset[Phase]]] = {
    COURTESY_DRAW: frozenset(),
    OUT_PLAY_WINDOW: frozenset(),
    MISSED_PRESS: _ALSO_IN_HOLD,
    "return_to_table": _ALSO_IN_HOLD,
    "mixing": _ALSO_IN_HOLD,
    # A decision comes with a stopped clock (2017 IV.B.2, IV.B.5.b, IV.B.7).
    **dict.fromkeys(DECISIONS, _ANY),
    RECOUNT: _ALSO_AFTER,
    RECOUNT_WARNING: _ALSO_AFTER,
    LATE_START: _ANY,
    BETWEEN_ROUNDS: _ALSO_AFTER,
    DISCONNECTED: frozenset({Phase.OVER}),
}


def start_window(game: Game, event: StartWindow, at: int, by: By) -> Game:
    name, length = event.name, game.rulebook.windows.get(event.name)
    require_phase(game, WINDOW_PHASES[name])
    if length is None:
        raise EventNotAllowed(Phrase("{rulebook} has no window {window}", rulebook=game.rulebook.id, window=as_phrase(name)))
    window = disconnected(game) if name == DISCONNECTED else Window(name, _began(game, event, at), event.length or length, event.side)
    window = needed(window, "disconnected tiles do not change this end")
    if window.ends <= at:
        raise EventNotAllowed(Phrase("{window} is over", window=as_phrase(name)))
    if game.end is not None and game.excludes_recount and name in (RECOUNT, RECOUNT_WARNING):
        raise EventNotAllowed(Phrase("no recount after {reason}", reason=as_phrase(game.end.reason)))  # 2014 V.G, 2017 V.G.3
    if game.result is not None and name == RECOUNT:
        raise EventNotAllowed(SIGNED)  # 2017 V.I
    if game.end is not None and name == RECOUNT:
        game = game.replace(state=replace(game.end, recount_at=window.starts))
    return game.replace(window=window)


def _began(game: Game, event: StartWindow, at: int) -> int:
    if game.end is not None and event.name == BETWEEN_ROUNDS:
        return game.end.at  # The break is the time between two games (2017 III.C).
    if game.end is not None and event.name == RECOUNT and game.end.recount_at is not None:
        return game.end.recount_at  # Another window hid it; its minute has run on (2014 V.I).
    return at - (event.ago or 0)


def disconnected(game: Game) -> Window | None:
    """Return the time in which disconnected tiles reopen the game, expired or not; None: the rulebook has none, or they change nothing (2017 III.G.5.7)."""
    length = game.rulebook.windows.get(DISCONNECTED)
    # Without a turn nothing was played; once signed, only the director reopens.
    if length is None or game.end is None or game.turn is None or game.result is not None or game.end.reason in _STAYS_ENDED:
        return None
    return Window(DISCONNECTED, game.end.at, length)


def result(game: Game, event: Result, at: int, by: By) -> Game:
    """Keep what both players have signed (2017 V.J, NZ 8.6); only what the game says can be signed."""
    end = game.end
    if end is None or counted(game, event.scores, at, taken_off=event.taken_off) != event.final:
        raise EventNotAllowed("the final scores are not those of the game")
    return game.replace(state=replace(end, result=event), window=None)


def counted(game: Game, scores: BySide[int], at: int, *, taken_off: bool) -> BySide[int]:
    """Return the final scores of a game that is over, for those that its players enter; ``at``: ns."""
    penalties = BySide(*(game.penalty(side, at) for side in Side))
    end = GameEnd(penalties, limit_loser=game.limit_loser, leaver=game.loser if game.reason == RESIGNATION else None)
    return final_scores(game.rulebook, scores, end, taken_off=taken_off)


def is_forfeit(game: Game) -> bool:
    """Return whether the game has ended by a forfeit, which has a spread and no scores to sign (2017 V.K.1, NZ 10.1)."""
    left = game.reason == RESIGNATION and game.rulebook.result.leaving_margin is None
    return game.end is not None and (left or game.reason in (FORFEIT, Ending.DOUBLE_FORFEIT))


def players_may_give(rulebook: Rulebook, ns: int) -> bool:
    """Return whether the rules let players agree on that much time (2017 III.G.6, IV.E.1)."""
    return any(minute.by == "players" and minute.ns == ns for minute in rulebook.minutes.values())


def change_rulebook(game: Game, event: ChangeRulebook, at: int, by: By) -> Game:
    """Go on under another rulebook: the allowed times change with regulation, charged time and points stay."""
    new = event.rulebook
    more = new.regulation_ns - game.rulebook.regulation_ns
    accounts = game.accounts.map(lambda each: each if each.own is not None else replace(each, allowed=each.allowed + more))
    window = game.window if game.window is not None and game.window.name in new.windows else None
    return game.replace(rulebook=new, accounts=accounts, window=window)
