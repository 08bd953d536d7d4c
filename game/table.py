"""A table between games: where its clock stands and who plays, by settings or desk; and its next game, under the rulebook of the one before (NZ 3.2, 5.5)."""

from msgspec import Struct
from msgspec.structs import replace

from game.events import ChangeRulebook, Event, NewGame
from game.game import Game, Phase
from game.history import History, untouched
from game.rulings import fresh
from rules.side import BySide

NO_NAMES: BySide[str] = BySide("", "")


class Assignment(Struct, frozen=True):
    table: int | None = None
    names: BySide[str] = NO_NAMES
    """The players; empty: LEFT and RIGHT."""
    lexicon: str | None = None
    """SHA-256 of the list that the table is to be judged by; None: no word about it."""


def between_games(game: Game) -> bool:
    """Return whether no game is in progress: it is over, or nothing is charged or owed yet."""
    return game.phase is Phase.OVER or untouched(game)


class OfferedGame(Struct, frozen=True):
    game: NewGame
    after: Event
    """The beginning of the game that it follows. It does not follow any other game."""


def is_offered(history: History, offered: OfferedGame | None) -> bool:
    return offered is not None and any(link.event is offered.after for link in history)


def set_up_next(history: History, offered: OfferedGame | None, game: Game) -> Game | None:
    """Return the next game that stands set up, as it will begin; ``game``: how that of ``history`` stands. None: there is none, or the game goes on."""
    if offered is None or game.phase not in (Phase.READY, Phase.OVER) or not is_offered(history, offered):
        return None
    return fresh(offered.game)


def next_game(history: History, offered: OfferedGame | None = None) -> NewGame:
    """Return the event that begins the next game after that of ``history``: the one offered for it, else one under the same rulebook.

    Extra time is one player's and of one game, so both get the regulation (2017 III.A.3). A call that stands goes on.
    """
    called = history.game.called
    if offered is not None and is_offered(history, offered):
        return replace(offered.game, called=called)
    last = next(link.event for link in history.standing() if isinstance(link.event, NewGame | ChangeRulebook))
    return NewGame(last.rulebook, last.rulebook_ref, BySide.both(None), called)


def own_allowances(history: History) -> BySide[int | None]:
    """Return the allowances (ns) of their own with which the players of ``history`` began, each for its player, who may have changed seats; None: regulation."""
    return history.game.accounts.map(lambda account: account.own)
