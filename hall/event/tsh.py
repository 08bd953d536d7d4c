"""TSH: ``config.tsh`` and the ``.t`` files that it names or holds; and NASPA's text of results, ``#division A`` and then the lines of a ``.t`` file.

Parsed, never run: ``perl`` lines are passed over, passwords are dropped. TSH runs each line ``config KEY = EXPRESSION`` as Perl; here literals are read.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase
from hall.event.model import Event, TableAssignment
from hall.event.parsing import (
    KEPT_TABLES,
    MAX_DIVISIONS,
    MAX_PLAYERS,
    OwnList,
    Spot,
    codec_of,
    division_of,
    event_of,
    extras_of,
    found_as,
    lines_of,
    own_list,
    quoted,
    tables_of,
    tsh_division,
)
from rules.tables import MAX_TABLE

_SETTING: Final = re.compile(r"(?i:config)\s++(\w++)\s*+((?:\[[^]]+\]|\{[^}]+\})*+)\s*+=\s*+(.*)")
_STEP: Final = re.compile(r"\[\s*+([0-9]{1,3})\s*+\]|\{\s*+(['\"]?)(\w[\w-]*+)\2\s*+\}|\[[^]]+\]|\{[^}]+\}")
_TOKEN: Final = re.compile(
    r"""\s*+(?:(?P<sign>\.\.|=>|[][(){},]) |(?P<text>'[^'\\]*+'|"[^"\\$@]*+") |(?P<number>0|[1-9][0-9]{0,8})(?!\w|\.[0-9])
    |qw\s*+(?:\((?=[\w\s]*+\))|\[(?=[\w\s]*+])|\{(?=[\w\s]*+})|/(?=[\w\s]*+/))(?P<words>[\w\s]*+)[])}/] |(?P<name>[A-Za-z_]\w*+) |(?P<end>(?:;\s*+)?$))""",
    re.VERBOSE,
)
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
    path = tuple(int(each[1]) if each[1] else each[3].upper() if each[3] else None for each in _STEP.finditer(found[2]))
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
        kind, said = self._next
        if kind not in kinds:
            raise OnlyPerlError
        self._next = next(self._tokens, ("", ""))
        return said

    def _is(self, sign: str) -> bool:
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
        if depth > 8:
            raise OnlyPerlError
        found: list[Value] = []
        while not self._is(end):
            if self._next[0] == "words":
                found += self._take("words").split()
            elif self._is("("):
                found += self._values(")", depth + 1)
            else:
                found += self._range(self._value(depth + 1), depth + 1)
            if len(found) > 20_000 or not (self._is(",") or self._is("=>") or self._next == ("sign", end)):
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


_ONLY_PERL: Final = "this line is passed over, because only Perl knows what it names: what the other lines say of tables stands"
_NO_FIT: Final = "this line is passed over, because it does not fit the lines before it: what the other lines say of tables stands"


class _Tables:
    def __init__(self) -> None:
        self.of: dict[str, _Said] = {}
        self.all: _Said | None = None
        """One value for all divisions that have none of their own."""

    def set(self, line: Setting) -> None:
        try:
            value = line.value()
        except OnlyPerlError:
            value = line.said
        said, one_list = _Said(line.at, value), self.all is not None and isinstance(self.all.value, list)
        match line.path:
            case () if isinstance(value, dict):
                self.of, self.all = {key: _Said(line.at, each) for key, each in value.items()}, None
            case ():
                self.of, self.all = {}, said
            case (str(division),) if not one_list:
                self.of[division] = said
            case (str(division), int(index)) if not one_list and (changed := _changed(self.of.get(division, self.all), index, said)):
                self.of[division] = changed
            case (int(index),) if one_list:
                self.all = _changed(self.all, index, said)
            case _:
                line.at.pass_over(_ONLY_PERL if None in line.path else _NO_FIT)


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
    for each in lines:
        tables.set(each)
    if _are_consecutive(settings):
        for each in lines[-1:]:
            each.at.pass_over("the tables are passed over: as in TSH, their numbers go on from division to division")
        yield from _consecutive(players)
        return
    for division in sorted(set(tables.of) - set(players)):
        stray = Phrase(
            "the tables of division {division} are passed over: {file} has no such division", division=quoted(division), file=file.file
        )
        tables.of[division].at.pass_over(stray)
    if tables.all is not None and isinstance(tables.all.value, list) and tables.all.value and len(players) > 1:
        one_list = "one list of tables for the divisions {divisions} is passed over, as by TSH. {kept}"
        tables.all.at.pass_over(Phrase(one_list, divisions=", ".join(players), kept=KEPT_TABLES))
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
        unknown = Phrase("only Perl knows the value {value}, which is passed over: the lines with tables stand", value=quoted(each.said))
        each.at.pass_over(unknown)
    method = said.get("table_method", "consecutive" if (said.get("realm") or "").lower() == "absp" else "")
    return method == "consecutive"


def _consecutive(players: Mapping[str, int]) -> Iterator[TableAssignment]:
    first = 0
    for division, count in sorted(players.items()):
        boards = range(1, min(count // 2, MAX_TABLE - first) + 1)
        yield from (TableAssignment(division, board, first + board) for board in boards)
        first += len(boards)


_DIVISION: Final = re.compile(r"division\s+(\S+)\s+(.*\S)", re.IGNORECASE)
_BEGIN: Final = re.compile(r"#begin_file\b.*?\bname=(?:'([^']+)'|\"([^\"]+)\"|(\S+))", re.IGNORECASE)
_COMMENT: Final = re.compile(r"([^;]*?\S\s+[0-9][0-9.+]*\s*|[^;]*;[^;#]*)(#.*)")
_COMMENT_APART: Final = re.compile(r"([^;]*?\S\s+[0-9][0-9.+]*\s*(?=#(?:\s|$))|[^;]*;[^;#]*)(#.*)")
_RATING: Final = re.compile(r"[0-9]+(?:[.+][0-9]+)*")
_OTHER_RATING: Final = re.compile(
    r"[^\w\s:#]?(?:[0-9]{3,}|[0-9],[0-9]{3})\S*|[-\u2013\u2014?*]+|\W?(?:n/a|nc|nr|unr|unrated)\W?", re.IGNORECASE
)
"""What other programs write for a rating. TSH would take it for the end of the name, and the first opponent for the rating."""
TFile: TypeAlias = tuple[str, str, int]
"""A ``.t`` file: name, text, and how many lines of an archive are in front of it."""


def is_archive(text: str) -> bool:
    """Return whether a text is TSH's archive, a configuration that holds its ``.t`` files."""
    return any(re.match(r"#\s*tsh archive file|#begin_file\b", words.strip(), re.IGNORECASE) for words in lines_of(text))


