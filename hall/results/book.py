"""A game's result as the hall keeps it, what all rows of a pairing come to, and to which pairing what a clock says belongs. Pure.

Rows are only added, and no source overwrites another: what differs is a dispute, until a director gives a reason. A clock's result stands by itself, as a slip
does: names, table, scores. The names decide, then the table; where not exactly one pairing is left, a director chooses it or discards the row, with a reason.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from faults.errors import Phrase, in_a_row
from hall.event.model import BYE, Event, Pairing
from rules.side import BySide


class Source(StrEnum):
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
        said, words = {(each.scores, each.forfeit) for each in self.rows}, {each.words for each in self.rows} - {None}
        return len(said) > 1 or len(words) > 1 or any(each.disputed for each in self.rows)

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


class Applied(Struct, frozen=True):
    """An event with the results of its rows, which is what standings and files are made of."""

    event: Event
    """A forfeit is two byes with the spread as score, as in TSH: it changes no rating."""
    forfeits: frozenset[tuple[str, int, int]] = frozenset()
    """Which byes are that: division, round and player."""
    words: Mapping[tuple[str, int, int], int] = {}
    """Bonus words, likewise by division, round and player, where the rulebook counts them."""


LEFT, RIGHT = 1, 2
"""The players of a row whose pairing is not known yet."""


def said_of(pairing: Pairing, source: Source, **said: Any) -> GameResult:
    """Return a row about a pairing that is not kept yet; ``said``: the other fields of ``GameResult``."""
    return GameResult(
        row=0, division=pairing.division, round=pairing.round, first=pairing.first, second=pairing.second, source=source, **said
    )


class ClockResult(Struct, frozen=True):
    """What a clock's journal says of a game: which players it has, by name."""

    names: BySide[str]
    table: int | None
    said: GameResult
    """Of the players ``LEFT`` and ``RIGHT``, of no division and round."""
    seq: int
    """The journal's row with the last event of that game."""

    @property
    def game(self) -> GameOfClock:
        return self.said.device, self.said.game

    def of(self, pairing: Pairing, *, first_sits_left: bool) -> GameResult:
        numbers = (pairing.first, pairing.second) if first_sits_left else (pairing.second, pairing.first)
        forfeit = self.said.forfeit
        if forfeit is not None:
            forfeit = replace(forfeit, losers=tuple(numbers[each - LEFT] for each in forfeit.losers))
        placed = replace(self.said, division=pairing.division, round=pairing.round, first=numbers[0], second=numbers[1], forfeit=forfeit)
        return placed.seen_by(pairing.first)


GameOfClock: TypeAlias = tuple[str, str]


class KeptRow(Struct, frozen=True, omit_defaults=True):
    result: GameResult | None = None
    """Of a pairing; its ``row`` is the number under which it is kept."""
    clock: ClockResult | None = None
    """What the clock said, if this row is a clock's. Without ``result`` no pairing fits."""
    why: str = ""
    """Why no pairing fits; or why a director discards a clock's row."""
    who: str = ""
    """The director who discards it, or begins the event anew; empty: a command does."""
    settles: int = 0
    """The number of a clock's row that a director has given its pairing with this row, or discards."""
    anew: bool = False
    """The event begins anew: no earlier row counts."""


class UnplacedResult(Struct, frozen=True):
    """A clock's row that waits for a director."""

    n: int
    clock: ClockResult
    why: str


PairingKey: TypeAlias = tuple[str, int, frozenset[int]]
Scores: TypeAlias = tuple[int | None, int | None]


def key_of(of: Pairing | GameResult) -> PairingKey:
    """Return what a pairing and its results have in common: whoever goes first."""
    return of.division, of.round, frozenset((of.first, of.second))


class ResultBook(Struct, frozen=True):
    newest: int = 0
    rows: Mapping[PairingKey, tuple[GameResult, ...]] = field(default_factory=dict[PairingKey, tuple[GameResult, ...]])
    unplaced: Mapping[int, UnplacedResult] = field(default_factory=dict[int, UnplacedResult])
    of_games: Mapping[GameOfClock, KeptRow] = field(default_factory=dict[GameOfClock, KeptRow])
    """The last row of each game of a clock, also those before the event began anew: what a clock has said is not taken twice."""

    def settled(self, pairing: Pairing) -> Settled:
        found = settled(self.rows.get(key_of(pairing), ()))
        return Settled(tuple(each.seen_by(pairing.first) for each in found.rows))

    def scores(self, pairing: Pairing) -> Scores:
        """Return the scores as they stand: a forfeit or a dispute has none, and a pairing that no row names those that were imported."""
        result = self.settled(pairing).result
        if key_of(pairing) not in self.rows:
            return pairing.scores
        one, two = (None, None) if result is None or result.scores is None else result.scores
        return one, None if pairing.second == BYE else two

    def has_result(self, pairing: Pairing) -> bool:
        return self.settled(pairing).result is not None if key_of(pairing) in self.rows else pairing.is_scored

    def has_another_game(self, pairing: Pairing, game: GameOfClock) -> bool:
        standing = self.settled(pairing).rows
        return any(each.source in (Source.CLOCK, Source.END) and (each.device, each.game) != game for each in standing)


NumberedRow: TypeAlias = tuple[int, str, KeptRow]
"""A row with its number and key."""


