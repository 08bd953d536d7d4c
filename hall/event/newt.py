"""``tourney.js``, as TSH writes it for web pages: ``newt={...};``, or the object alone. Its literals are read; nothing is run."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from faults.errors import Phrase
from hall.event.model import Event, TableAssignment
from hall.event.parsing import (
    KEPT_TABLES,
    MAX_DIVISIONS,
    MAX_PLAYERS,
    UNDEFINED,
    OwnList,
    Spot,
    division_of,
    event_of,
    number_of,
    own_list,
    quoted,
    tables_of,
    tsh_division,
)

_DEEPEST: Final = 60
# re keeps 160 bytes of each escape in a string until the string has ended.
_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*[\s\S]*?\*/)
    |(?P<double>"[^"\\\n]*(?:\\[\s\S][^"\\\n]*){0,10000}") |(?P<single>'[^'\\\n]*(?:\\[\s\S][^'\\\n]*){0,10000}')
    |(?P<number>-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?![\w.])) |(?P<word>[A-Za-z_$][\w$]*) |(?P<sign>[{}\[\]:,=;])""",
    re.VERBOSE,
)
_HEAD: Final = re.compile(
    r"(?:([\"'])use strict\1[\s;]*)?(?:export\s+)?(?:(?:var|let|const)\s+|(?:window|self|globalThis)\s*\.\s*)?newt\s*="
)


class _NotNewtError(Exception):
    """Arguments: the line, what was found, and what was expected in place of it."""


def read_newt(text: str, file: Spot) -> Event:
    try:
        whole = _whole(text)
    except _NotNewtError as error:
        line, found, *expected = error.args
        file.on(line).add(expected[0] if expected else "newt={...}", found)
        return Event()
    divisions = whole.get("divisions") if isinstance(whole, dict) else None
    if not isinstance(divisions, list) or not divisions:
        file.on(1).add("newt={config, divisions}", "no divisions")
        return Event()
    lists: dict[str, dict[int, OwnList]] = {}
    at = _spot(file, whole)
    if len(divisions) > MAX_DIVISIONS:
        at.add(Phrase("at most {most} divisions", most=MAX_DIVISIONS), str(len(divisions)))
    for index, division in enumerate(divisions[:MAX_DIVISIONS]):
        _read_division(division, index, lists, at)
    if not any(lists.values()) and not file.problems:
        at.add("at least one player", "none", "Leave this file out")
    return event_of(lists, _tables(whole.get("config"), lists, at), file)


def _read_division(division: object, index: int, known: dict[str, dict[int, OwnList]], file: Spot) -> None:
    at = _spot(file, division)
    if not isinstance(division, dict) or not isinstance(found := division.get("players"), list):
        at.add("a division with its players", "none")
        return
    # TSH leaves the name out where there is one division only.
    name = division_of(_text(division.get("name")) or ("A" if index == 0 else ""), at)
    if name in known:
        at.add("each division once", quoted(name))
    lists = known[name] = {}
    within = at
    for place, player in enumerate(found):
        at = _spot(within, player)
        number = number_of(_text(player.get("id")), 1, MAX_PLAYERS) if isinstance(player, dict) else None
        if player is not None and number is None:
            wrong = quoted(_text(player.get("id") if isinstance(player, dict) else player))
            at.add(Phrase("players with an id from 1 to {most}", most=MAX_PLAYERS), wrong)
            # Others name the player by the place in the list, which is the right id.
            number = place if isinstance(player, dict) else None
        if number in lists:
            at.add(Phrase("player {player} once in division {division}", player=number, division=name), "it twice")
        elif number is not None:
            etc = player.get("etc")
            extras = {key: _words(value) for key, value in etc.items() if key} if isinstance(etc, dict) else {}
            said = [_text(player.get(key)) for key in ("name", "rating")]
            rounds = _words(player.get("pairings")), _words(player.get("scores"))
            lists[number] = own_list(at, (name, number), said, rounds, extras)


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else "a list"


