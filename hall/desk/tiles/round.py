"""The round as a whole: what has not started, who is late, a forecast of who will be in overtime when; and its results, whatever needs a director first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase, in_a_row
from hall.desk.tiles.folded import NOWHERE, TableSeat, seats_of
from hall.desk.tiles.table import TableTile
from hall.event.model import BYE, Event, Pairing
from hall.results.book import GameResult, ResultBook, Settled, Source, UnplacedResult, key_of, pairing_of
from rules.duration import NS
from rules.side import Side

_STARTED: Final = frozenset({"running", "hold", "neutral", "out_play", "adjudication"})


class OvertimeForecast(Struct, frozen=True):
    """When a side will be in overtime; instants in ns of the listener."""

    tile: TableTile
    side: Side
    earliest: int
    """If its clock runs without a break."""
    at_pace: int | None
    """If both go on using time as they have so far; None: too little has been used to say."""


class RoundView(Struct, frozen=True):
    """Instants in ns of the listener."""

    begins: int | None
    not_started: tuple[TableTile, ...]
    """Also those whose clock still shows a game of another round that is over."""
    late: tuple[TableTile, ...]
    playing: int
    elsewhere: int
    over: int
    ends: int | None
    """When the last game ends at the latest if no clock is stopped or goes into overtime; None: none is going on."""
    forecast: tuple[OvertimeForecast, ...]
    earliest: OvertimeForecast | None
    """The first overtime that is possible; None: no game is going on."""
    too_early: bool
    """No player has used enough time for a forecast by pace."""
    frozen: int
    """Of the games that are going on, those that a freeze keeps stopped."""


def round_view(tiles: Sequence[TableTile], seats: Mapping[int, TableSeat], begins: int | None, now: int) -> RoundView:
    in_order = sorted(tiles, key=lambda tile: (tile.table or 1000, tile.id))
    going_on = [tile for tile in in_order if tile.phase in _STARTED]
    possible = [each for tile in going_on for each in _forecasts(tile, now)]
    playing = [tile for tile in going_on if not is_of_another_round(tile, seats)]
    over = [tile for tile in in_order if tile.phase == "over"]
    before = {tile.id for tile in over if is_of_another_round(tile, seats)}
    return RoundView(
        begins=begins,
        not_started=tuple(tile for tile in in_order if tile.phase == "ready" or tile.id in before),
        late=tuple(tile for tile in in_order if tile.phase == "late"),
        playing=len(playing),
        elsewhere=len(going_on) - len(playing),
        over=len(over) - len(before),
        ends=max((end for tile in going_on if (end := latest_end(tile, now)) is not None), default=None),
        forecast=tuple(
            sorted(filter(lambda each: _is_near(each, now), possible), key=lambda each: (each.at_pace or each.earliest, each.earliest))
        ),
        earliest=min(possible, key=lambda each: each.earliest, default=None),
        too_early=all(each.at_pace is None for each in possible),
        frozen=sum(tile.frozen for tile in playing),
    )


def is_of_round(tile: TableTile, seats: Mapping[int, TableSeat]) -> bool:
    """Return whether the clock names the pairing's players: another pairing's game, which it still shows, is none of this round."""
    seat = None if tile.table is None else seats.get(tile.table)
    if seat is None or tile.sides is None or not tile.named:
        return False
    return {tile.sides.left.name, tile.sides.right.name} == {seat.names.left, seat.names.right}


def is_of_another_round(tile: TableTile, seats: Mapping[int, TableSeat]) -> bool:
    """Return whether the clock names others than the players of the table's pairing; without names the desk cannot know it."""
    paired = tile.table is not None and seats.get(tile.table, NOWHERE).names != NOWHERE.names
    return paired and tile.named and not is_of_round(tile, seats)


def unfinished(tiles: Iterable[TableTile], seats: Mapping[int, TableSeat]) -> tuple[int, ...]:
    """Return the tables with a clock whose pairing's game is not over, by number; without a clock the desk cannot know it."""
    paired = [tile for tile in tiles if tile.table is not None and seats.get(tile.table, NOWHERE).names != NOWHERE.names]
    over = {tile.table for tile in paired if tile.phase == "over" and is_of_round(tile, seats)}
    return tuple(sorted({tile.table for tile in paired if tile.table is not None} - over))


def _is_near(forecast: OvertimeForecast, now: int) -> bool:
    if forecast.at_pace is None:
        return forecast.earliest - now <= 10 * 60 * NS
    return forecast.at_pace - now <= 30 * 60 * NS


