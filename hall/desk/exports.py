"""A round for other programs: what organisers know of each pairing beside what its clock measured."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from hall.desk.cards.result import TableResult
from hall.event.model import BYE, Event
from rules.side import BySide

_ABSP: Final = ("Division", "Round", "Player1", "Score1", "Player2", "Score2")
_OWN: Final = ("used_ms", "overtime_ms", "penalty", "holds", "challenges")
COLUMNS: Final = (*_ABSP, "table", *(f"{name}{number}" for number in (1, 2) for name in _OWN), "over", "journal")
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


class ExportedSide(BaseModel):
    """One player of a pairing. Without a clock's result the measures are null."""

    model_config = ConfigDict(extra="forbid")
    name: str
    score: int | None
    used_ms: int | None = None
    overtime_ms: int | None = None
    penalty: int | None = None
    holds: int | None = None
    challenges: int | None = None


class ExportedGame(BaseModel):
    """One pairing of a round."""

    model_config = ConfigDict(extra="forbid")
    division: str
    round: int
    table: int | None
    over: bool
    """The game has ended."""
    journal: str
    """The hash of the last row of the table's journal; empty: no clock of that table has reported."""
    players: list[ExportedSide]


class ExportedRound(BaseModel):
    """All games of a round."""

    model_config = ConfigDict(extra="forbid")
    hall: str
    round: int
    games: list[ExportedGame]


def exported_round(hall: str, event: Event, number: int, results: Mapping[int, TableResult]) -> ExportedRound:
    """Return round ``number``, its games by table; those without one come last.

    Args:
        hall: the hall's name.
        event: as imported.
        number: of the round.
        results: by table.
    """
    games = []
    for pairing in event.round(number):
        table = event.table_of(pairing)
        names = [event.by_number[pairing.division, each].name if each != BYE else "" for each in (pairing.first, pairing.second)]
        result = None if table is None or pairing.second == BYE else results.get(table)
        measured = _in_order(result, names)
        players = [ExportedSide(name=name, score=score, **own) for name, score, own in zip(names, pairing.scores, measured, strict=True)]
        games.append(
            ExportedGame(
                division=pairing.division,
                round=number,
                table=table,
                over=result is not None and any(measured) and result.over,
                journal=result.journal if result is not None and any(measured) else "",
                players=players,
            )
        )
    games.sort(key=lambda game: (game.table is None, game.table or 0))
    return ExportedRound(hall=hall, round=number, games=games)


def _in_order(result: TableResult | None, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the measures of both players: by name, because either may sit left. Another pairing's game measures nothing."""
    if result is None:
        return [{}, {}]
    sides = _by_name(result.sides, names)
    return [{} if side is None else {key: getattr(side, key) for key in _OWN} for side in sides]


def _by_name(sides: BySide[Any], names: Sequence[str]) -> list[Any]:
    own = {side.name: side for side in (sides.left, sides.right)}
    return [own.get(name) for name in names] if own.keys() == set(names) else [None, None]


def as_csv(exported: ExportedRound) -> str:
    """Return a round as CSV: ABSP's columns, then ours. No cell of text begins as a spreadsheet's formula does."""
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    for game in exported.games:
        one, two = game.players
        absp = (_safe(game.division), game.round, _safe(one.name), one.score, _safe(two.name), two.score)
        measures = [getattr(player, name) for player in (one, two) for name in _OWN]
        writer.writerow([*absp, game.table, *measures, int(game.over), game.journal])
    return file.getvalue()


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULAS) else text
