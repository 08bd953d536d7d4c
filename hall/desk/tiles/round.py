"""The round as a whole: what has not started, who is late, and a forecast of who will be in overtime when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from hall.desk.tiles.seating import NOWHERE, TableSeat
from hall.desk.tiles.table import TableTile
from rules.duration import NS
from rules.side import Side

AHEAD_NS: Final = 30 * 60 * NS
"""How far the forecast looks."""
SOON_NS: Final = 10 * 60 * NS
"""How far it looks where a pace is not known yet."""
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
    """The round at an instant. Instants in ns of the listener."""

    begins: int | None
    """When the round begins or began; None: no time was set."""
    not_started: tuple[TableTile, ...]
    """Also those whose clock still shows a game of another round that is over."""
    late: tuple[TableTile, ...]
    playing: int
    elsewhere: int
    """How many still play a game of another round."""
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
    """Return the round with these ``seats`` at ``now`` (ns)."""
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
        return forecast.earliest - now <= SOON_NS
    return forecast.at_pace - now <= AHEAD_NS


def latest_end(tile: TableTile, now: int) -> int | None:
    """Return when both sides' remaining times together are used up at the latest (ns of the listener); None: no game is going on."""
    return now + sum(max(0, _remaining(tile, side, now)) for side in Side) if tile.phase in _STARTED else None


def _forecasts(tile: TableTile, now: int) -> list[OvertimeForecast]:
    found = []
    for side in Side:
        remaining = _remaining(tile, side, now)
        # -0:00 is not overtime (2017 V.G.2): it begins a second below zero.
        until = remaining + NS
        if until <= 0 or (tile.running is None and tile.phase == "ready"):
            continue
        pace = _at_pace(tile, side, until, now)
        found.append(OvertimeForecast(tile, side, now + until, None if pace is None else now + pace))
    return found


def _at_pace(tile: TableTile, side: Side, until: int, now: int) -> int | None:
    """Return after how long the side has used ``until`` ns, if both go on as they have; None: it is too early to say."""
    used = {each: 0 if tile.sides is None else tile.sides.of(each).used + _gone(tile, each, now) for each in Side}
    both, own = sum(used.values()), used[side]
    # Before a fifth of the side's time is used, one long turn decides the figure.
    if own * 5 < own + until:
        return None
    return until * both // own


def _remaining(tile: TableTile, side: Side, now: int) -> int:
    return 0 if tile.sides is None else tile.sides.of(side).remaining - _gone(tile, side, now)


def _gone(tile: TableTile, side: Side, now: int) -> int:
    return max(0, now - tile.at) if tile.running is side and tile.at is not None else 0
