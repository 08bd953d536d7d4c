"""Time frames: which may start in which phase, and from when they count (docs/spec/events.md, "Windows")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from appliance.phrase import Phrase, as_phrase
from game.events import StartWindow
from game.game import COURTESY_DRAW, EXCLUDES_RECOUNT, RECOUNT, Game, GameEnd, Phase, Window
from game.game_events import RESIGNATION
from game.not_allowed import EventNotAllowed, require_phase
from rules.rulebooks.model import DECISIONS

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
    "out_play": frozenset(),
    MISSED_PRESS: _ALSO_IN_HOLD,
    "return_to_table": _ALSO_IN_HOLD,
    "mixing": _ALSO_IN_HOLD,
    # A decision comes with a stopped clock (2017 IV.B.2, IV.B.5.b, IV.B.7).
    "overdraw_decision": _ANY,
    "tiles_returned": _ANY,
    "tile_decision": _ANY,
    RECOUNT: _ALSO_AFTER,
    RECOUNT_WARNING: _ALSO_AFTER,
    LATE_START: _ANY,
    BETWEEN_ROUNDS: _ALSO_AFTER,
    DISCONNECTED: frozenset({Phase.OVER}),
}
"""The phases in which an event may start each window."""
AGO_WINDOWS: Final = (MISSED_PRESS, LATE_START)
"""The windows that count from something that was before the event: the draw, the round's actual start (2017 IV.G.2.a, III.C)."""


def start_window(game: Game, event: StartWindow, at: int) -> Game:
    """Start a window; no clock changes."""
    name, length = event.name, game.rulebook.windows.get(event.name)
    if not WINDOW_PHASES[name]:
        raise EventNotAllowed(Phrase("{window} starts with its own event only", window=as_phrase(name)))
    require_phase(game, *WINDOW_PHASES[name])
    if length is None:
        raise EventNotAllowed(Phrase("{rulebook} has no window {window}", rulebook=game.rulebook.id, window=as_phrase(name)))
    _require_own_keys(event)
    window = disconnected(game) if name == DISCONNECTED else Window(name, at - (event.ago or 0), event.length or length, event.side)
    if window is None:
        raise EventNotAllowed("disconnected tiles do not change this end")
    if window.ends <= at:
        raise EventNotAllowed(Phrase("{window} is over", window=as_phrase(name)))
    return game.replace(window=window) if game.end is None else _after_the_end(game, game.end, window)


def disconnected(game: Game) -> Window | None:
    """Return the time in which disconnected tiles reopen the game, expired or not; None: the rulebook has none, or they change nothing (2017 III.G.5.7)."""
    length = game.rulebook.windows.get(DISCONNECTED)
    # Without a turn nothing was played.
    if length is None or game.end is None or game.turn is None or game.reason in _STAYS_ENDED:
        return None
    return Window(DISCONNECTED, game.end.at, length)


def _require_own_keys(event: StartWindow) -> None:
    """Require that the event has no key of another window."""
    window = as_phrase(event.name)
    if event.side is not None and event.name not in DECISIONS:
        raise EventNotAllowed(Phrase("{window} is no decision, so it takes no side", window=window))
    if event.ago is not None and event.name not in AGO_WINDOWS:
        raise EventNotAllowed(Phrase("{window} counts from its event", window=window))
    if event.length is not None and event.name != BETWEEN_ROUNDS:
        raise EventNotAllowed(Phrase("the rulebook alone gives the length of {window}", window=window))


def _after_the_end(game: Game, end: GameEnd, window: Window) -> Game:
    if window.name in (RECOUNT, RECOUNT_WARNING) and game.excludes_recount:
        raise EventNotAllowed(Phrase("no recount after {reason}", reason=as_phrase(game.reason or "")))  # 2014 V.G, 2017 V.G.3
    if window.name == RECOUNT and end.recounted:
        raise EventNotAllowed("the recount has started already")
    return game.replace(window=window, end=replace(end, recounted=end.recounted or window.name == RECOUNT))