def other_kind(text: str) -> tuple[int, str, str, str] | None:
    """Return what a list of players is in truth, by its first line: the line, what was expected and found, and what to do; None: it may be one."""
    lines = ((line, words.strip()) for line, words in enumerate(lines_of(text), 1))
    line, first = next(((line, words) for line, words in lines if words and not words.startswith("#")), (1, ""))
    if re.match(r"\*M\s?[0-9]{1,2}\D[0-9]{1,2}\D[0-9]{2}", first):
        return (
            line,
            "players or pairings",
            "a report for ratings (TOU)",
            "Import the files that its program keeps: TSH's, tourney.js or CSV",
        )
    if setting_of(first, Spot("")) is not None or re.fullmatch(r"division\s+\S+\s+[^;]*\.t", first, re.IGNORECASE):
        return line, "players or pairings", "a configuration of TSH", "Call it config.tsh, and import it with its .t files"
    return None


def divisions_of(text: str) -> list[tuple[str, str]]:
    found = (_DIVISION.fullmatch(words) for _, words in _statements(text, Spot("")))
    return [(tsh_division(each[1]), each[2]) for each in found if each is not None]


def encodings_of(text: str, file: Spot) -> tuple[str, str]:
    """Return the codecs of a configuration and of the ``.t`` files beside it; empty: it says none. As in Perl, a later line replaces an earlier one."""
    own, last = "", dict[str, Setting]()
    for line, words in _statements(_unpacked(text, Spot(""))[0], Spot("")):
        if (found := re.fullmatch(r"encoding\s+(.*)", words, re.IGNORECASE)) is not None:
            own = _codec(found[1], found[1], file.on(line))
        elif (setting := setting_of(words, file.on(line))) is not None:
            last[setting.key] = setting
    if (beside := last.get("tfile_encoding")) is not None:
        return own, _codec(beside.text(), beside.said, beside.at)
    # Some realms have an encoding of their own.
    return own, {"pol": "utf-8", "thai": "cp874"}.get((last["realm"].text() or "").lower(), "") if "realm" in last else ""


