"""Our CSV: players, pairings, boards or a floor plan, known by the columns of the first line."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Final, TypeAlias

from msgspec import Struct

from appliance.spreadsheet import as_written
from hall.event.lists import MAX_PLAYERS, MAX_ROUNDS
from hall.event.model import BYE, Event, FloorPlan, Pairing, Player, TableAssignment, TablePlace
from hall.event.parsing import division_of, key_of, name_of, number_of, plain_text, rating_of, tsh_division
from hall.event.problems import Spot, quoted
from rules.tables import MAX_TABLE

_SEPARATORS: Final = ",;\t"
_SYNONYMS: Final = {"no": "number", "player": "name", "div": "division", "rd": "round", "id": "member", "class": "division"}
_ONE_DIVISION: Final = "A"
_FARTHEST: Final = 9_999
_BYE: Final = "bye"
_BYES: Final = {"", _BYE, "0"}
_LONGEST_CELL: Final = 500
_PLAYERS_FIRST: Final = "Import its players first, or together with this file"
_PRIZES: Final = re.compile(r"prize.*")


class _Record(Struct, frozen=True):
    at: Spot
    fields: Mapping[str, str]
    divisions: Mapping[str, str]
    """Those that have players, by their names, and by what TSH takes for the same: to it A-1 is A1."""

    def get(self, name: str) -> str:
        return as_written(self.fields.get(name, "").strip())

    def number(self, name: str, what: str, most: int, least: int = 1) -> int | None:
        text = self.get(name)
        if (number := number_of(text, least, most)) is None:
            self.at.add(f"{what} from {least} to {most}", quoted(text) if text else "nothing")
        return number

    @property
    def division(self) -> str:
        said = division_of(self.get("division"), self.at) if "division" in self.fields else _ONE_DIVISION
        return self.divisions.get(said) or self.divisions.get(tsh_division(said), said)


class _NotCsvError(Exception):
    """Arguments: the line where the row begins, and why it is none."""


_Reader: TypeAlias = Callable[[Iterator[_Record], Event, Spot], Event]


def read_csv(text: str, known: Event, file: Spot) -> Event:
    """Return the part of an event that a CSV file has; its pairings name players that are ``known``."""
    try:
        named = _columns(_rows(text))
        columns = set(named)
        if any(map(_PRIZES.fullmatch, columns)):
            file.on(1).add("players, pairings, boards or a floor plan", "a list of prizes", "Leave this file out")
        elif twice := [each for each, count in Counter(named).items() if each and count > 1]:
            file.on(1).add("each column once", quoted(", ".join(twice)), "Delete one of the two columns, or give it another name")
        for required, optional, reader in _READERS if not file.problems else ():
            # What has rounds is no list of players, nor of boards for all rounds.
            if required <= columns and ("round" in required) >= ("round" in columns):
                if others := sorted(columns - required - optional - {""}):
                    file.on(1).pass_over(f"the columns {quoted(', '.join(others))} are passed over")
                found = reader(_records(text, known, file), known, file)
                if found == Event() and not file.problems:
                    file.add("at least one line below the names of the columns", "none", "Leave this file out")
                return found
        if not file.problems:
            names = "; ".join(", ".join(sorted(required)) for required, *_ in _READERS)
            found_columns = quoted(", ".join(sorted(columns))) if columns else "nothing"
            file.on(1).add(f"one of these sets of columns: {names}", found_columns, "Name the columns in the first line")
    except _NotCsvError as error:
        line, why = error.args
        file.on(line).add("a table as CSV", why, "Close the quotation mark, or double one that is within a text")
    return Event()


def kind_of(text: str) -> int:
    """Return the place of a CSV file among others: players come first, because boards and pairings name their division."""
    try:
        columns = set(_columns(_rows(text)))
    except _NotCsvError:
        return 0
    return next((len(_READERS) - index for index, (required, *_) in enumerate(_READERS) if required <= columns), 0)


def _players(records: Iterator[_Record], _known: Event, file: Spot) -> Event:
    found: dict[tuple[str, int], Player] = {}
    count: Counter[str] = Counter()
    names: set[tuple[str, str, str]] = set()
    for record in records:
        at, division = record.at, record.division
        count[division] += 1
        number = record.number("number", "a number", MAX_PLAYERS) if "number" in record.fields else count[division]
        name, member = name_of(record.get("name"), at)
        member = member or plain_text(record.get("member"), "a number with the federation", at)
        team = plain_text(record.get("team"), "a team", at)
        if number is None:
            continue
        # A number or a member's number tells two people of one name apart.
        again = (division, key_of(name), member) in names and "number" not in record.fields
        if (division, number) in found or again:
            remedy = "Delete the line; of two people of one name write the numbers"
            at.add(f"each player once in division {division}", quoted(name) if again else f"player {number}", remedy)
        names.add((division, key_of(name), member))
        at.note(division)
        found[division, number] = Player(division, number, name, rating_of(record.get("rating")), member, team)
        if len(found) > MAX_PLAYERS:
            at.add(f"at most {MAX_PLAYERS:,} players", "more")
            break
    return Event(players=tuple(found.values()))


def _pairings(records: Iterator[_Record], known: Event, file: Spot) -> Event:
    numbers = _numbers(known)
    # Some people are called Bye.
    people = {each.division: each for each in known.players if _BYE in re.split(r"[\s,]+", key_of(each.name))}
    found: list[Pairing] = []
    busy: set[tuple[str, int, int]] = set()
    taken: set[tuple[int, int | None]] = set()
    for record in records:
        at, division = record.at, record.division
        number = record.number("round", "a round", MAX_ROUNDS)
        first = _player(record.get("player1"), division, numbers, record)
        said = key_of(record.get("player2"))
        bye = said in _BYES
        if said == _BYE and (called := people.get(division)) is not None:
            remedy = "Leave player2 empty for a bye, or write the player's number"
            at.add(f"a bye, or player {called.number} ({quoted(called.name)})", f"{quoted(said)}, which may be either", remedy)
        second = BYE if bye else _player(record.get("player2"), division, numbers, record)
        table, board = (record.number(each, f"a {each}", MAX_TABLE) if record.get(each) else None for each in ("table", "board"))
        one, two = (record.number(each, "a score", 99_999, -99_999) if record.get(each) else None for each in ("score1", "score2"))
        if number is None or first is None or second is None:
            continue
        for player in (first, second):
            if player != BYE and (division, number, player) in busy:
                at.add(f"each player once in round {number}", f"player {player} of division {division} again")
            busy.add((division, number, player))
        if table is not None and not bye and (number, table) in taken:
            at.add(f"each table once in round {number}", f"table {table} again")
        taken |= set() if bye else {(number, table)}
        at.note((division, number, first))
        found.append(Pairing(division, number, first, second, not bye, board, table, (one, two)))
    return Event(pairings=tuple(found))


def _boards(records: Iterator[_Record], known: Event, file: Spot) -> Event:
    found: dict[tuple[str, int], TableAssignment] = {}
    for record in records:
        division = record.division
        board, table = record.number("board", "a board", MAX_TABLE), record.number("table", "a table", MAX_TABLE)
        if division not in known.divisions:
            record.at.add("a division with players", quoted(division), _PLAYERS_FIRST)
        if board is None or table is None:
            continue
        if (division, board) in found:
            record.at.add(f"each board once in division {division}", f"board {board} again")
        found[division, board] = TableAssignment(division, board, table)
    return Event(tables=tuple(found.values()), given=frozenset(each.division for each in found.values()))


def _floor(records: Iterator[_Record], _known: Event, file: Spot) -> Event:
    found: dict[int, TablePlace] = {}
    for record in records:
        table = record.number("table", "a table", MAX_TABLE)
        x, y = record.number("x", "a place across", _FARTHEST, 0), record.number("y", "a place down", _FARTHEST, 0)
        if table is None or x is None or y is None:
            continue
        if table in found:
            record.at.add("each table once", f"table {table} again")
        found[table] = TablePlace(table, x, y)
    return Event(floor=FloorPlan(tuple(found.values())))


_READERS: Final[tuple[tuple[frozenset[str], frozenset[str], _Reader], ...]] = (
    (frozenset({"round", "player1", "player2"}), frozenset({"division", "board", "table", "score1", "score2"}), _pairings),
    (frozenset({"table", "x", "y"}), frozenset(), _floor),
    (frozenset({"board", "table"}), frozenset({"division"}), _boards),
    (frozenset({"name"}), frozenset({"division", "number", "rating", "member", "team"}), _players),
)
"""The columns that each kind needs, and those that it may have."""


def _numbers(known: Event) -> Mapping[tuple[str, str], dict[int, None]]:
    """Return whom a line of pairings may mean, in order: by number, name, member's number, or name and member's number."""
    found: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for each in known.players:
        for said in (str(each.number), each.name, each.member, f"{each.name}:{each.member}"):
            found[each.division, key_of(said)][each.number] = None
    return found


def _player(said: str, division: str, numbers: Mapping[tuple[str, str], Mapping[int, None]], record: _Record) -> int | None:
    number = number_of(said, 1, MAX_PLAYERS)
    alike = numbers.get((division, key_of(said if number is None else str(number))), {}) if said else {}
    if len(alike) == 1:
        return next(iter(alike))
    several = f"{quoted(said)}, which are players {' and '.join(map(str, islice(alike, 5)))}" if alike else ""
    remedy = "Write the player's number" if alike else "" if division in record.divisions else _PLAYERS_FIRST
    record.at.add(f"a player of division {division}, by name or number", several or (quoted(said) if said else "nothing"), remedy)
    return None


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    head = text.lstrip("\r\n").partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(_SEPARATORS, key=head.count), strict=True)
    last = 0
    try:
        for row in reader:
            if any(field.strip() for field in row):
                yield last + 1, row
            last = reader.line_num
    except csv.Error as error:
        raise _NotCsvError(last + 1, error) from error


def _columns(rows: Iterator[tuple[int, list[str]]]) -> list[str]:
    _, row = next(rows, (0, []))
    names = ["".join(each.split()).replace("_", "").casefold() for each in row]
    return [_SYNONYMS.get(name, name) for name in names]


def _records(text: str, known: Event, file: Spot) -> Iterator[_Record]:
    rows = _rows(text)
    columns = _columns(rows)
    divisions = {tsh_division(each): each for each in known.divisions} | {each: each for each in known.divisions}
    for line, row in rows:
        at = file.on(line)
        if any(len(each) > _LONGEST_CELL for each in row):
            at.add(f"cells of at most {_LONGEST_CELL} characters", "a longer one", "Leave this file out, or this column")
        if any(each.strip() for each in row[len(columns) :]):
            at.add(f"at most {len(columns)} cells", len(row), "Put a text with the separator in it into quotes")
        yield _Record(at, dict(zip(columns, row, strict=False)), divisions)
