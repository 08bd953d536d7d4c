"""What a row of the table menu does in the end: the players' events at one instant, or why the game refuses them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase
from firmware.menu.actions import AGO
from firmware.menu.setup import Setup
from game import events
from game.event_table import usual_maker
from game.events import By
from game.game import RECOUNT, EventNotAllowed, Game, Phase, Window, zeros_reason
from game.history import History, OutPlayTooLate, accept, declare
from game.rulings import LATE_START, MISSED_PRESS, RESIGNATION
from game.table import next_game, own_allowances
from rules.duration import NS
from rules.rulebooks.model import DECISIONS
from rules.side import BySide, Side

MINUTE_ROWS: Final = {"clock_hit_in_error": "clock started in error", "wrong_board": "wrong board after a challenge"}
REGULATION: Final = "-"
"""In the path of the page that asks whether extra time is kept: a side that had none."""
RESUMING: Final = ("return_to_table", "mixing")
"""The time frames that the rules stop no clock for: the clock starts again with them."""


class DeclareOutPlay(Struct, frozen=True):
    """An out play declared after the stop."""

    side: Side
    even_if_over: bool = False
    """The players have agreed that the game ends by it."""


Action: TypeAlias = tuple[events.Event, ...] | DeclareOutPlay


_AT_ONCE: Final[Mapping[str, Callable[[Game], Action]]] = {
    "challenge": lambda _: (events.Challenge(),),
    "recount": lambda _: (events.StartWindow(RECOUNT),),
    "hold": lambda _: (events.Hold(),),
    "call": lambda game: (events.Call(on=not game.called),),
    "dispute": lambda _: (events.Call(on=True, disputes=True),),
}
_ANSWERED: Final[Mapping[str, Callable[[str], Action]]] = {
    "reason": lambda reason: (events.Reason(reason),),
    "words": lambda words: (events.Verdict(acceptable=True, words=int(words)),),
    "infraction": lambda side: (events.Infraction(Side(side)),),
    "out_play": lambda side: DeclareOutPlay(Side(side)),
    # Only the player who is there can answer: the other one is absent.
    "late_clock": lambda side: (events.LateStart(Side(side).other),),
}
_AGREED: Final[Mapping[tuple[str, ...], Callable[[History, Setup], Action]]] = {
    ("six_zeros", "yes"): lambda history, _: (events.End(zeros_reason(history.game.rulebook)),),
    ("next_game", "yes"): lambda history, setup: (next_game(history, setup.offered),),
    ("take_back", "agreed"): lambda *_: (events.Undo("taken back by both players"),),
    ("not_out", "agreed"): lambda *_: (events.NotOut(),),
}


def action_of(path: tuple[str, ...], history: History, setup: Setup, at: int) -> Action | None:
    """Return what the rows of ``path`` do at ``at`` (ns, the game's time), or None where a page comes first."""
    game = history.game_at(at)
    match path:
        case (name,):
            return _AT_ONCE[name](game) if name in _AT_ONCE else None
        case ("frames", name, *rest):
            known = round_ago(game, setup, at) if name == LATE_START else None
            return _frame(game, name, rest[0] if rest else None if known is None else str(known))
        case (name, answer) if name in _ANSWERED:
            return _ANSWERED[name](answer)
        case ("rulebook", named, "agreed"):
            rulebook = next(rulebook for name, rulebook in setup.rulebooks if name == named)
            return (events.NewGame(rulebook, named, BySide.both(None), game.called),)
        case ("out_play", side, "late", "agreed"):
            return DeclareOutPlay(Side(side), even_if_over=True)
        case ("resignation", side, "agreed"):
            return (events.End(RESIGNATION, Side(side)),)
        case (minute, side, "agreed"):
            return (events.Adjust(Side(side), game.rulebook.minutes[minute].ns, events.When.NOW, MINUTE_ROWS[minute]),)
        case ("allowance", side, ns, "agreed"):
            return (_with_allowance(history, setup, Side(side), int(ns), at),)
        case ("keep", *kept, "agreed"):
            begun = next_game(history)
            return (replace(begun, allowed=BySide(*(None if ns == REGULATION else int(ns) for ns in kept))),)
        case _:
            agreed = _AGREED.get(path)
            return None if agreed is None else agreed(history, setup)


def refusal(path: tuple[str, ...], history: History, setup: Setup, at: int) -> Phrase | None:
    """Return why the game refuses what the rows of ``path`` do at ``at`` (ns, the game's time); None: it does not, or would ask once more."""
    try:
        done(history, action_of(path, history, setup, at) or (), at)
    except OutPlayTooLate:
        return None
    except EventNotAllowed as refused:
        return refused.why
    return None


def done(history: History, action: Action, at: int) -> History:
    """Return the history with ``action`` at ``at`` (ns). Raises EventNotAllowed, and OutPlayTooLate."""
    if isinstance(action, DeclareOutPlay):
        return declare(history, action.side, at, even_if_over=action.even_if_over)
    return made(history, action, at)


def made(history: History, action: tuple[events.Event, ...], at: int) -> History:
    """Return the history with the players' events of ``action`` at ``at`` (ns). Raises EventNotAllowed: one is refused, nothing has changed."""
    for event in action:
        counting = history.game_at(at).window_at(at)
        if isinstance(event, events.StartWindow) and counting is not None and _repeats(event, counting, at):
            raise EventNotAllowed("this time frame runs already")
        by = None if usual_maker(event) is By.PLAYERS else By.PLAYERS
        history = accept(history, event, at, by=by)
    return history


def _repeats(event: events.StartWindow, counting: Window, at: int) -> bool:
    """Return whether the window would only begin anew; another instant of its beginning, or another player who decides, corrects it."""
    return (event.name, event.side) == (counting.name, counting.side) and at < counting.ends and event.name not in AGO


def round_ago(game: Game, setup: Setup, at: int) -> int | None:
    """Return how long ago (ns, whole seconds) the round began at ``at`` (ns, the game's time).

    None: the desk has sent no start, or it lies ahead, or a late start is over and may be that of a round before.
    """
    length, began = game.rulebook.windows.get(LATE_START), setup.round_began
    if length is None or began is None or not 0 <= at - began < length:
        return None
    # Cut: the absent player's clock starts no earlier than 5 minutes after the start (2017 III.C).
    return (at - began) // NS * NS


def _frame(game: Game, name: str, answer: str | None) -> tuple[events.Event, ...] | None:
    if answer is None and (name in DECISIONS or name in AGO):
        return None
    if name in DECISIONS:
        return (events.StartWindow(name, Side(answer)),)
    stands = game.phase is Phase.NEUTRAL and game.turn is not None
    if name in AGO:
        window = events.StartWindow(name, ago=int(answer or 0) or None)
        if name != MISSED_PRESS:
            return (window,)
        # The turn had ended at the draw: the clock is pressed for that player (2017 IV.G.2.a).
        return (events.Press(game.turn), window) if stands and game.turn is not None else None
    if name in RESUMING:
        return (events.Resume(game.turn), events.StartWindow(name)) if stands and game.turn is not None else None
    return (events.StartWindow(name),)


def _with_allowance(history: History, setup: Setup, side: Side, ns: int, at: int) -> events.NewGame:
    following = next_game(history, setup.offered)
    # A game that was set up and not begun keeps the other player's time.
    allowed = following.allowed if history.game_at(at).phase is Phase.OVER else own_allowances(history)
    own = None if ns == following.rulebook.regulation_ns else ns
    return replace(following, allowed=allowed.replace(side, own))