def _codec(name: str | None, value: str, at: Spot) -> str:
    codec = "" if name == "" else codec_of(name or "")
    if codec is None:
        at.add("an encoding such as 'utf8', 'iso-8859-2' or 'windows-1250'", quoted(value), "Save the .t files as UTF-8, and write 'utf8'")
    return codec or ""


def read_config(text: str, of_division: Callable[[str], TFile | None], file: Spot) -> Event:
    """Return the event of a ``config.tsh`` or an archive. ``of_division`` returns the file beside it that a ``division`` line names."""
    text, inner = _unpacked(text, file)
    divisions: dict[str, TFile] = {}
    named: set[TFile] = set()
    settings: list[Setting] = []
    for line, words in _statements(text, file):
        at = file.on(line)
        if (found := _DIVISION.fullmatch(words)) is not None:
            division, within = division_of(tsh_division(found[1]), at), found_as(found[2], inner)
            own = of_division(found[2]) if within is None else inner.get(within)
            if own is None:
                at.add(Phrase("the file of division {division} beside {file}", division=division, file=file.file), *_absent(found[2]))
            elif division in divisions or own in named:
                at.add("each division and each file once", quoted(words), "Delete one of the lines")
            elif len(divisions) == MAX_DIVISIONS:
                at.add(Phrase("at most {most} divisions", most=MAX_DIVISIONS), "more")
                break
            else:
                divisions[division] = own
                named.add(own)
        elif (setting := setting_of(words, at)) is not None:
            settings.append(setting)
        elif not re.match(r"(?:encoding|begin|classes|autopair|prize)\b", words, re.IGNORECASE):
            at.add("a line of TSH, such as: division A a.t", quoted(words), "Correct it, or put # in front of it")
    if not divisions and not file.problems:
        file.add("at least one line such as: division A a.t", "none")
    for name, _, before in [each for each in inner.values() if each not in named]:
        file.on(before).pass_over(Phrase("no division names {file}, which is passed over", file=quoted(name)))
    parts = [read_division(each, text, replace(file, file=name), before) for each, (name, text, before) in divisions.items()]
    tables = assigned(settings, {each: len(part.players) for each, part in zip(divisions, parts, strict=True)}, file)
    return Event(tuple(chain(*(each.players for each in parts))), tuple(chain(*(each.pairings for each in parts))), tuple(tables))


def _absent(said: str) -> tuple[str, str]:
    if said.endswith(("/", "\\")):
        return Phrase(
            "the folder {folder} without the name of a file", folder=quoted(said)
        ), "Write the name of the file, and put it beside"
    return quoted(said), "Put it beside, with this name, and import both; or correct the name"


def _unpacked(text: str, file: Spot) -> tuple[str, Mapping[str, TFile]]:
    inner: dict[str, TFile] = {}
    outer: list[str] = []
    held: list[str] | None = None
    name, begun = "", 0
    for line, words in enumerate(lines_of(text), 1):
        found = _BEGIN.match(words.strip())
        if held is None and found is not None:
            name, begun, held = found[1] or found[2] or found[3], line, []
            if name in inner:
                file.on(begun).add(Phrase("one file {file}", file=name), "two", "Delete one of them")
        elif held is not None and re.match(r"#end_file\b", words.strip(), re.IGNORECASE):
            inner[name], held = (f"{file.file}/{name}", "\n".join(held), begun), None
        elif held is not None:
            held.append(words)
        outer.append(words if held is None else "")
    if held is not None:
        file.on(begun).add(Phrase("{line} after it", line=f"#end_file name={name}"), "none", "Save the archive again with TSH")
    return "\n".join(outer), inner


