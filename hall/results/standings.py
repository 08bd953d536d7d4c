"""Standings as TSH has them: by wins, then losses, spread and rating. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from hall.event.extras import extras_of
from hall.event.model import BYE, Event, Player
from hall.results.cards import NO_GAMES, Game, cards_of, players_of
from hall.results.tsh import division_lines, lots
from hall.settings import DeskSettings

_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]*)?")


class Caps(Struct, frozen=True):
    """What a game adds to a spread at most, by round; the last one counts for later rounds too. Empty: no cap."""

    spread: tuple[int, ...] = ()
    """TSH's ``spread_cap``: no more is counted at all."""
    standings: tuple[int, ...] = ()
    """TSH's ``standings_spread_cap``: no more is counted for the order; the whole spread is shown too."""


NO_CAPS: Final = Caps()


def caps_of(desk: DeskSettings) -> Caps:
    return Caps(*(tuple(map(int, filter(None, each.split(",")))) for each in (desk.spread_cap, desk.standings_spread_cap)))


class Standing(Struct, frozen=True):
    """A player's place."""

    rank: int
    """Equal ones have the same."""
    player: Player
    wins: float
    """A tie is half of one."""
    losses: float
    spread: int
    capped: int
    """What the order is made by."""
    games: int
    """Rounds with a score, byes too."""
    average: float | None
    """Points a game that was played. A bye or a forfeit won with the average score (NZ 9.2, 10.2) leaves it as it is. None: none was played."""


def standings(event: Event, caps: Caps = NO_CAPS) -> dict[str, tuple[Standing, ...]]:
    """Return the standings of each division. As in TSH, players who are ``off`` have none, and one score of two does not count."""
    return {each: _of_division(event, each, caps) for each in sorted(event.divisions)}


def _of_division(event: Event, division: str, caps: Caps) -> tuple[Standing, ...]:
    cards, lot = cards_of(event, division), lots(division_lines(event, division))
    found = [_total(each, cards.get(each.number, NO_GAMES), caps) for each in players_of(event, division) if not _is_off(each)]
    found.sort(key=lambda each: (*_place(each), -_rating(each.player), -lot[each.player.number], each.player.number))
    ranked: list[Standing] = []
    for index, each in enumerate(found, 1):
        equal = ranked and _place(ranked[-1]) == _place(each)
        ranked.append(replace(each, rank=ranked[-1].rank if equal else index))
    return tuple(ranked)


def _place(standing: Standing) -> tuple[float, float, int]:
    return -standing.wins, standing.losses, -standing.capped


def _total(player: Player, card: Mapping[int, Game], caps: Caps) -> Standing:
    wins = losses = 0.0
    spread = capped = games = 0
    penalties = [int(each) if re.fullmatch("-?[0-9]{1,6}", each) else 0 for each in extras_of(player.extras).get("penalty", ())]
    for game in _scored(card):
        own, other = game.score or 0, game.other or 0
        margin = _capped(own - other, caps.spread, game.round)
        counted = margin
        margin += penalties[game.round - 1] if game.round <= len(penalties) else 0
        spread += margin
        capped += counted if caps.spread and caps.standings else _capped(margin, caps.standings, game.round)
        # A bye of 0 is neither won nor lost.
        if game.opponent or margin:
            won = (1 + (own > other) - (own < other)) / 2
            wins, losses = wins + won, losses + 1 - won
        games += 1
    played = [game.score or 0 for game in _scored(card) if game.opponent != BYE]
    return Standing(0, player, wins, losses, spread, capped, games, sum(played) / len(played) if played else None)


def _scored(card: Mapping[int, Game]) -> Iterable[Game]:
    return (card[each] for each in sorted(card) if card[each].is_scored)


def _capped(margin: int, caps: tuple[int, ...], number: int) -> int:
    cap = caps[min(number, len(caps)) - 1] if caps else abs(margin)
    return max(-cap, min(cap, margin))


def _rating(player: Player) -> float:
    found = _NUMBER.match(player.rating)
    return float(found[0]) if found else 0.0


def _is_off(player: Player) -> bool:
    return "off" in extras_of(player.extras)
