"""TSH: ``config.tsh`` and the ``.t`` files that it names; and NASPA's text of results, ``#division A`` and then the lines of a ``.t`` file.

Parsed, never run: ``perl`` lines are passed over, passwords are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from hall.event.model import Event, Pairing, Player, TableAssignment
from hall.event.parsing import (
    MAX_PLAYERS,
    MAX_ROUNDS,
    UNDEFINED,
    OwnList,
    Problems,
    Quoted,
    Spot,
    division_of,
    lines_of,
    name_of,
    number_of,
    pairings_of,
)
from rules.tables import MAX_TABLE

_RATING: Final = re.compile(r"[0-9]{1,6}(?:[.+][0-9]{1,6})*")
_TABLES: Final = re.compile(r"config\s+tables\s*\{\s*['\"]?(\w{1,20})['\"]?\s*\}\s*=\s*(.*)")
_RANGE: Final = re.compile(r"([0-9]{1,3})\s*\.\.\s*([0-9]{1,3})")
_MAX_BOARD: Final = 9_999
_HIGHEST_SCORE: Final = 99_999


def read_config(file: str, text: str, of_division: Callable[[str], tuple[str, str] | None], problems: Problems) -> Event:
    """Return the event of a ``config.tsh``.

    Args:
        of_division: returns name and text of the ``.t`` file that a ``division`` line names; None: there is none.
        problems: takes those of this file; a ``.t`` file notes its own under its own name.
    """
    players: list[Player] = []
    pairings: list[Pairing] = []
    tables: list[TableAssignment] = []
    divisions: set[str] = set()
    for line, words in _statements(text):
        if words.startswith("division"):
            parts = words.split(None, 2)
            if len(parts) != 3:
                problems.add(line, "division, its name and its file", Quoted(words))
                continue
            division = division_of(parts[1], Spot(problems, line)).upper()
            found = of_division(parts[2].strip())
            if found is None or division in divisions:
                expected = f"the file of division {division} beside {file}" if found is None else "each division once"
                problems.add(line, expected, Quoted(parts[2] if found is None else division))
                continue
            divisions.add(division)
            part = _read_named(division, found, problems)
            players.extend(part.players)
            pairings.extend(part.pairings)
        elif (table := _TABLES.match(words)) is not None:
            tables.extend(_tables(table[1].upper(), table[2], Spot(problems, line)))
    if not divisions and not problems.found:
        problems.add(0, "at least one line such as: division A a.t", "none")
    return Event(tuple(players), tuple(pairings), tuple(tables))


def read_division(division: str, text: str, problems: Problems) -> Event:
    """Return the players and pairings of a ``.t`` file."""
    lists: dict[int, OwnList] = {}
    for line, words in enumerate(lines_of(text), 1):
        if not words.strip() or words.lstrip().startswith("#"):
            continue
        own = read_player(words, division, len(lists) + 1, Spot(problems, line))
        lists[len(lists) + 1] = own
        if len(lists) > MAX_PLAYERS:
            problems.add(line, f"at most {MAX_PLAYERS:,} players", "more")
            break
    if not lists:
        problems.add(0, "one player a line", "none")
    return Event(tuple(each.player for each in lists.values()), tuple(pairings_of(lists, problems)))


def read_player(words: str, division: str, number: int, at: Spot) -> OwnList:
    """Return the player of a line: name, rating, opponents; scores; extras."""
    head, scores, *extras = [*_parts(words), ""]
    name, rating, opponents = _head(head, at)
    name, member = name_of(name, at)
    lists: dict[str, list[int]] = {}
    for extra in extras:
        key, *values = extra.split() or [""]
        if key in {"board", "p12"}:
            lists[key] = _numbers(values, key, 0, _MAX_BOARD, at)
    team = next((" ".join(each.split()[1:])[:40] for each in extras if each.split()[:1] == ["team"]), "")
    player = Player(division, number, name, rating, member, team if team.isprintable() else "")
    own = _numbers(scores.split(), "a score", -_HIGHEST_SCORE, _HIGHEST_SCORE, at)
    return OwnList(at.line, player, opponents, own, lists.get("board", ()), lists.get("p12", ()))


def _read_named(division: str, found: tuple[str, str], problems: Problems) -> Event:
    name, text = found
    own = Problems(name)
    try:
        return read_division(division, text, own)
    finally:
        problems.found.extend(own.found)


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that configure something; a ``perl`` block ends with the brace that closes it."""
    depth = 0
    for line, words in enumerate(lines_of(text), 1):
        clean = words.strip()
        if depth or re.match(r"perl\b", clean):
            depth = max(0, depth + clean.count("{") - clean.count("}"))
        elif clean and not clean.startswith("#"):
            yield line, clean