def book_of(rows: Iterable[NumberedRow]) -> ResultBook:
    placed: dict[PairingKey, list[GameResult]] = defaultdict(list)
    unplaced: dict[int, UnplacedResult] = {}
    of_games: dict[GameOfClock, KeptRow] = {}
    newest = 0
    for newest, _, kept in rows:
        if kept.anew:
            placed.clear()
            unplaced.clear()
        if kept.clock is not None:
            # What a clock has said of a game before is no longer what it says.
            unplaced = {n: each for n, each in unplaced.items() if each.clock.game != kept.clock.game}
            of_games[kept.clock.game] = kept
            if kept.result is None and not kept.clock.said.is_withdrawal:
                unplaced[newest] = UnplacedResult(newest, kept.clock, kept.why)
        if (waited := unplaced.pop(kept.settles, None)) is not None:
            of_games[waited.clock.game] = KeptRow(kept.result, waited.clock)
        if kept.result is not None:
            placed[key_of(kept.result)].append(replace(kept.result, row=newest))
    return ResultBook(newest, {key: tuple(each) for key, each in placed.items()}, unplaced, of_games)


def applied(event: Event, book: ResultBook) -> Applied:
    pairings: list[Pairing] = []
    forfeits: set[tuple[str, int, int]] = set()
    words: dict[tuple[str, int, int], int] = {}
    for each in event.pairings:
        result = book.settled(each).result
        if result is not None and result.words is not None:
            words |= {
                (each.division, each.round, player): count for player, count in zip((each.first, each.second), result.words, strict=True)
            }
        if result is not None and result.forfeit is not None:
            for player, margin in zip((result.first, result.second), result.margins(), strict=True):
                pairings.append(Pairing(each.division, each.round, player, BYE, scores=(margin, None)))
                forfeits.add((each.division, each.round, player))
        else:
            pairings.append(replace(each, scores=book.scores(each)))
    return Applied(dataclasses.replace(event, pairings=tuple(pairings)), frozenset(forfeits), words)


def imported(event: Event, book: ResultBook, change: int) -> dict[str, KeptRow]:
    """Return the rows by key for the scores that an import brings and the hall has not got from files; ``change``: the number of the import."""
    rows: dict[str, KeptRow] = {}
    for each in event.pairings:
        one, two = each.scores
        two = 0 if each.second == BYE else two
        if one is None or two is None:
            continue
        before = [row.seen_by(each.first).scores for row in book.rows.get(key_of(each), ()) if row.source is Source.IMPORT]
        if before[-1:] != [(one, two)]:
            # By this device, what files say later of a game takes the place of what they have said.
            rows[f"import {change} {each.round} {each.first} {each.division}"] = KeptRow(
                said_of(each, Source.IMPORT, scores=(one, two), device="import")
            )
    return rows


def taken_in(clock: ClockResult, event: Event, current: int, book: ResultBook) -> tuple[KeptRow, ...]:
    """Return the rows for what a clock says of a game now; none: the hall has it already.

    Args:
        clock: with neither scores nor a forfeit it has no result, or takes the one back that it had.
        current: the round that is played; a later one has no results yet.
    """
    before = book.of_games.get(clock.game)
    had = None if before is None else before.clock
    if clock.said.is_withdrawal:
        # Without a further event nothing was taken back: a forfeit comes by time alone.
        return () if before is None or had is None or had.said.is_withdrawal or had.seq == clock.seq else (_withdrawn(clock, before),)
    if had is not None and replace(had, seq=clock.seq) == clock:
        return ()
    pairing = pairing_of(clock, event, current, book)
    if isinstance(pairing, Phrase):
        # What it said before counts no longer, also where a director had chosen the pairing.
        return (*(() if before is None or before.result is None else (_withdrawn(clock, before),)), KeptRow(clock=clock, why=str(pairing)))
    return (KeptRow(clock.of(pairing, first_sits_left=clock.names.left == names_of(event, pairing)[0]), clock),)


def _withdrawn(clock: ClockResult, before: KeptRow) -> KeptRow:
    none = replace(clock.said, scores=None, forfeit=None, words=None)
    last = before.result
    return KeptRow(
        None if last is None else replace(none, division=last.division, round=last.round, first=last.first, second=last.second),
        replace(clock, said=none),
    )


def pairing_of(clock: ClockResult, event: Event, current: int, book: ResultBook) -> Pairing | Phrase:
    """Return the one pairing to which a clock's result belongs, or in a clause why there is none."""
    names, table = {clock.names.left, clock.names.right}, clock.table
    if "" in names:
        return Phrase("the clock has no names for both players")
    if len(names) == 1:
        return Phrase("both players have one name")
    fits = [each for each in event.pairings if each.second != BYE and set(names_of(event, each)) == names]
    if not fits:
        return Phrase("no pairing has these names")
    begun = [each for each in fits if each.round <= current]
    if not begun:
        return Phrase("these players meet in round {round}, which is not current yet", round=fits[0].round)
    here = [each for each in begun if table is None or event.table_of(each) in (None, table)]
    if not here:
        return Phrase("round {round} has these players at table {table}", round=begun[-1].round, table=event.table_of(begun[-1]))
    free = [each for each in here if not book.has_another_game(each, clock.game)]
    if not free:
        return Phrase("the pairing has the result of another game already")
    if len(free) > 1:
        return Phrase(
            "these names are those of {count} pairings: {pairings}", count=len(free), pairings=in_a_row(*map(_title, free), between=", ")
        )
    return free[0]


def _title(pairing: Pairing) -> Phrase:
    if not pairing.division:
        return Phrase("round {round}", round=pairing.round)
    return Phrase("round {round} of division {division}", round=pairing.round, division=pairing.division)


def names_of(event: Event, pairing: Pairing) -> tuple[str, str]:
    one, two = (event.by_number.get((pairing.division, each)) for each in (pairing.first, pairing.second))
    return ("" if one is None else one.clock_name, "" if two is None else two.clock_name)
