"""Our CSV: players, pairings, tables and floor plans, each known by the columns of its first line."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from hall.event.model import BYE, Event, FloorPlan, Pairing, Player, TableAssignment, TablePlace
from hall.event.parsing import MAX_PLAYERS, MAX_ROUNDS, Problems, Quoted, Spot, division_of, name_of, number_of, required_number
from rules.tables import MAX_TABLE

_SEPARATORS: Final = ",;\t"
_SYNONYMS: Final = {"no": "number", "player": "name", "div": "division", "rd": "round", "id": "member", "class": "division"}
_ONE_DIVISION: Final = "A"
_FARTHEST: Final = 9_999
_BYES: Final = {"", "bye", "0"}


@dataclass(frozen=True, slots=True)
class _Record:
    line: int
    fields: Mapping[str, str]

    def get(self, name: str) -> str:
        return self.fields.get(name, "").strip()


_Reader: TypeAlias = Callable[[Iterator[_Record], Event, Problems], Event]


def read_csv(text: str, known: Event, problems: Problems) -> Event:
    """Return the part of an event that a CSV file has.

    Args:
        text: of the file.
        known: the event so far; pairings name its players.
        problems: takes those of this file.
    """
    try:
        columns = set(_columns(_rows(text)))
        for required, reader in _READERS:
            if required <= columns:
                return reader(_records(text), known, problems)
        names = "; ".join(", ".join(sorted(required)) for required, _ in _READERS)
        problems.add(1, f"one of these sets of columns: {names}", Quoted(", ".join(sorted(columns))) if columns else "nothing")
    except csv.Error as error:
        problems.add(1, "a table as CSV", error)
    return Event()


def is_pairings(text: str) -> bool:
    """Return whether a CSV file has pairings: they are read last, because they name players."""
    try:
        return set(_columns(_rows(text))) >= _READERS[0][0]
    except csv.Error:
        return False


def _players(records: Iterator[_Record], _known: Event, problems: Problems) -> Event:
    found: dict[tuple[str, int], Player] = {}
    count: dict[str, int] = {}
    names: set[tuple[str, str]] = set()
    for record in records:
        at = Spot(problems, record.line)
        division = _division(record, at)
        count[division] = count.get(division, 0) + 1
        number: int | None = count[division]
        if "number" in record.fields:
            number = required_number(record.get("number"), "a number", MAX_PLAYERS, at)
        name, member = name_of(record.get("name"), at)
        rating = required_number(record.get("rating"), "a rating", 999_999, at, 0) if record.get("rating") else None
        if number is None:
            continue
        if (division, number) in found or (division, name.casefold()) in names:
            what = f"player {number}" if (division, number) in found else Quoted(name)
            at.add(f"each player once in division {division}", what)
        names.add((division, name.casefold()))
        team = record.get("team")[:40]
        member = member or record.get("member")[:20]
        found[division, number] = Player(division, number, name, rating, *(each if each.isprintable() else "" for each in (member, team)))
        if len(found) > MAX_PLAYERS:
            at.add(f"at most {MAX_PLAYERS:,} players", "more")
            break
    return Event(players=tuple(found.values()))


def _pairings(records: Iterator[_Record], known: Event, problems: Problems) -> Event:
    by_name = {(each.division, each.name.casefold()): each.number for each in known.players}
    found: list[Pairing] = []
    busy: set[tuple[str, int, int]] = set()
    for record in records:
        at = Spot(problems, record.line)
        division = _division(record, at)
        number = required_number(record.get("round"), "a round", MAX_ROUNDS, at)
        first = _player(record.get("player1"), division, known, by_name, at)
        bye = record.get("player2").casefold() in _BYES
        second = BYE if bye else _player(record.get("player2"), division, known, by_name, at)
        table = required_number(record.get("table"), "a table", MAX_TABLE, at) if record.get("table") else None
        scores = _score(record, "score1", at), _score(record, "score2", at)
        if number is None or first is None or second is None:
            continue
        for player in (first, second):
            if player != BYE and (division, number, player) in busy:
                at.add(f"each player once in round {number}", f"player {player} of division {division} again")
            busy.add((division, number, player))
        found.append(Pairing(division, number, first, second, not bye, table=table, scores=scores))
    return Event(pairings=tuple(found))


def _boards(records: Iterator[_Record], _known: Event, problems: Problems) -> Event:
    found: dict[tuple[str, int], TableAssignment] = {}
    for record in records:
        at = Spot(problems, record.line)
        division = _division(record, at)
        board = required_number(record.get("board"), "a board", MAX_TABLE, at)
        table = required_number(record.get("table"), "a table", MAX_TABLE, at)
        if board is None or table is None:
            continue
        if (division, board) in found:
            at.add(f"each board once in division {division}", f"board {board} again")
        found[division, board] = TableAssignment(division, board, table)
    return Event(tables=tuple(found.values()))


def _floor(records: Iterator[_Record], _known: Event, problems: Problems) -> Event:
    found: dict[int, TablePlace] = {}
    for record in records:
        at = Spot(problems, record.line)
        table = required_number(record.get("table"), "a table", MAX_TABLE, at)
        x = required_number(record.get("x"), "a place across", _FARTHEST, at, 0)
        y = required_number(record.get("y"), "a place down", _FARTHEST, at, 0)
        if table is None or x is None or y is None:
            continue
        if table in found:
            at.add("each table once", f"table {table} again")
        found[table] = TablePlace(table, x, y)
    return Event(floor=FloorPlan(tuple(found.values())))


_READERS: Final[tuple[tuple[frozenset[str], _Reader], ...]] = (
    (frozenset({"round", "player1", "player2"}), _pairings),
    (frozenset({"table", "x", "y"}), _floor),
    (frozenset({"board", "table"}), _boards),
    (frozenset({"name"}), _players),
)


def _player(said: str, division: str, known: Event, by_name: Mapping[tuple[str, str], int], at: Spot) -> int | None:
    number = number_of(said, 1, MAX_PLAYERS)
    if number is None:
        number = by_name.get((division, " ".join(said.split()).casefold()))
    if number is None or (division, number) not in known.by_number:
        at.add(f"a player of division {division}, by name or number", Quoted(said) if said else "nothing")
        return None
    return number


def _score(record: _Record, column: str, at: Spot) -> int | None:
    text = record.get(column)
    return required_number(text, "a score", 99_999, at, -99_999) if text else None


def _division(record: _Record, at: Spot) -> str:
    return division_of(record.get("division"), at) if "division" in record.fields else _ONE_DIVISION


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    head = text.lstrip("\r\n").partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_SEPARATORS, key=head.count), strict=True)
    last = 0
    for row in reader:
        if any(field.strip() for field in row):
            yield last + 1, row
        last = reader.line_num


def _columns(rows: Iterator[tuple[int, list[str]]]) -> list[str]:
    _, row = next(rows, (0, []))
    names = ["".join(each.split()).replace("_", "").casefold() for each in row]
    return [_SYNONYMS.get(name, name) for name in names]


def _records(text: str) -> Iterator[_Record]:
    rows = _rows(text)
    columns = _columns(rows)
    for line, row in rows:
        yield _Record(line, dict(zip(columns, row, strict=False)))