def latest_end(tile: TableTile, now: int) -> int | None:
    """Return when both sides' remaining times together are used up at the latest (ns of the listener); None: no game is going on."""
    return now + sum(max(0, tile.remaining(side, now)) for side in Side) if tile.phase in _STARTED else None


def _forecasts(tile: TableTile, now: int) -> list[OvertimeForecast]:
    found = []
    for side in Side:
        remaining = tile.remaining(side, now)
        # -0:00 is not overtime (2017 V.G.2): it begins a second below zero.
        until = remaining + NS
        if until <= 0:
            continue
        pace = _at_pace(tile, side, until, now)
        found.append(OvertimeForecast(tile, side, now + until, None if pace is None else now + pace))
    return found


def _at_pace(tile: TableTile, side: Side, until: int, now: int) -> int | None:
    """Return after how long the side has used ``until`` ns, if both go on as they have; None: it is too early to say."""
    used = {each: 0 if tile.sides is None else tile.sides.of(each).used + tile.gone(each, now) for each in Side}
    both, own = sum(used.values()), used[side]
    # Before a fifth of the side's time is used, one long turn decides the figure.
    if own * 5 < own + until:
        return None
    return until * both // own


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

    @property
    def words(self) -> str:
        """How it stands; what a clock ends by itself needs no signature."""
        by_clock = self.settled.result is not None and self.settled.result.source is Source.END
        return Phrase("at its clock") if by_clock and self.standing is Standing.SIGNED else WORDS[self.standing]


class RoundLines(Struct, frozen=True):
    lines: tuple[PairingLine, ...]
    counts: Mapping[str, int]
    removed: tuple[PairingLine, ...]
    """Of any round: their pairing went with an import, so their results count nowhere."""


def round_lines(event: Event, number: int, book: ResultBook, tiles: Iterable[TableTile], now: int) -> RoundLines:
    seats = seats_of(event, number)
    by_table = {tile.table: tile for tile in tiles if is_of_round(tile, seats)}
    lines = [_line(event, each, book.settled(each), by_table, now) for each in event.round(number)]
    lines.sort(key=lambda each: (each.standing, each.table is None, each.table or 0, each.pairing.division, each.pairing.board or 0))
    counts = Counter(WORDS[each.standing] for each in lines)
    removed = tuple(_line(event, each, book.settled(each), {}, now) for each in removed_pairings(event, book))
    return RoundLines(tuple(lines), {words: counts[words] for words in WORDS.values()}, removed)


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
    """Return both players' names, whole, with their numbers if they have one name; of who has no opponent the second one is ``bye``."""
    found = (event.by_number.get((pairing.division, each)) for each in (pairing.first, pairing.second))
    one, two = ("?" if each is None else each.name for each in found)
    if pairing.second == BYE:
        return one, Phrase("bye")
    return (f"{one} ({pairing.first})", f"{two} ({pairing.second})") if one == two else (one, two)


def _standing(found: Settled, tile: TableTile | None) -> Standing:
    if found.is_disputed:
        return Standing.DISPUTED
    if found.is_missing:
        return Standing.UNSIGNED if tile is not None and tile.phase == "over" else Standing.MISSING
    if any(each.replaces for each in found.rows):
        return Standing.DECIDED
    return Standing.SIGNED if found.is_signed else Standing.ENTERED


def oddities(result: GameResult) -> Iterator[str]:
    scores = result.scores
    if scores is None or result.forfeit is not None or result.second == BYE:
        return
    if max(scores) > MOST:
        yield Phrase("above {most}", most=MOST)
    if min(scores) < LEAST:
        yield Phrase("below {least}", least=LEAST)
    if abs(scores[0] - scores[1]) > WIDEST:
        yield Phrase("margin above {widest}", widest=WIDEST)


def result_words(event: Event, made: GameResult) -> Phrase:
    pairing = Pairing(made.division, made.round, made.first, made.second)
    one, two = player_names(event, pairing)
    names = {made.first: one, made.second: two}
    if made.forfeit is not None:
        losers = [names[each] for each in made.forfeit.losers]
        said = Phrase("{who} forfeits", who=losers[0]) if len(losers) == 1 else Phrase("{one} and {two} forfeit", one=one, two=two)
    else:
        said = Phrase("no result") if made.scores is None else Phrase("{one} - {two}", one=made.scores[0], two=made.scores[1])
    flagged = in_a_row(said, *oddities(made), between=", ")
    reason = f" ({made.reason})" if made.reason else ""
    return Phrase("round {number}, {one} - {two}: {said}{reason}", number=made.round, one=one, two=two, said=flagged, reason=reason)
