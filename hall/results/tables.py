"""Results and standings as tables: our CSV, CoCo's, and the standings. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from appliance.spreadsheet import MARK, harmless
from hall.event.model import BYE, Event, Pairing
from hall.results.cards import in_order
from hall.results.standings import Standing


def results_csv(event: Event) -> str:
    """Return the pairings with their scores, as an import reads them: ABSP's columns, with numbers, boards and tables."""
    rows: list[Sequence[object]] = [("Division", "Round", "Table", "Board", "Number1", "Player1", "Score1", "Number2", "Player2", "Score2")]
    for each in _in_order(event):
        one, two = ((number or None, _name(event, each, number)) for number in (each.first, each.second))
        place = (each.division, each.round, event.table_of(each), each.board)
        rows.append((*place, *one, each.scores[0], *two, each.scores[1]))
    return _csv(rows)


def coco_csv(event: Event, division: str) -> str:
    """Return a division's scored games as CoCo's ratings read them, the winner first. A forfeit is a lost bye."""
    rows: list[Sequence[object]] = [("Submitted On", "Round", "Winner", "Winners Score", "Opponent", "Opponents Score")]
    for each in _in_order(event):
        if each.division == division and each.is_scored:
            one, two = each.scores[0] or 0, each.scores[1] or 0
            players = (in_order(_name(event, each, each.first)), one), (in_order(_name(event, each, each.second)) or "Bye", two)
            lost = one < two and each.second != BYE
            rows.append(("", each.round, *players[lost], *players[not lost]))
    return _csv(rows)


def standings_csv(found: Mapping[str, Iterable[Standing]]) -> str:
    """Return standings as a table."""
    rows: list[Sequence[object]] = [("Division", "Rank", "Number", "Name", "Team", "Won", "Lost", "Spread", "Capped", "Rounds", "Average")]
    for division, places in found.items():
        for each in places:
            player = each.player
            won = (
                f"{each.wins:g}",
                f"{each.losses:g}",
                each.spread,
                each.capped,
                each.games,
                None if each.average is None else round(each.average, 2),
            )
            rows.append((division, each.rank, player.number, player.name, player.team, *won))
    return _csv(rows)


def _in_order(event: Event) -> list[Pairing]:
    return sorted(event.pairings, key=lambda each: (each.round, each.division, each.board or 0, each.first))


def _name(event: Event, pairing: Pairing, number: int) -> str:
    return "" if number == BYE else event.by_number[pairing.division, number].name


def _csv(rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO(newline="")
    file.write(MARK)
    csv.writer(file).writerows([harmless(each) if isinstance(each, str) else each for each in row] for row in rows)
    return file.getvalue()
