"""Our CSV: players, pairings, boards or a floor plan, known by the columns of the first line. ``columns.toml`` is the one list of their headings, for reading and for the docs."""

from __future__ import annotations

import csv
import io
import re
import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib import resources
from itertools import chain, islice
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct

from appliance.spreadsheet import as_written
from faults.errors import Phrase, as_phrase, in_a_row
from hall.event.model import BYE, Event, Pairing, Player, TableAssignment, TablePlace
from hall.event.parsing import (
    MAX_PLAYERS,
    MAX_ROUNDS,
    Spot,
    division_of,
    key_of,
    listed,
    name_of,
    number_of,
    plain_text,
    quoted,
    rating_of,
    tsh_division,
)
from rules.tables import MAX_TABLE

HEADINGS: Final[Mapping[str, list[str]]] = tomllib.loads(resources.files(__package__).joinpath("columns.toml").read_text("utf-8"))
"""The headings of each field, the plain name first."""


def _key(heading: str) -> str:
    """Return what the spellings of a heading have in common."""
    return "".join(each for each in unicodedata.normalize("NFKD", heading[:100]).casefold() if each.isalnum() or each == "#")


_KEYS: Final = {field: [_key(each) for each in headings] for field, headings in HEADINGS.items()}
_KNOWN: Final = frozenset(chain(*_KEYS.values()))


def keys_of(row: Iterable[str]) -> list[str]:
    """Return the headings of a first line in their common spelling; of two players' columns with one heading, as 1 and 2."""
    keys = [_key(each) for each in row]
    twice = {key for key, count in Counter(keys).items() if count == 2 and {f"{key}1", f"{key}2"} <= _KNOWN}
    count: Counter[str] = Counter()
    for at, key in enumerate(keys):
        count[key] += 1
        keys[at] = f"{key}{count[key]}" if key in twice else key
    return keys


def placed(keys: Sequence[str], fields: Iterable[str]) -> dict[str, int]:
    """Return the column of each field that a table has: that with the first of the field's headings. A column is of one field."""
    places = {key: at for at, key in reversed(list(enumerate(keys)))}
    found: dict[str, int] = {}
    for field in fields:
        taken = (places[key] for key in _KEYS[field] if key in places and places[key] not in found.values())
        if (at := next(taken, None)) is not None:
            found[field] = at
    return found


_PASSED_OVER: Final = as_phrase("the column {names} is passed over, because {why}")
_ALL_PASSED_OVER: Final = as_phrase("the columns {names} are passed over, because {why}")


def unread(row: Sequence[str], keys: Sequence[str], found: Mapping[str, int], kind: _Kind) -> Phrase:
    """Return which columns are not read, each with the reason, in a clause; empty: all are read."""
    others = [at for at, key in enumerate(keys) if key and at not in found.values()]
    why: dict[Phrase, list[str]] = defaultdict(list)
    for at in others:
        why[_reason(keys[at], row, found, kind)].append(quoted(row[at].strip()))
    said = [Phrase((_ALL_PASSED_OVER if of[1:] else _PASSED_OVER).template, names=listed(of, 20), why=reason) for reason, of in why.items()]
    said += [
        Phrase("{heading} is nearest to {known}", heading=quoted(heading), known=quoted(near))
        for heading, near in _nearest(row, keys, others, set(kind.fields) - set(found))
    ]
    return in_a_row(*said, between="; ")


def _reason(key: str, row: Sequence[str], found: Mapping[str, int], kind: _Kind) -> Phrase:
    if (same := next((field for field in found if key in _KEYS[field]), None)) is not None:
        return Phrase("{heading} is taken for the same", heading=quoted(row[found[same]].strip()))
    if any(f"{key}1" in _KEYS[field] for field in kind.fields):
        return Phrase("it does not say of which player it is")
    return kind.lacks if key in _KNOWN else Phrase("no file of an event has a column of that name")


