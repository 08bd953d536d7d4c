"""The results of a round as its page shows them: each pairing with what its sources say, whatever needs a director first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase
from hall.desk.tiles.round import is_of_round, latest_end
from hall.desk.tiles.seating import seats_of
from hall.desk.tiles.table import TableTile
from hall.event.model import BYE, Event, Pairing
from hall.results.book import ResultBook, UnplacedResult, key_of, pairing_of
from hall.results.model import GameResult, Settled, Source

MOST, LEAST, WIDEST = 800, 100, 400
"""Scores above or below, and margins above, are odd: a slip of the hand is more likely."""


class Standing(IntEnum):
    """How far a pairing's result has come, the most urgent first."""

    DISPUTED = 0
    UNSIGNED = 1
    """The game is over at its clock, and no result is there."""
    MISSING = 2
    ENTERED = 3
    """By a director or a file, and not signed by the players."""
    DECIDED = 4
    """A director has corrected it, or settled a dispute."""
    SIGNED = 5


WORDS: Final[Mapping[Standing, str]] = {
    Standing.DISPUTED: Phrase("disputed"),
    Standing.UNSIGNED: Phrase("over, no result"),
    Standing.MISSING: Phrase("missing"),
    Standing.ENTERED: Phrase("entered, not signed"),
    Standing.DECIDED: Phrase("decided"),
    Standing.SIGNED: Phrase("signed"),
}


class PairingLine(Struct, frozen=True):
    pairing: Pairing
    table: int | None
    names: tuple[str, str]
    settled: Settled
    standing: Standing
    tile: TableTile | None
    """Of the clock that plays this game."""
    ends: int | None
    """When its game ends at the latest if no clock is stopped or goes into overtime, in ns of the listener; None: it is not played now."""
    odd: tuple[str, ...]
    """What is odd about the scores, in words."""

    @property
    def words(self) -> str:
        """How it stands; what a clock ends by itself needs no signature."""
        by_clock = self.settled.result is not None and self.settled.result.source is Source.END
        return Phrase("at its clock") if by_clock and self.standing is Standing.SIGNED else WORDS[self.standing]


class RoundLines(Struct, frozen=True):
    lines: tuple[PairingLine, ...]
    counts: Mapping[str, int]
    """How many pairings stand in each way, by its words."""
    removed: tuple[PairingLine, ...]
    """Of any round: their pairing went with an import, so their results count nowhere."""


def round_lines(event: Event, number: int, book: ResultBook, tiles: Iterable[TableTile], now: int) -> RoundLines:
    """Return the results of round ``number`` at ``now`` (ns of the listener)."""
    seats = seats_of(event, number)
    by_table = {tile.table: tile for tile in tiles if is_of_round(tile, seats)}
    lines = [_line(event, each, book.settled(each), by_table, now) for each in event.round(number)]
    lines.sort(key=lambda each: (each.standing, each.table is None, each.table or 0, each.pairing.division, each.pairing.board or 0))
    counts = Counter(WORDS[each.standing] for each in lines)
    return RoundLines(tuple(lines), {words: counts[words] for words in WORDS.values()}, _removed(event, book, now))


def explained(waiting: UnplacedResult, event: Event, current: int, book: ResultBook) -> UnplacedResult:
    """Return a result that waits with the reason why no pairing fits now; the row has what was the reason then, in English."""
    why = pairing_of(waiting.clock, event, current, book)
    return replace(waiting, why=why) if isinstance(why, Phrase) else waiting


def removed_pairings(event: Event, book: ResultBook) -> Iterator[Pairing]:
    """Yield the pairings that have results and that an import has removed since."""
    paired = {key_of(each) for each in event.pairings}
    for key, rows in book.rows.items():
        pairing = Pairing(rows[0].division, rows[0].round, rows[0].first, rows[0].second)
        if key not in paired and not book.settled(pairing).is_missing:
            yield pairing


def _removed(event: Event, book: ResultBook, now: int) -> tuple[PairingLine, ...]:
    return tuple(_line(event, each, book.settled(each), {}, now) for each in removed_pairings(event, book))


def _line(event: Event, pairing: Pairing, found: Settled, by_table: Mapping[int | None, TableTile], now: int) -> PairingLine:
    table = None if pairing.second == BYE else event.table_of(pairing)
    tile = None if table is None else by_table.get(table)
    return PairingLine(
        pairing=pairing,
        table=table,
        names=player_names(event, pairing),
        settled=found,
        standing=_standing(found, tile),
        tile=tile,
        ends=latest_end(tile, now) if tile is not None and found.is_missing else None,
        odd=() if found.result is None else tuple(oddities(found.result)),
    )


def player_names(event: Event, pairing: Pairing) -> tuple[str, str]:
    """Return both players' names, whole; of who has no opponent the second one is ``bye``."""
    one, two = (event.by_number.get((pairing.division, each)) for each in (pairing.first, pairing.second))
    return ("?" if one is None else one.name, Phrase("bye") if pairing.second == BYE else "?" if two is None else two.name)


def _standing(found: Settled, tile: TableTile | None) -> Standing:
    if found.is_disputed:
        return Standing.DISPUTED
    if found.is_missing:
        return Standing.UNSIGNED if tile is not None and tile.phase == "over" else Standing.MISSING
    if any(each.replaces for each in found.rows):
        return Standing.DECIDED
    return Standing.SIGNED if found.is_signed else Standing.ENTERED


def oddities(result: GameResult) -> Iterator[str]:
    """Yield what is odd about the scores of a game: both may have agreed on it."""
    scores = result.scores
    if scores is None or result.forfeit is not None or result.second == BYE:
        return
    if max(scores) > MOST:
        yield Phrase("above {most}", most=MOST)
    if min(scores) < LEAST:
        yield Phrase("below {least}", least=LEAST)
    if abs(scores[0] - scores[1]) > WIDEST:
        yield Phrase("margin above {widest}", widest=WIDEST)
