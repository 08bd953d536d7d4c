"""``tourney.js``, as TSH writes it for web pages: ``newt={...};``. Its literals are read as JSON; nothing is run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeGuard

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
    pairings_of,
)
from rules.tables import MAX_TABLE

_LINE: Final = "\x00line"
"""The key under which each object gets the line of its brace; no text of the file has it."""
_DEEPEST: Final = 60
_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)
    |(?P<double>"(?:[^"\\\n]|\\[^\n])*") |(?P<single>'(?:[^'\\\n]|\\[^\n])*')
    |(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?) |(?P<word>[A-Za-z_$][\w$]*) |(?P<sign>[{}\[\]:,=;])""",
    re.VERBOSE,
)
_ESCAPE: Final = re.compile(r"\\(.)")
_WORDS: Final = {"undefined": "null", "null": "null", "true": "true", "false": "false"}


class _NotNewtError(Exception):
    def __init__(self, line: int, expected: str, found: object) -> None:
        super().__init__(expected)
        self.line, self.expected, self.found = line, expected, found


def read_newt(text: str, problems: Problems) -> Event:
    """Return the event of a ``tourney.js``."""
    try:
        whole = _parsed(text)
    except _NotNewtError as error:
        problems.add(error.line, error.expected, error.found)
        return Event()
    divisions = whole.get("divisions") if isinstance(whole, dict) else None
    if not isinstance(divisions, list) or not divisions:
        problems.add(1, "newt={config, divisions:[...]}", "no divisions")
        return Event()
    players: list[Player] = []
    pairings: list[Pairing] = []
    for number, division in enumerate(divisions):
        lists = _division(division, number, problems)
        players.extend(each.player for each in lists.values())
        pairings.extend(pairings_of(lists, problems))
    return Event(tuple(players), tuple(pairings), tuple(_tables(whole.get("config"), problems)))


def _division(division: object, index: int, problems: Problems) -> dict[int, OwnList]:
    if not isinstance(division, dict) or not isinstance(found := division.get("players"), list):
        problems.add(_line(division), "a division with its players", "none")
        return {}
    # TSH leaves the name out where there is one division only.
    name = division_of(str(_plain(division.get("name"), "A" if index == 0 else "")), Spot(problems, _line(division))).upper()
    lists: dict[int, OwnList] = {}
    for player in found:
        if player is None:
            continue
        if not isinstance(player, dict):
            problems.add(_line(division), "players with id and name", Quoted(str(player)))
            continue
        own = _player(player, name, problems)
        if own is not None and own.player.number in lists:
            problems.add(own.line, f"player {own.player.number} once in division {name}", "it twice")
        elif own is not None:
            lists[own.player.number] = own
    return lists


def _player(player: Mapping[str, Any], division: str, problems: Problems) -> OwnList | None:
    at, number = Spot(problems, _line(player)), player.get("id")
    if number is None or not _is_number(number, 1, MAX_PLAYERS):
        at.add(f"an id from 1 to {MAX_PLAYERS:,}", Quoted(str(number)))
        return None
    name, member = name_of(str(_plain(player.get("name"), "")), at)
    rating, extras = player.get("rating"), player.get("etc")
    extras = extras if isinstance(extras, dict) else {}
    opponents = [UNDEFINED if each is None else each for each in _list(player, "pairings", at)]
    return OwnList(
        at.line,
        Player(division, int(number), name, int(rating) if _is_number(rating, 0, 999_999) else None, member),
        opponents,
        _list(player, "scores", at),
        [each or 0 for each in _list(extras, "board", at)],
        [each or 0 for each in _list(extras, "p12", at)],
    )


def _tables(config: object, problems: Problems) -> Iterator[TableAssignment]:
    tables = config.get("tables") if isinstance(config, dict) else None
    for division, labels in tables.items() if isinstance(tables, dict) else ():
        for board, label in enumerate(labels if isinstance(labels, list) else (), 1):
            number = int(label) if isinstance(label, str) and label.isascii() and label.isdigit() and len(label) < 4 else label
            if _is_number(number, 1, MAX_TABLE):
                yield TableAssignment(str(division).upper(), board, int(number))
            else:
                problems.add(_line(tables), f"table numbers from 1 to {MAX_TABLE}", Quoted(str(label)))
                return


def _list(values: Mapping[str, Any], key: str, at: Spot) -> Sequence[int | None]:
    found = values.get(key)
    found = [] if found is None else found
    if (
        not isinstance(found, list)
        or len(found) > MAX_ROUNDS
        or not all(each is None or _is_number(each, -99_999, 99_999) for each in found)
    ):
        at.add(f"{key}: a list of at most {MAX_ROUNDS} whole numbers", Quoted(str(found)[:100]))
        return []
    return [None if each is None else int(each) for each in found]


def _is_number(value: object, least: int, most: int) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most and value == int(value)


def _plain(value: object, default: str) -> object:
    return value if isinstance(value, str) or _is_number(value, 0, 999_999) else default


def _line(value: object) -> int:
    return int(value[_LINE]) if isinstance(value, dict) else 0


def _parsed(text: str) -> Any:
    whole = "".join(_as_json(text))
    try:
        # Every line feed of the file is kept, so JSON counts its lines.
        return json.loads(whole)
    except json.JSONDecodeError as error:
        raise _NotNewtError(error.lineno, "newt={...};", Quoted(lines_of(text)[error.lineno - 1])) from error
    except ValueError as error:
        # Python reads no number of thousands of digits.
        raise _NotNewtError(1, "numbers of at most 9 digits", "longer ones") from error


def _as_json(text: str) -> Iterator[str]:
    """Yield the text as JSON: words as keys or null, single quotes as double ones, each object with its line."""
    at, line, depth, opened = _start(text), 1, 0, False
    line += text.count("\n", 0, at)
    yield "\n" * (line - 1)
    pending = ""
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _NotNewtError(line, "newt={...};", Quoted(text[at : at + 60]))
        kind, said, at = token.lastgroup, token[0], token.end()
        if kind == "blank":
            yield "\n" * said.count("\n")
            line += said.count("\n")
            continue
        if said == ";":
            break
        if said in {"]", "}"}:
            # A comma before it is JavaScript's, not JSON's.
            pending = ""
        yield pending
        pending = ""
        if opened and said != "}":
            yield ","
        opened = said == "{"
        depth += (said in "{[") - (said in "}]") if kind == "sign" else 0
        if depth > _DEEPEST:
            raise _NotNewtError(line, f"at most {_DEEPEST} levels", "more")
        if said == ",":
            pending = ","
        elif opened:
            yield f"{{{json.dumps(_LINE)}:{line}"
        else:
            yield _json_of(kind, said, line)


def _json_of(kind: str | None, said: str, line: int) -> str:
    if kind == "word":
        return _WORDS.get(said, json.dumps(said))
    if kind not in {"double", "single"}:
        return said
    try:
        inner = json.loads(said) if kind == "double" else _ESCAPE.sub(r"\1", said[1:-1])
    except json.JSONDecodeError:
        inner = _ESCAPE.sub(r"\1", said[1:-1])
    if inner == _LINE:
        raise _NotNewtError(line, "text", "a control character")
    return json.dumps(inner)


def _start(text: str) -> int:
    found = re.match(r"\s*(?:(?:var|let|const)\s+)?newt\s*=\s*", text)
    if found is None:
        raise _NotNewtError(1, "newt={...};", Quoted(text[:60]))
    return found.end()