def remedy_for(row: Sequence[str], keys: Sequence[str]) -> Phrase:
    """Return what may make a table's columns known."""
    near = [
        Phrase("{known} for {heading}", known=quoted(said), heading=quoted(heading))
        for heading, said in _nearest(row, keys, range(len(row)), HEADINGS)
    ]
    if not near:
        return Phrase("Name the columns in the first line")
    return Phrase("Write {changes} in the first line", changes=in_a_row(*near, between=", "))


def _nearest(row: Sequence[str], keys: Sequence[str], places: Iterable[int], fields: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield headings that fit nothing, each with the nearest one of ``fields``."""
    spelt = {key: heading for field in fields for key, heading in zip(_KEYS[field], HEADINGS[field], strict=True)}
    # If a heading stands once for both players, it is unknown whose column it is.
    unknown = (at for at in places if keys[at] and keys[at] not in _KNOWN and f"{keys[at]}1" not in _KNOWN)
    # Comparing takes time: the first ones suffice to see what is wrong with a table.
    for at in islice(unknown, 5):
        for near in get_close_matches(keys[at], spelt, 1, 0.75):
            yield row[at].strip(), spelt[near]


_SEP: Final = re.compile(r"\s*\"?sep=([^\w\s\"]|\t)\"?\s*", re.IGNORECASE)
"""The line in which Excel names the separator."""
_FARTHEST: Final = 9_999
_BYE: Final = "bye"
_BYES: Final = {"", _BYE, "0"}
_PLAYERS_FIRST: Final = "Import its players first, or together with this file"
_NAMED_ROUND: Final = re.compile(
    rf"(?<![^\W\d_])(?:{'|'.join(map(re.escape, HEADINGS['round']))}|r)[ _-]*0*([1-9][0-9]{{0,2}})(?![0-9])", re.IGNORECASE
)


class _Record(Struct, frozen=True):
    at: Spot
    cells: list[str]
    columns: Mapping[str, int]
    divisions: Mapping[str, str]
    """Those that have players, by their names, and by what TSH takes for the same: to it A-1 is A1."""

    def get(self, name: str) -> str:
        at = self.columns.get(name, len(self.cells))
        return as_written(self.cells[at].strip()) if at < len(self.cells) else ""

    def number(self, name: str, most: int, least: int = 1) -> int | None:
        text = self.get(name)
        if (number := number_of(text, least, most)) is None:
            self.at.add(
                Phrase("a number from {least} to {most} as {column}", least=least, most=most, column=name),
                quoted(text) if text else "nothing",
            )
        return number

    @property
    def division(self) -> str:
        said = division_of(self.get("division"), self.at) if "division" in self.columns else "A"
        return self.divisions.get(said) or self.divisions.get(tsh_division(said), said)


class _NotCsvError(Exception):
    """Arguments: the line where the row begins, and why it is none."""


_Reader: TypeAlias = Callable[[Iterator[_Record], Event, Spot], Event]


class _Kind(Struct, frozen=True):
    lacks: Phrase
    """That it has no such column, as one of another kind has."""
    required: tuple[str, ...]
    optional: tuple[str, ...]
    reader: _Reader
    rank: int
    """Files of a lower one are read before: boards and pairings name the divisions of players."""

    @property
    def fields(self) -> tuple[str, ...]:
        return (*self.required, *self.optional)


def read_csv(text: str, known: Event, file: Spot) -> Event:
    """Return the part of an event that a CSV file has; its pairings name players that are ``known``."""
    try:
        line, row = next(_rows(text), (1, []))
        keys, first = keys_of(row), file.on(line)
        if row and keys[0].startswith("prize"):
            first.add("players, pairings, boards or a floor plan", "a list of prizes", "Leave this file out")
        elif (known_as := _known_as(keys)) is None:
            first.add(
                Phrase("one of these sets of columns: {sets}", sets="player1, player2, round; table, x, y; board, table; name"),
                quoted(", ".join(row)) if row else "nothing",
                remedy_for(row, keys),
            )
        else:
            kind, columns = known_as
            if said := unread(row, keys, columns, kind):
                first.pass_over(said)
            found = kind.reader(_records(text, columns, known, file), known, file)
            if found == Event() and not file.problems:
                file.add("at least one line below the names of the columns", "none", "Leave this file out")
            return found
    except _NotCsvError as error:
        line, why = error.args
        file.on(line).add("a table as CSV", why, "Close the quotation mark, or double one that is within a text")
    return Event()


def _known_as(keys: list[str]) -> tuple[_Kind, Mapping[str, int]] | None:
    for kind in _KINDS:
        columns = placed(keys, kind.fields)
        # What has rounds is no list of players, nor of boards for all rounds.
        if columns.keys() >= set(kind.required) and (kind.reader is _pairings or not placed(keys, ("round",))):
            return kind, columns
    return None


def kind_of(text: str) -> int:
    """Return the rank of a table among others, in the order in which they are read; 0: it is no table."""
    try:
        known_as = _known_as(keys_of(next(_rows(text), (1, []))[1]))
    except _NotCsvError:
        return 0
    return 0 if known_as is None else known_as[0].rank


def _players(records: Iterator[_Record], known: Event, file: Spot) -> Event:
    found: dict[tuple[str, int], Player] = {}
    called, count = _numbers(known), Counter[str]()
    names: set[tuple[str, str, str]] = set()
    for record in records:
        at, division = record.at, record.division
        name, member = name_of(_full_name(record), at)
        member = member or plain_text(record.get("member"), "a number with the federation", at)
        team = plain_text(record.get("team"), "a team", at)
        if "number" in record.columns:
            number = record.number("number", MAX_PLAYERS)
        else:
            # Who is known keeps the number; others get those that are free, in order.
            alike = [known.by_number[division, each] for each in islice(called.get((division, key_of(name)), ()), 20)]
            number = _kept_number([each for each in alike if (division, each.number) not in found], member, at)
            while number is None:
                count[division] += 1
                next_one = division, count[division]
                number = None if next_one in known.by_number or next_one in found else count[division]
        # A number or a member's number tells two people of one name apart.
        again = (division, key_of(name), member) in names and "number" not in record.columns
        if number is not None and ((division, number) in found or again):
            at.add(
                Phrase("each player once in division {division}", division=division),
                quoted(name) if again else Phrase("player {player}", player=number),
                "Delete the line; of two people of one name write the numbers",
            )
            number = None
        names.add((division, key_of(name), member))
        at.note(division)
        # Lines of pairings with the name of a player whose number is wrong are right.
        key = -at.line if number is None else number
        found[division, key] = Player(division, key, name, rating_of(record.get("rating")), member, team)
        if len(found) > MAX_PLAYERS:
            at.add(Phrase("at most {most} players", most=MAX_PLAYERS), "more")
            break
    return Event(players=tuple(found.values()))


def _full_name(record: _Record) -> str:
    """Return a player's name; it has a letter, because a list may number its players in a column that others use for names."""
    parts = record.get("last_name"), record.get("first_name")
    said = record.get("name") or ", ".join(filter(None, parts)) or record.get("player")
    if said and not any(map(str.isalpha, said)):
        record.at.add("a name with letters", quoted(said), "Name the column of the names name, or correct it")
    return said


def _pairings(records: Iterator[_Record], known: Event, file: Spot) -> Event:
    numbers = _numbers(known)
    # Some people are called Bye; who has no other name stands for byes in the list.
    people = {each.division: each for each in known.players if key_of(each.name) != _BYE and _BYE in re.split(r"[\s,]+", key_of(each.name))}
    found: list[Pairing] = []
    busy: dict[tuple[str, int, int], int] = {}
    taken: dict[tuple[int, int], int] = {}
    unknown: dict[tuple[str, str], list[Spot]] = defaultdict(list)
    of_name: int | None = None
    for record in records:
        at, division = record.at, record.division
        if "round" not in record.columns and of_name is None and (of_name := _round_of(file)) is None:
            break
        number = of_name or record.number("round", MAX_ROUNDS)
        if division not in known.divisions:
            unknown[division, ""].append(at)
            continue
        first, said = _player(record, 1, division, numbers, unknown), key_of(_said(record, 2))
        bye = said in _BYES
        if said == _BYE and (called := people.get(division)) is not None:
            at.add(
                Phrase("a bye, or player {player} ({name})", player=called.number, name=quoted(called.name)),
                Phrase("{name}, which may be either", name=quoted(said)),
                "Leave player2 empty for a bye, or write the player's number",
            )
        second = BYE if bye else _player(record, 2, division, numbers, unknown)
        table, board = (record.number(each, MAX_TABLE) if record.get(each) else None for each in ("table", "board"))
        # No game has had more than 1999.
        one, two = (record.number(each, 1_999, -999) if record.get(each) else None for each in ("score1", "score2"))
        if number is None or first is None or second is None:
            continue
        if first == second:
            twice = Phrase("{name} twice", name=quoted(_said(record, 1)))
            at.add("two different players", twice, "Leave player2 empty for a bye, or correct it")
            continue
        players = [(division, number, each) for each in (first, second) if each != BYE]
        if again := [Phrase("player {player} again (line {line})", player=each[2], line=busy[each]) for each in players if each in busy]:
            once = Phrase("each player of division {division} once in round {round}", division=division, round=number)
            at.add(once, in_a_row(*again, between=", "), "Delete one of the lines, or correct it")
        busy |= dict.fromkeys(players, at.line)
        if table is not None and not bye:
            if (number, table) in taken:
                again_at = Phrase("table {table} again (line {line})", table=table, line=taken[number, table])
                at.add(Phrase("each table once in round {round}", round=number), again_at)
            taken[number, table] = at.line
        at.note((division, number, first))
        ordered = not bye and "player1" in record.columns
        found.append(Pairing(division, number, first, second, ordered, board, table, (one, two)))
    _add_unknown(unknown)
    return Event(pairings=tuple(found))


def _round_of(file: Spot) -> int | None:
    """Return the round that a file's name says; None is noted."""
    said = _NAMED_ROUND.findall(PurePosixPath(file.file).stem)
    if len(said) == 1 and (number := number_of(said[0], 1, MAX_ROUNDS)) is not None:
        file.pass_over(Phrase("by the file's name this is round {round}", round=number))
        return number
    file.add("a column round, or a name of the file such as round-3.csv", "neither")
    return None


def _add_unknown(unknown: Mapping[tuple[str, str], list[Spot]]) -> None:
    for (division, said), (at, *more) in unknown.items():
        found: str = quoted(said or division)
        if more:
            found = Phrase("{found} (also in line {lines})", found=found, lines=listed([str(each.line) for each in more], 5))
        if said:
            at.add(_a_player(division), found, "")
        else:
            at.add("a division with players", found, _PLAYERS_FIRST)


def _a_player(division: str) -> Phrase:
    return Phrase("a player of division {division}, by name or number", division=division)


def _kept_number(alike: Sequence[Player], member: str, at: Spot) -> int | None:
    """Return the number of the one who is meant of those of one name; None: none of them."""
    fits = [each for each in alike if each.member == member] or [each for each in alike if not (each.member and member)]
    if len(fits) > 1:
        found = Phrase("players {players}", players=listed([str(each.number) for each in fits], 5))
        at.add(Phrase("one player called {name}", name=quoted(fits[0].name)), found, "Write the number, or the number with the federation")
    return fits[0].number if fits else None


def _boards(records: Iterator[_Record], known: Event, file: Spot) -> Event:
    found: dict[tuple[str, int], TableAssignment] = {}
    for record in records:
        division = record.division
        board, table = record.number("board", MAX_TABLE), record.number("table", MAX_TABLE)
        if division not in known.divisions:
            record.at.add("a division with players", quoted(division), _PLAYERS_FIRST)
        if board is None or table is None:
            continue
        if (division, board) in found:
            record.at.add(Phrase("each board once in division {division}", division=division), Phrase("board {board} again", board=board))
        found[division, board] = TableAssignment(division, board, table)
    return Event(tables=tuple(found.values()), given=frozenset(each.division for each in found.values()))


def _floor(records: Iterator[_Record], _known: Event, file: Spot) -> Event:
    found: dict[int, TablePlace] = {}
    for record in records:
        table = record.number("table", MAX_TABLE)
        x, y = record.number("x", _FARTHEST, 0), record.number("y", _FARTHEST, 0)
        if table is None or x is None or y is None:
            continue
        if table in found:
            record.at.add("each table once", Phrase("table {table} again", table=table))
        found[table] = TablePlace(table, x, y)
    return Event(floor=tuple(found.values()))


_OF_A_PAIRING: Final = ("round", "division", "board", "table", "number1", "number2", "score1", "score2")
_OF_A_PLAYER: Final = ("division", "number", "rating", "member", "team")
_PAIRINGS_LACK: Final = Phrase("pairings have no such column")
_PLAYERS_LACK: Final = Phrase("players have no such column")
_KINDS: Final = (
    _Kind(_PAIRINGS_LACK, ("player1", "player2"), _OF_A_PAIRING, _pairings, 4),
    # Of these nothing says who goes first.
    _Kind(_PAIRINGS_LACK, ("winner", "opponent"), _OF_A_PAIRING, _pairings, 4),
    _Kind(Phrase("floor plans have no such column"), ("table", "x", "y"), (), _floor, 3),
    _Kind(Phrase("boards have no such column"), ("board", "table"), ("division",), _boards, 2),
    _Kind(_PLAYERS_LACK, ("name",), _OF_A_PLAYER, _players, 1),
    _Kind(_PLAYERS_LACK, ("last_name", "first_name"), _OF_A_PLAYER, _players, 1),
    _Kind(_PLAYERS_LACK, ("player",), _OF_A_PLAYER, _players, 1),
)


def _numbers(known: Event) -> Mapping[tuple[str, str], dict[int, None]]:
    """Return whom a line of pairings may mean, in order: by number, name either way round, member's number, or name and member's number."""
    found: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
    for each in known.players:
        turned = " ".join(reversed(each.name.split(", ", 1)))
        for said in (str(each.number), each.name, turned, each.member, f"{each.name}:{each.member}"):
            found[each.division, key_of(said)][each.number] = None
    return found


def _said(record: _Record, which: int) -> str:
    names = (("winner", "player1"), ("opponent", "player2"))[which - 1]
    return next((said for each in (*names, f"number{which}") if (said := record.get(each))), "")


def _player(
    record: _Record,
    which: int,
    division: str,
    numbers: Mapping[tuple[str, str], Mapping[int, None]],
    unknown: Mapping[tuple[str, str], list[Spot]],
) -> int | None:
    said, beside = _said(record, which), number_of(record.get(f"number{which}"), 1, MAX_PLAYERS)
    number = number_of(said, 1, MAX_PLAYERS)
    alike = numbers.get((division, key_of(said if number is None else str(number))), {}) if said else {}
    if len(alike) == 1 or beside in alike:
        return next(iter(alike)) if len(alike) == 1 else beside
    if alike:
        several = Phrase("{name}, which are players {players}", name=quoted(said), players=", ".join(map(str, islice(alike, 5))))
        record.at.add(_a_player(division), several, "Write the player's number")
    elif said:
        unknown[division, said].append(record.at)
    else:
        record.at.add(_a_player(division), "nothing", "")
    return None


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    head = text.lstrip("\r\n").partition("\n")[0]
    named = _SEP.fullmatch(head)
    return islice(_read(text, named[1] if named else max(",;\t", key=head.count)), 1 if named else 0, None)


def _read(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    last = 0
    try:
        for row in reader:
            if any(field.strip() for field in row):
                yield last + 1, row
            last = reader.line_num
    except csv.Error as error:
        raise _NotCsvError(last + 1, error) from error


def _records(text: str, columns: Mapping[str, int], known: Event, file: Spot) -> Iterator[_Record]:
    rows = _rows(text)
    _, headings = next(rows)
    divisions = {tsh_division(each): each for each in known.divisions} | {each: each for each in known.divisions}
    for line, row in rows:
        at = file.on(line)
        if any(each.strip() for each in row[len(headings) :]):
            at.add(Phrase("at most {most} cells", most=len(headings)), str(len(row)), "Put a text with the separator in it into quotes")
        yield _Record(at, row, columns, divisions)
