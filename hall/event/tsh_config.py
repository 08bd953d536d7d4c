"""What the lines ``config KEY = EXPRESSION`` of TSH set. TSH runs each as Perl, one after the other; here literals are read, and nothing is run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from hall.event.model import TableAssignment
from hall.event.parsing import KEPT_TABLES, tables_of, tsh_division
from hall.event.problems import Spot, quoted
from rules.tables import MAX_TABLE

_SETTING: Final = re.compile(r"(?i:config)\s++(\w++)\s*+((?:\[[^]]+\]|\{[^}]+\})*+)\s*+=\s*+(.*)")
_STEP: Final = re.compile(r"\[\s*+([0-9]{1,3})\s*+\]|\{\s*+(['\"]?)(\w[\w-]*+)\2\s*+\}|\[[^]]+\]|\{[^}]+\}")
_TOKEN: Final = re.compile(
    r"""\s*+(?:(?P<sign>\.\.|=>|[][(){},]) |(?P<text>'[^'\\]*+'|"[^"\\$@]*+") |(?P<number>0|[1-9][0-9]{0,8})(?!\w|\.[0-9])
    |qw\s*+[^\w\s](?P<words>[\w\s]*+)[^\w\s] |(?P<name>[A-Za-z_]\w*+) |(?P<end>(?:;\s*+)?(?:\#.*)?$))""",
    re.VERBOSE,
)
_DEEPEST: Final = 8
_MOST_VALUES: Final = 20_000
"""In one list."""
_MOST_LINES: Final = 5_000
Value: TypeAlias = "str | int | list[Value] | dict[str, Value] | None"


class OnlyPerlError(Exception):
    """An expression is no literal."""


class Setting(Struct, frozen=True):
    """A line ``config KEY{...}[...] = EXPRESSION``."""

    at: Spot
    key: str
    path: tuple[str | int | None, ...]
    """The divisions and indexes behind the key; None: only Perl knows one."""
    said: str

    def value(self) -> Value:
        """Return the value; raises ``OnlyPerlError``."""
        return _Expression(self.said).whole()

    def text(self) -> str | None:
        """Return the text, empty for Perl's ``undef``; None: it is another expression."""
        try:
            value = self.value()
        except OnlyPerlError:
            return None
        return None if isinstance(value, list | dict) else str(value or "")


def setting_of(words: str, at: Spot) -> Setting | None:
    """Return what a line sets; None: to TSH it is no such line."""
    if (found := _SETTING.fullmatch(words)) is None:
        return None
    path = tuple(int(each[1]) if each[1] else tsh_division(each[3]) if each[3] else None for each in _STEP.finditer(found[2]))
    return Setting(at, found[1], path, found[3])


class _Expression:
    """Reads one expression of Perl: texts, numbers, lists and tables of them."""

    def __init__(self, said: str) -> None:
        self._tokens = self._split(said)
        self._next = next(self._tokens)

    def whole(self) -> Value:
        value = self._value(0)
        self._take("end")
        return value

    @staticmethod
    def _split(said: str) -> Iterator[tuple[str, str]]:
        at = 0
        while (found := _TOKEN.match(said, at)) is not None and (kind := found.lastgroup) is not None:
            yield kind, found[kind]
            at = found.end()
            if kind == "end":
                return
        raise OnlyPerlError

    def _take(self, *kinds: str) -> str:
        """Return the next token, of one of these kinds, and go on."""
        kind, said = self._next
        if kind not in kinds:
            raise OnlyPerlError
        self._next = next(self._tokens, ("", ""))
        return said

    def _is(self, sign: str) -> bool:
        """Go on over a sign, if it is next."""
        return self._next == ("sign", sign) and bool(self._take("sign"))

    def _value(self, depth: int) -> Value:
        kind = self._next[0]
        said = self._take("text", "number", "name", "sign")
        if kind == "number" or (kind == "name" and self._next == ("sign", "=>")):
            return said
        if kind == "text":
            return said[1:-1]
        if said == "undef":
            return None
        if said == "[":
            return self._values("]", depth)
        if said == "{":
            values = self._values("}", depth)
            return {str(key): value for key, value in zip(values[::2], values[1::2], strict=False)}
        raise OnlyPerlError

    def _values(self, end: str, depth: int) -> list[Value]:
        if depth > _DEEPEST:
            raise OnlyPerlError
        found: list[Value] = []
        while not self._is(end):
            if self._next[0] == "words":
                found += self._take("words").split()
            elif self._is("("):
                found += self._values(")", depth + 1)
            else:
                found += self._range(self._value(depth + 1), depth + 1)
            if len(found) > _MOST_VALUES or not (self._is(",") or self._is("=>") or self._next == ("sign", end)):
                raise OnlyPerlError
        return found

    def _range(self, first: Value, depth: int) -> Sequence[Value]:
        if not self._is(".."):
            return [first]
        ends = [str(first), str(self._value(depth))]
        if not all(each.isascii() and each.isdigit() and len(each) < 10 for each in ends):
            raise OnlyPerlError
        return range(int(ends[0]), min(int(ends[1]), int(ends[0]) + MAX_TABLE) + 1)


class _Said(Struct, frozen=True):
    """The tables of a division, or of all."""

    at: Spot
    """The last line that said something of them."""
    value: Value
    """What is no literal is its text."""


class _Tables:
    """The tables of boards, as the lines so far have them."""

    def __init__(self) -> None:
        self.of: dict[str, _Said] = {}
        self.all: _Said | None = None
        """One value for all divisions that have none of their own."""

    def set(self, line: Setting) -> None:
        """Do what Perl would do."""
        try:
            value = line.value()
        except OnlyPerlError:
            value = line.said
        said, one_list = _Said(line.at, value), self.all is not None and isinstance(self.all.value, list)
        match line.path:
            case () if isinstance(value, dict):
                self.of, self.all = {tsh_division(key): _Said(line.at, each) for key, each in value.items()}, None
            case ():
                self.of, self.all = {}, said
            case (str(division),) if not one_list:
                self.of[division] = said
            case (str(division), int(index)) if not one_list and (changed := _changed(self.of.get(division), index, said)):
                self.of[division] = changed
            case (int(index),) if one_list:
                self.all = _changed(self.all, index, said)
            case _:
                line.at.pass_over("this line is passed over: what the other lines say of tables stands")


def _changed(before: _Said | None, index: int, said: _Said) -> _Said | None:
    """Return a list with another value at an index; None: there is no list."""
    values = [] if before is None or before.value is None else before.value
    if not isinstance(values, list):
        return None
    values += [None] * (index + 1 - len(values))
    values[index] = said.value
    return _Said(said.at, values)


def assigned(settings: Sequence[Setting], players: Mapping[str, int], file: Spot) -> Iterator[TableAssignment]:
    """Yield the tables of divisions with so many players, as they are after the last line; what is passed over is noted."""
    tables = _Tables()
    lines = [each for each in settings if each.key == "tables"]
    for each in lines[:_MOST_LINES]:
        tables.set(each)
    for each in lines[_MOST_LINES:][:1]:
        each.at.add(f"at most {_MOST_LINES:,} lines with tables", f"{len(lines):,}")
    if _are_consecutive(settings):
        for each in lines[-1:]:
            each.at.pass_over("the tables are passed over: as in TSH, their numbers go on from division to division")
        yield from _consecutive(players)
        return
    for division in sorted(set(tables.of) - set(players)):
        tables.of[division].at.pass_over(f"the tables of division {quoted(division)} are passed over: {file.file} has no such division")
    if tables.all is not None and isinstance(tables.all.value, list) and tables.all.value and len(players) > 1:
        tables.all.at.pass_over(f"one list of tables for the divisions {', '.join(players)} is passed over, as by TSH{KEPT_TABLES}")
        return
    for division in players if lines else ():
        said = tables.of.get(division, tables.all)
        if said is None or said.value is None or said.value == []:
            yield TableAssignment(division, 1, 0)
        else:
            yield from tables_of(division, said.value, said.at)


def _are_consecutive(settings: Iterable[Setting]) -> bool:
    """Return whether TSH numbers the tables itself: ``table_method``, which the realm ABSP sets where no line does."""
    last = {each.key: each for each in settings if each.key in {"table_method", "realm"} and not each.path}
    said = {key: each.text() for key, each in last.items()}
    for each in [last[key] for key, text in said.items() if text is None]:
        each.at.pass_over(f"only Perl knows the value {quoted(each.said)}, which is passed over: the lines with tables stand")
    method = said.get("table_method", "consecutive" if (said.get("realm") or "").lower() == "absp" else "")
    return method == "consecutive"


def _consecutive(players: Mapping[str, int]) -> Iterator[TableAssignment]:
    first = 0
    for division, count in sorted(players.items()):
        boards = range(1, min(count // 2, MAX_TABLE - first) + 1)
        yield from (TableAssignment(division, board, first + board) for board in boards)
        first += len(boards)