def _tables(division: str, value: str, at: Spot) -> Iterator[TableAssignment]:
    inner = value.strip().rstrip(";").strip()
    if inner.startswith("[") and inner.endswith("]"):
        inner = inner[1:-1].strip()
    if inner.startswith("qw(") and inner.endswith(")"):
        inner = ",".join(inner[3:-1].split())
    board = 0
    for item in filter(None, (each.strip().strip("'\"") for each in inner.split(","))):
        span = _RANGE.fullmatch(item)
        numbers = range(int(span[1]), int(span[2]) + 1) if span else [number_of(item, 1, MAX_TABLE)]
        for table in numbers:
            if table is None or not 1 <= table <= MAX_TABLE:
                at.add(f"table numbers from 1 to {MAX_TABLE}", Quoted(item))
                return
            board += 1
            yield TableAssignment(division, board, table)


def _parts(words: str) -> list[str]:
    """Return what the semicolons divide; a backslash takes the next character as it is."""
    parts, escaped = [""], False
    for each in words:
        if escaped or each not in ";\\":
            parts[-1] += each
            escaped = False
        elif each == ";":
            parts.append("")
        else:
            escaped = True
    return parts


def _head(head: str, at: Spot) -> tuple[str, int | None, list[int]]:
    words = head.split()
    end = len(words)
    while end > 1 and words[end - 1].isascii() and words[end - 1].isdigit():
        end -= 1
    if end > 1 and _RATING.fullmatch(words[end - 1]):
        end -= 1
    if not 1 <= end < len(words) or not _RATING.fullmatch(words[end]):
        at.add("name, rating, opponents; scores", Quoted(head) if words else "nothing")
        return "?", None, []
    if len(words) - end - 1 > MAX_ROUNDS:
        at.add(f"at most {MAX_ROUNDS} rounds", len(words) - end - 1)
    opponents = [UNDEFINED if each == "00" else number_of(each, 0, MAX_PLAYERS) for each in words[end + 1 :][:MAX_ROUNDS]]
    if None in opponents:
        at.add(f"opponents from 0 to {MAX_PLAYERS:,}", Quoted(head))
    rating = int(re.split(r"[.+]", words[end])[0])
    return " ".join(words[:end]), rating, [UNDEFINED if each is None else each for each in opponents]


def _numbers(words: list[str], what: str, least: int, most: int, at: Spot) -> list[int]:
    found = [number_of(each, least, most) for each in words[:MAX_ROUNDS]]
    if None in found:
        at.add(f"{what} from {least} to {most}", Quoted(words[found.index(None)]))
    return [each or 0 for each in found]


_DIVISION: Final = re.compile(r"#\s*division\b(.*)", re.IGNORECASE)


def read_naspa(text: str, problems: Problems) -> Event:
    """Return the players and pairings of all divisions."""
    divisions: dict[str, dict[int, OwnList]] = {}
    lists: dict[int, OwnList] | None = None
    division = ""
    for line, words in enumerate(lines_of(text), 1):
        if (found := _DIVISION.match(words.strip())) is not None:
            division = division_of(found[1], Spot(problems, line)).upper()
            lists = divisions.setdefault(division, {})
        elif words.strip() and not words.lstrip().startswith("#"):
            if lists is None:
                problems.add(line, "first a line such as: #division A", "a player")
                break
            lists[len(lists) + 1] = read_player(words, division, len(lists) + 1, Spot(problems, line))
            if len(lists) > MAX_PLAYERS:
                problems.add(line, f"at most {MAX_PLAYERS:,} players", "more")
                break
    if not any(divisions.values()) and not problems.found:
        problems.add(0, "#division A, then one player a line", "no player")
    return Event(
        tuple(each.player for division_lists in divisions.values() for each in division_lists.values()),
        tuple(pairing for division_lists in divisions.values() for pairing in pairings_of(division_lists, problems)),
    )
