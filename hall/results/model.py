"""A game's result as the hall keeps it: rows that are only added, and what they come to. Pure.

No source overwrites another: what differs is a dispute, until a director gives a reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hall.event.model import Event


class Source(StrEnum):
    """Where a result comes from."""

    CLOCK = "clock"
    """Both players have signed it."""
    END = "end"
    """The clock's own end of the game: a forfeit, which needs no signature."""
    SLIP = "slip"
    """A director has entered it."""
    IMPORT = "import"
    """A tournament file has its scores."""


class Forfeit(Struct, frozen=True):
    """A game that was not played, or not to its end, and counts as lost."""

    losers: tuple[int, ...]
    """Players' numbers in the division; both, where both are absent."""
    spread: int
    """What the winner's spread gains and a loser's loses: the rulebook's."""


class GameResult(Struct, frozen=True, kw_only=True):
    """One row: what one source says of a pairing."""

    row: int
    """Rows are numbered from 1 as they come, those of all pairings together."""
    division: str
    round: int
    first: int
    """Players' numbers in the division; what follows in pairs is in this order."""
    second: int
    source: Source
    scores: tuple[int, int] | None = None
    """What counts, after overtime. None without a forfeit: an earlier row is withdrawn, and no result has taken its place."""
    forfeit: Forfeit | None = None
    """It has no scores."""
    words: tuple[int, int] | None = None
    """Bonus words, where the rulebook counts them."""
    disputed: bool = False
    """A player has disputed it at the clock since it was signed."""
    device: str = ""
    """Of a clock: whose journal has it, and which game of that journal."""
    game: str = ""
    wall: int = 0
    """When it was signed or entered: ns since 1970."""
    who: str = ""
    """The director, or who else has entered it."""
    reason: str = ""
    replaces: int = 0
    """The director's decision, which has a reason, about all rows of the pairing up to this one; 0: it decides about none."""

    @property
    def is_withdrawal(self) -> bool:
        return self.scores is None and self.forfeit is None

    def margins(self) -> tuple[int, int]:
        """Return what each player's spread gains, before any cap."""
        if self.forfeit is not None:
            lost = [number in self.forfeit.losers for number in (self.first, self.second)]
            return (-self.forfeit.spread if lost[0] else self.forfeit.spread, -self.forfeit.spread if lost[1] else self.forfeit.spread)
        one, two = self.scores or (0, 0)
        return one - two, two - one

    def seen_by(self, first: int) -> GameResult:
        """Return the same row with the player ``first`` first."""
        if first == self.first:
            return self
        scores, words = (each and each[::-1] for each in (self.scores, self.words))
        return replace(self, first=self.second, second=self.first, scores=scores, words=words)


class Settled(Struct, frozen=True):
    """What the rows of a pairing come to."""

    rows: tuple[GameResult, ...] = ()
    """Those that stand, in order; more than one: they agree, or nothing is settled."""

    @property
    def is_missing(self) -> bool:
        return not self.rows

    @property
    def is_disputed(self) -> bool:
        return any(each.disputed or not _agree(self.rows[0], each) for each in self.rows)

    @property
    def result(self) -> GameResult | None:
        """The one result; None: missing or disputed. Of several rows that agree it is the one that says the most: the clock's."""
        if self.is_missing or self.is_disputed:
            return None
        return min(self.rows, key=lambda each: (list(Source).index(each.source), each.row))

    @property
    def is_signed(self) -> bool:
        """Return whether there is a result that needs no more: players or the end of their game say so, or a director has decided."""
        return self.result is not None and any(each.source in {Source.CLOCK, Source.END} or each.replaces for each in self.rows)


def settled(rows: Iterable[GameResult]) -> Settled:
    """Return what the rows of one pairing come to, in whatever order they are given."""
    ordered = sorted(rows, key=lambda each: each.row)
    decided = {each.row for of in ordered if of.replaces for each in ordered if each.row <= of.replaces}
    # A director reopened the game at the table: who signs again says what was meant.
    last = {(each.device, each.game): each.row for each in ordered if each.device}
    stands = [each for each in ordered if each.row not in decided and last.get((each.device, each.game), each.row) == each.row]
    return Settled(tuple(each.seen_by(ordered[0].first) for each in stands if not each.is_withdrawal))


def _agree(one: GameResult, two: GameResult) -> bool:
    words = {one.words, two.words} - {None}
    return (one.scores, one.forfeit) == (two.scores, two.forfeit) and len(words) <= 1


class Applied(Struct, frozen=True):
    """An event with the results of its rows, which is what standings and files are made of."""

    event: Event
    """A forfeit is two byes with the spread as score, as in TSH: it changes no rating."""
    forfeits: frozenset[tuple[str, int, int]] = frozenset()
    """Which byes are that: division, round and player."""
