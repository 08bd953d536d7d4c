"""What a clock's journal says of a game's result: what both players have signed, or a forfeit, which needs no signature."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec.structs import replace

from appliance.clocks import is_dated
from game.game import Game
from game.rulings import is_forfeit
from game.table import Assignment
from hall.desk.tiles.folded import FoldedGame
from hall.event.model import Pairing
from hall.results.book import LEFT, RIGHT, ClockResult, said_of
from hall.results.model import Forfeit, GameResult, Source
from records.journal import Kind
from rules.side import BySide

_PLAYERS: Final = BySide(LEFT, RIGHT)
_NO_PAIRING: Final = Pairing("", 0, LEFT, RIGHT)
_BEGAN: Final = datetime(1970, 1, 1, tzinfo=UTC)


def clock_result(device: str, epoch: str, folded: FoldedGame, place: Assignment, at: int) -> ClockResult | None:
    """Return what the clock says of a game's result at ``at`` (ns of its timeline): scores, a forfeit, or nothing yet. None: the game's beginning cannot be read.

    ``place``: where the clock stood and who played, for a forfeit. What is signed says that itself.
    """
    if folded.history is None:
        return None
    game, last = folded.history.game_at(at), [each for each in folded.rows if each.row.kind == Kind.EVENT][-1]
    game_name, wall = f"{epoch}/{folded.number}", _wall_ns(last.row.wall)
    none = said_of(_NO_PAIRING, Source.CLOCK, device=device, game=game_name, wall=wall)
    if (signed := game.result) is not None:
        words = None if signed.words is None else (signed.words.left, signed.words.right)
        said = replace(none, scores=(signed.final.left, signed.final.right), words=words, disputed=game.disputed)
        return ClockResult(signed.names, signed.table, said, last.seq)
    return ClockResult(place.names, place.table, _forfeited(game, none) if is_forfeit(game) else none, last.seq)


def _forfeited(game: Game, none: GameResult) -> GameResult:
    losers = (LEFT, RIGHT) if game.loser is None else (_PLAYERS.of(game.loser),)
    return replace(none, source=Source.END, forfeit=Forfeit(losers, game.rulebook.result.forfeit_spread), reason=game.reason or "")


def _wall_ns(wall: str) -> int:
    """Return a row's wall time in ns since 1970; 0: its machine's date was not set."""
    return (datetime.fromisoformat(wall) - _BEGAN) // timedelta(microseconds=1) * 1000 if is_dated(wall) else 0