def _words(values: object) -> list[str]:
    """Return the words that TSH's own file has in place of a list."""
    return [_text(each) or UNDEFINED for each in (values if isinstance(values, list) else [] if values is None else [values])]


def _tables(config: object, lists: Mapping[str, object], file: Spot) -> Iterator[TableAssignment]:
    tables = config.get("tables") if isinstance(config, dict) else None
    names = {tsh_division(each): each for each in lists}
    if tables and not isinstance(tables, dict):
        _spot(file, config).pass_over(Phrase("the tables are no lists by division and are passed over. {kept}", kept=KEPT_TABLES))
    found: dict[str, object] = {}
    for said, labels in tables.items() if isinstance(tables, dict) else ():
        if (division := names.get(tsh_division(said or ""))) is not None:
            found[division] = labels
        elif said is not None:
            stray = Phrase("the tables of division {division} are of no division of this file and are passed over", division=quoted(said))
            _spot(file, tables).pass_over(stray)
    for division, labels in found.items():
        yield from tables_of(division, labels, _spot(file, tables))


def _spot(file: Spot, value: object) -> Spot:
    """Return where an object begins: its line stands under no text. What is no object is where ``file`` is, within which it stands."""
    return file.on(value[None]) if isinstance(value, dict) else file


def _whole(text: str) -> Any:
    tokens = _tokens(text)
    whole = _value(tokens, next(tokens), 0)
    for kind, said, line in tokens:
        if said != ";" and kind != "end":
            raise _NotNewtError(line, quoted(said))
    return whole


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield kind, text and line of what is no blank, from the object on."""
    at = 0
    while (found := _TOKEN.match(text, at)) is not None and found.lastgroup == "blank":
        at = found.end()
    if (head := _HEAD.match(text, at)) is not None:
        at = head.end()
    line = 1 + text.count("\n", 0, at)
    if head is None and not text.startswith("{", at):
        raise _NotNewtError(line, quoted(text[at : at + 60]))
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _NotNewtError(line, quoted(text[at : at + 60]))
        if (kind := token.lastgroup) is not None and kind != "blank":
            yield kind, token[0], line
        line += token[0].count("\n")
        at = token.end()
    yield "end", "", line


def _value(tokens: Iterator[tuple[str, str, int]], token: tuple[str, str, int], depth: int) -> Any:
    """Return the value that begins with ``token``: a number is its text; each object has its line under None."""
    kind, said, line = token
    if kind != "sign" or said not in "{[":
        return _plain(*token)
    if depth >= _DEEPEST:
        raise _NotNewtError(line, "more", Phrase("at most {most} levels", most=_DEEPEST))
    found: dict[str | None, Any] = {None: line}
    values: list[Any] = []
    while (token := next(tokens))[1] != {"{": "}", "[": "]"}[said]:
        if said == "{":
            key, colon = _plain(*token), next(tokens)
            if colon[1] != ":":
                raise _NotNewtError(colon[2], quoted(colon[1]))
            if key in found:
                raise _NotNewtError(line, quoted(str(key)), "each key of an object once")
            found[str(key)] = _value(tokens, next(tokens), depth + 1)
        else:
            values.append(_value(tokens, token, depth + 1))
        token = next(tokens)
        if token[1] == {"{": "}", "[": "]"}[said]:
            break
        if token[1] != ",":
            raise _NotNewtError(token[2], quoted(token[1]))
    return found if said == "{" else values


def _plain(kind: str, said: str, line: int) -> str | None:
    if kind in {"sign", "end"}:
        raise _NotNewtError(line, quoted(said) if said else "its end")
    if kind == "double":
        try:
            return str(json.loads(said))
        except json.JSONDecodeError:
            pass
    return None if said in {"undefined", "null"} else re.sub(r"\\([\s\S])", r"\1", said[1:-1]) if kind in {"double", "single"} else said
