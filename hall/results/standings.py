"""Standings as TSH has them: by wins, then losses, spread and rating; and tables of results and standings, our CSV and CoCo's. Pure."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from appliance.spreadsheet import MARK, harmless
from hall.event.model import BYE, Event, Pairing, Player
from hall.event.parsing import extras_of
from hall.results.book import Applied
from hall.results.tsh import NO_GAMES, Game, cards_of, division_lines, in_order, lots, players_of
from hall.settings import DeskSettings


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
    rank: int
    """Equal ones have the same."""
    player: Player
    wins: float
    """A tie is half of one."""
    losses: float
    spread: int
    capped: int
    games: int
    """Rounds with a score, byes too."""
    average: float | None
    """Points a game that was played. A bye or a forfeit won with the average score (NZ 9.2, 10.2) leaves it as it is. None: none was played."""
    aggregate: float | None
    """All points, with the average of the games played for each bye and forfeit won (NZ 9.2, 10.2). None: no result of the event has bonus words, as NZ's have."""
    words: float | None


def standings(results: Applied, caps: Caps = NO_CAPS) -> dict[str, tuple[Standing, ...]]:
    """Return the standings of each division. As in TSH, players who are ``off`` have none. One score of two does not count; TSH takes the other for 0."""
    return {each: _of_division(results, each, caps) for each in sorted(results.event.divisions)}


def _of_division(results: Applied, division: str, caps: Caps) -> tuple[Standing, ...]:
    event = results.event
    cards, lot = cards_of(event, division), lots(division_lines(event, division))
    found = [
        _total(each, cards.get(each.number, NO_GAMES), caps, results.words)
        for each in players_of(event, division)
        if "off" not in extras_of(each.extras)
    ]
    found.sort(key=lambda each: (*_place(each), -_rating(each.player), -lot[each.player.number], each.player.number))
    ranked: list[Standing] = []
    for index, each in enumerate(found, 1):
        equal = ranked and _place(ranked[-1]) == _place(each)
        ranked.append(replace(each, rank=ranked[-1].rank if equal else index))
    return tuple(ranked)


def _place(standing: Standing) -> tuple[float, float, int]:
    return -standing.wins, standing.losses, -standing.capped


def _total(player: Player, card: Mapping[int, Game], caps: Caps, words: Mapping[tuple[str, int, int], int]) -> Standing:
    wins = losses = 0.0
    spread = capped = games = 0
    penalties = [int(each) if re.fullmatch("-?[0-9]{1,6}", each) else 0 for each in extras_of(player.extras).get("penalty", ())]
    for game in _scored(card):
        own, other = game.score or 0, game.other or 0
        margin = _capped(own - other, caps.spread, game.round)
        counted = margin
        margin += penalties[game.round - 1] if game.round <= len(penalties) else 0
        spread += margin
        # As in TSH, whose order has no penalties where all of a spread is capped.
        capped += counted if caps.spread else _capped(margin, caps.standings, game.round)
        # A bye of 0 is neither won nor lost.
        if game.opponent or margin:
            won = (1 + (own > other) - (own < other)) / 2
            wins, losses = wins + won, losses + 1 - won
        games += 1
    played = [game for game in _scored(card) if game.opponent != BYE]
    points = [game.score or 0 for game in played]
    own_words = [words.get((player.division, game.round, player.number), 0) for game in played]
    free = sum(game.opponent == BYE and (game.score or 0) > 0 for game in _scored(card))
    aggregate, all_words = (_aggregate(points, free), _aggregate(own_words, free)) if words else (None, None)
    return Standing(0, player, wins, losses, spread, capped, games, sum(points) / len(points) if points else None, aggregate, all_words)


def _aggregate(played: Sequence[int], free: int) -> float:
    return sum(played) * (1 + free / len(played)) if played else 0.0


def _scored(card: Mapping[int, Game]) -> Iterable[Game]:
    return (card[each] for each in sorted(card) if card[each].is_scored)


def _capped(margin: int, caps: tuple[int, ...], number: int) -> int:
    cap = caps[min(number, len(caps)) - 1] if caps else abs(margin)
    return max(-cap, min(cap, margin))


def _rating(player: Player) -> float:
    found = re.match(r"[0-9]+(?:\.[0-9]*)?", player.rating)
    return float(found[0]) if found else 0.0


def results_csv(event: Event) -> str:
    """Return the pairings with their scores, as an import reads them: ABSP's columns, with numbers, boards and tables."""
    rows: list[Sequence[object]] = [("Division", "Round", "Table", "Board", "Number1", "Player1", "Score1", "Number2", "Player2", "Score2")]
    for each in _in_order(event):
        one, two = ((number or None, _name(event, each, number)) for number in (each.first, each.second))
        place = (each.division, each.round, event.table_of(each), each.board)
        rows.append((*place, *one, each.scores[0], *two, each.scores[1]))
    return csv_text(rows)


def coco_csv(event: Event, division: str) -> str:
    """Return a division's scored games as CoCo's ratings read them, the winner first. A forfeit is a lost bye."""
    rows: list[Sequence[object]] = [("Submitted On", "Round", "Winner", "Winners Score", "Opponent", "Opponents Score")]
    for each in _in_order(event):
        if each.division == division and each.is_scored:
            one, two = each.scores[0] or 0, each.scores[1] or 0
            players = (in_order(_name(event, each, each.first)), one), (in_order(_name(event, each, each.second)) or "Bye", two)
            lost = one < two and each.second != BYE
            rows.append(("", each.round, *players[lost], *players[not lost]))
    return csv_text(rows)


def standings_csv(found: Mapping[str, Iterable[Standing]]) -> str:
    rows: list[Sequence[object]] = [
        ("Division", "Rank", "Number", "Name", "Team", "Won", "Lost", "Spread", "Capped", "Rounds", "Average", "Aggregate", "Bonus words")
    ]
    for division, places in found.items():
        for each in places:
            player = each.player
            won = (
                f"{each.wins:g}",
                f"{each.losses:g}",
                each.spread,
                each.capped,
                each.games,
                *(None if value is None else round(value, 2) for value in (each.average, each.aggregate, each.words)),
            )
            rows.append((division, each.rank, player.number, player.name, player.team, *won))
    return csv_text(rows)


def _in_order(event: Event) -> list[Pairing]:
    return sorted(event.pairings, key=lambda each: (each.round, each.division, each.board or 0, each.first))


def _name(event: Event, pairing: Pairing, number: int) -> str:
    return "" if number == BYE else event.by_number[pairing.division, number].name


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV. No cell of text begins as a spreadsheet's formula does."""
    file = io.StringIO(newline="")
    file.write(MARK)
    csv.writer(file).writerows([harmless(each) if isinstance(each, str) else each for each in row] for row in rows)
    return file.getvalue()
