"""From files to an event: all of them, or every problem that they have. Those on this machine are refused by their size before they are read."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

from faults.errors import reason
from hall.event.model import BYE, Event, FloorPlan, Pairing, Player, TableAssignment, TablePlace
from hall.event.newt import read_newt
from hall.event.parsing import (
    MAX,
    MAX_BYTES,
    MAX_PLAYERS,
    MAX_ROUNDS,
    Problem,
    Problems,
    Quoted,
    Spot,
    TooManyProblems,
    UnreadableEvent,
    division_of,
    name_of,
    number_of,
    required_number,
    text_of,
)
from hall.event.tsh import read_config, read_division, read_naspa
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


_KINDS: Final = "config.tsh, *.t, *.js, *.csv or *.txt"


def read_event(files: Mapping[str, bytes], known: Event | None = None) -> Event:
    """Return ``known`` with what ``files`` have.

    Args:
        files: the contents by name; the name's ending says the format. A ``.t`` file that a ``config.tsh`` names is read once.
        known: the event so far; None: none yet.

    Raises:
        UnreadableEvent: it has every problem of every file; nothing is half-imported.
    """
    reading = _Reading(files, known or Event())
    for name in sorted(reading.texts, key=reading.turn):
        reading.read(name)
    if reading.problems:
        raise UnreadableEvent(reading.problems)
    if problems := list(_conflicts(reading.event)):
        raise UnreadableEvent(problems)
    return reading.event


class _Reading:
    def __init__(self, files: Mapping[str, bytes], known: Event) -> None:
        self.event = known
        self.problems: list[Problem] = []
        self.texts: dict[str, str] = {}
        self._named: set[str] = set()
        for name, content in files.items():
            try:
                self.texts[name] = text_of(name, content)
            except UnreadableEvent as error:
                self.problems.extend(error.problems)

    def turn(self, name: str) -> tuple[int, str]:
        """Return the order of reading: a configuration before the files that it names, players before pairings."""
        if name.endswith(".tsh"):
            return 0, name
        late = name.lower().endswith(".csv") and is_pairings(self.texts[name])
        return (2 if late else 1), name

    def read(self, name: str) -> None:
        problems = Problems(name)
        try:
            part = self._part(name, self.texts[name], problems)
        except TooManyProblems:
            part = Event()
        self.problems.extend(problems.found)
        # Also with problems: what names its players is then judged by those that it has.
        self.event = self.event.updated(part)

    def _part(self, name: str, text: str, problems: Problems) -> Event:
        ending = PurePosixPath(name).suffix.lower()
        if ending == ".tsh":
            return read_config(name, text, self._division(name), problems)
        if ending == ".t":
            return Event() if name in self._named else read_division(PurePosixPath(name).stem.upper()[:20], text, problems)
        if ending == ".js":
            return read_newt(text, problems)
        if ending == ".csv":
            return read_csv(text, self.event, problems)
        if ending == ".txt":
            return read_naspa(text, problems)
        problems.add(0, _KINDS, "another ending")
        return Event()

    def _division(self, config: str) -> Callable[[str], tuple[str, str] | None]:
        def find(said: str) -> tuple[str, str] | None:
            name = str(PurePosixPath(config).parent / said)
            if name not in self.texts:
                return None
            self._named.add(name)
            return name, self.texts[name]

        return find


def _conflicts(event: Event) -> list[Problem]:
    found = []
    at_table: dict[tuple[int, int], list[str]] = defaultdict(list)
    for pairing in event.pairings:
        found += [
            _contradiction(f"a player {number} in division {pairing.division}", f"none, but a pairing of round {pairing.round}")
            for number in sorted({pairing.first, pairing.second} - {BYE})
            if (pairing.division, number) not in event.by_number
        ]
        table = event.table_of(pairing)
        if table is not None and pairing.second != BYE:
            at_table[pairing.round, table].append(f"{pairing.division} {pairing.first}-{pairing.second}")
    found += [
        _contradiction(f"one pairing at table {table} in round {number}", ", ".join(pairs[:5]))
        for (number, table), pairs in sorted(at_table.items())
        if len(pairs) > 1
    ]
    return found[:MAX]


def _contradiction(expected: str, found: str) -> Problem:
    return Problem("the event", 0, expected, found)


_DIVISION: Final = re.compile(rb"^\s*division\s+\S+\s+(\S+)\s*$", re.MULTILINE)
_MAX_DIVISIONS: Final = 100


def contents_of(paths: Sequence[Path]) -> dict[str, bytes]:
    """Return the contents by name; those of a ``config.tsh`` with the ``.t`` files that it names.

    Raises:
        UnreadableEvent: a file cannot be read, or is too large.
    """
    found: dict[str, bytes] = {}
    problems: list[Problem] = []
    for path in [each for given in paths for each in (given, *_divisions(given))]:
        try:
            # A pipe or a device has no size.
            with path.open("rb") as file:
                found[str(path)] = file.read(MAX_BYTES + 1)
        except OSError as error:
            problems.append(Problem(str(path), 0, "a readable file", reason(error)))
    if problems:
        raise UnreadableEvent(problems)
    return found


def _divisions(path: Path) -> Iterator[Path]:
    """Yield the files that a configuration names, as far as they lie beside it."""
    if path.suffix != ".tsh" or not path.is_file():
        return
    with path.open("rb") as file:
        names = _DIVISION.findall(file.read(MAX_BYTES))
    for name in dict.fromkeys(names[:_MAX_DIVISIONS]):
        found = path.parent / name.decode("iso-8859-1")
        if found.parent == path.parent and found.is_file():
            yield found