def read_division(division: str | None, text: str, file: Spot, before: int = 0) -> Event:
    """Return the players and pairings of a ``.t`` file; without ``division`` those of NASPA's text of results, whose lines ``#division A`` say it."""
    naspa, divisions = division is None, dict[str, dict[int, OwnList]]()
    for line, words in enumerate(lines_of(text), 1 + before):
        at = file.on(line)
        if naspa and (found := re.match(r"#\s*division\b([^#]*)", words.strip(), re.IGNORECASE)) is not None:
            division = division_of(found[1], at)
        elif words.strip() and not words.lstrip().startswith("#"):
            if division is None:
                at.add("first a line such as: #division A", "a player")
                break
            lists = divisions.setdefault(division, {})
            lists[len(lists) + 1] = _read_player(words, division, len(lists) + 1, at)
            if len(lists) > MAX_PLAYERS:
                at.add(Phrase("at most {most} players", most=MAX_PLAYERS), "more")
                break
    if not divisions and not file.problems:
        file.add("#division A, then one player a line" if naspa else "one player a line", "none")
    return event_of(divisions, (), file)


def _read_player(words: str, division: str, number: int, at: Spot) -> OwnList:
    head, scores, others = [*_without_comment(words, at).split(";", 2), "", ""][:3]
    extras = extras_of(others)
    before = len(at.problems)
    said, opponents = _head(head, at)
    own = own_list(at, (division, number), said, (opponents, scores.split()), extras)
    return own if len(at.problems) == before else replace(own, sound=False)


def _without_comment(words: str, at: Spot) -> str:
    """Return a line without the comment behind its rating, an opponent or a score, to the end of the line as in TSH's in-line comments.

    A name, as in ``Team 5 #2 1500``, and the extras may have a # of their own.
    """
    whole = words.partition(";")[0].rstrip()[-1:].isdigit()
    if (found := (_COMMENT_APART if whole else _COMMENT).match(words)) is None:
        return words
    if ";" in found[2]:
        at.pass_over(Phrase("the comment {comment} is passed over, to the end of the line", comment=quoted(found[2])))
    return found[1]


def _statements(text: str, file: Spot) -> Iterator[tuple[int, str]]:
    """Yield the lines that configure something. TSH runs one line of Perl; a block of several begins with a brace at the end of its line."""
    depth, begun = 0, 0
    for line, words in enumerate(lines_of(text), 1):
        clean = words.strip()
        # What Perl may change of what is read here.
        if (depth or re.match(r"perl\b", clean, re.IGNORECASE)) and re.search(
            r"tables?\b|table_method|tfile_encoding|realm|AddDivision", clean
        ):
            file.on(line).pass_over("this line of Perl is passed over: what the lines of TSH say of tables and divisions stands")
        braces = clean.count("{") - clean.count("}")
        if depth:
            depth = max(0, depth + braces)
        elif re.match(r"perl\b", clean, re.IGNORECASE):
            depth, begun = (max(0, braces), line) if clean.endswith("{") else (0, 0)
        elif clean and not clean.startswith("#"):
            yield line, clean
    if depth:
        file.on(begun).add("the brace that closes this block of Perl", "none", "Close the block, or delete it")


def _head(head: str, at: Spot) -> tuple[tuple[str, str], list[str]]:
    """Return name and rating, and the opponents: the name is as short as what follows allows."""
    words = head.split()
    end = len(words)
    while end > 1 and words[end - 1].isascii() and words[end - 1].isdigit():
        end -= 1
    first = words[end][:4] if end < len(words) else "1"
    other = 1 <= int(first) < 100 and end > 1 and _OTHER_RATING.fullmatch(words[end - 1]) is not None
    if other or (end > 1 and _RATING.fullmatch(words[end - 1])):
        end -= 1
    if not 1 <= end < len(words) or not (other or _RATING.fullmatch(words[end])):
        at.add("name, rating, opponents; scores", quoted(head) if words else "nothing", "")
        return ("?", ""), []
    return (" ".join(words[:end]), words[end]), words[end + 1 :]
