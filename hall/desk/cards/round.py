"""The round as a whole: what has not started, who is late, and a forecast of who will be in overtime when."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hall.desk.cards.seating import NOWHERE, TableSeat
from hall.desk.cards.table import TableCard
from rules.duration import NS
from rules.side import Side

AHEAD_NS: Final = 30 * 60 * NS
"""How far the forecast looks."""
SOON_NS: Final = 10 * 60 * NS
"""How far it looks where a pace is not known yet."""
_STARTED: Final = frozenset({"running", "hold", "neutral", "out_play", "adjudication"})


@dataclass(frozen=True, slots=True)
class OvertimeForecast:
    """When a side will be in overtime; instants in ns of the listener."""

    card: TableCard
    side: Side
    earliest: int
    """If its clock runs without a break."""
    at_pace: int | None
    """If both go on using time as they have so far; None: too little has been used to say."""


@dataclass(frozen=True, slots=True)
class RoundView:
    """The round at an instant. Instants in ns of the listener."""

    begins: int | None
    """When the round begins or began; None: no time was set."""
    not_started: tuple[TableCard, ...]
    """Also those whose clock still shows a game of another round that is over."""
    late: tuple[TableCard, ...]
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


def round_view(cards: Sequence[TableCard], seats: Mapping[int, TableSeat], begins: int | None, now: int) -> RoundView:
    """Return the round with these ``seats`` at ``now`` (ns)."""
    in_order = sorted(cards, key=lambda card: (card.table or 1000, card.id))
    going_on = [card for card in in_order if card.phase in _STARTED]
    possible = [each for card in going_on for each in _forecasts(card, now)]
    playing = [card for card in going_on if not is_of_another_round(card, seats)]
    over = [card for card in in_order if card.phase == "over"]
    before = {card.id for card in over if is_of_another_round(card, seats)}
    return RoundView(
        begins=begins,
        not_started=tuple(card for card in in_order if card.phase == "ready" or card.id in before),
        late=tuple(card for card in in_order if card.phase == "late"),
        playing=len(playing),
        elsewhere=len(going_on) - len(playing),
        over=len(over) - len(before),
        ends=max((now + _left(card, now) for card in going_on), default=None),
        forecast=tuple(sorted(filter(lambda each: _is_near(each, now), possible), key=_soonest)),
        earliest=min(possible, key=lambda each: each.earliest, default=None),
        too_early=all(each.at_pace is None for each in possible),
        frozen=sum(card.frozen for card in playing),
    )


def is_of_round(card: TableCard, seats: Mapping[int, TableSeat]) -> bool:
    """Return whether the clock names the pairing's players: another pairing's game, which it still shows, is none of this round."""
    seat = None if card.table is None else seats.get(card.table)
    if seat is None or card.sides is None or not card.named:
        return False
    return {card.sides.left.name, card.sides.right.name} == {seat.names.left, seat.names.right}


def is_of_another_round(card: TableCard, seats: Mapping[int, TableSeat]) -> bool:
    """Return whether the clock names others than the players of the table's pairing; without names the desk cannot know it."""
    paired = card.table is not None and seats.get(card.table, NOWHERE).names != NOWHERE.names
    return paired and card.named and not is_of_round(card, seats)


def unfinished(cards: Iterable[TableCard], seats: Mapping[int, TableSeat]) -> tuple[int, ...]:
    """Return the tables with a clock whose pairing's game is not over, by number; without a clock the desk cannot know it."""
    paired = [card for card in cards if card.table is not None and seats.get(card.table, NOWHERE).names != NOWHERE.names]
    over = {card.table for card in paired if card.phase == "over" and is_of_round(card, seats)}
    return tuple(sorted({card.table for card in paired if card.table is not None} - over))


def _is_near(forecast: OvertimeForecast, now: int) -> bool:
    if forecast.at_pace is None:
        return forecast.earliest - now <= SOON_NS
    return forecast.at_pace - now <= AHEAD_NS


def _soonest(forecast: OvertimeForecast) -> tuple[int, int]:
    return forecast.at_pace or forecast.earliest, forecast.earliest


def _left(card: TableCard, now: int) -> int:
    """Return how long both sides' remaining times last together."""
    return sum(max(0, _remaining(card, side, now)) for side in Side)


def _forecasts(card: TableCard, now: int) -> list[OvertimeForecast]:
    found = []
    for side in Side:
        remaining = _remaining(card, side, now)
        # -0:00 is not overtime (2017 V.G.2): it begins a second below zero.
        until = remaining + NS
        if until <= 0 or (card.running is None and card.phase == "ready"):
            continue
        pace = _at_pace(card, side, until, now)
        found.append(OvertimeForecast(card, side, now + until, None if pace is None else now + pace))
    return found


def _at_pace(card: TableCard, side: Side, until: int, now: int) -> int | None:
    """Return after how long the side has used ``until`` ns, if both go on as they have; None: it is too early to say."""
    used = {each: _used(card, each, now) for each in Side}
    both, own = sum(used.values()), used[side]
    # Before a fifth of the side's time is used, one long turn decides the figure.
    if own * 5 < own + until:
        return None
    return until * both // own


def _remaining(card: TableCard, side: Side, now: int) -> int:
    if card.sides is None:
        return 0
    return card.sides.of(side).remaining - _gone(card, side, now)


def _used(card: TableCard, side: Side, now: int) -> int:
    return 0 if card.sides is None else card.sides.of(side).used + _gone(card, side, now)


def _gone(card: TableCard, side: Side, now: int) -> int:
    return max(0, now - card.at) if card.running is side and card.at is not None else 0
