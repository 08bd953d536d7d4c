"""TSH: ``config.tsh`` and the ``.t`` files that it names or holds; and NASPA's text of results, ``#division A`` and then the lines of a ``.t`` file.

Parsed, never run: ``perl`` lines are passed over, passwords are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Final, TypeAlias

from msgspec.structs import replace

from hall.event.lists import MAX_DIVISIONS, MAX_PLAYERS, OwnList, event_of, own_list
from hall.event.model import Event
from hall.event.parsing import codec_of, division_of, found_as, lines_of, tsh_division
from hall.event.problems import Spot, quoted
from hall.event.tsh_config import Setting, assigned, setting_of

_DIVISION: Final = re.compile(r"division\s+(\S+)\s+(.*\S)", re.IGNORECASE)
_OF_REALM: Final = {"pol": "utf-8", "thai": "cp874"}
"""The encoding of the ``.t`` files where a realm has one of its own."""
_DIVISION_LINE: Final = re.compile(r"division\s+\S+\s+[^;]*\.t", re.IGNORECASE)
_OF_RATINGS: Final = re.compile(r"\*M\s?[0-9]{1,2}\D[0-9]{1,2}\D[0-9]{2}")
_ENCODING: Final = re.compile(r"encoding\s+(.*)", re.IGNORECASE)
_OTHERS: Final = re.compile(r"(?:encoding|begin|classes|autopair|prize)\b", re.IGNORECASE)
_SETTING_PERL: Final = re.compile(r"tables?\b|table_method|tfile_encoding|realm|AddDivision")
"""What Perl may change of what is read here."""
_BEGIN: Final = re.compile(r"#begin_file\b.*?\bname=(?:'([^']+)'|\"([^\"]+)\"|(\S+))", re.IGNORECASE)
_END: Final = re.compile(r"#end_file\b", re.IGNORECASE)
_ARCHIVE: Final = re.compile(r"#\s*tsh archive file|#begin_file\b", re.IGNORECASE)
_OF_NASPA: Final = re.compile(r"#\s*division\b([^#]*)", re.IGNORECASE)
_COMMENT: Final = re.compile(r"([^;]*?\S\s+[0-9][0-9.+]*\s*|[^;]*;[^;#]*)(#.*)")
_COMMENT_APART: Final = re.compile(r"([^;]*?\S\s+[0-9][0-9.+]*\s*(?=#(?:\s|$))|[^;]*;[^;#]*)(#.*)")
_RATING: Final = re.compile(r"[0-9]{1,6}(?:[.+][0-9]{1,6})*")
_OTHER_RATING: Final = re.compile(
    r"[^\w\s:#]?(?:[0-9]{3,}|[0-9],[0-9]{3})\S*|[-\u2013\u2014?*]+|\W?(?:n/a|nc|nr|unr|unrated)\W?", re.IGNORECASE
)
"""What other programs write for a rating. TSH would take it for the end of the name, and the first opponent for the rating."""
_LOWEST_OF_TSH: Final = 100
_PART: Final = re.compile(r"(?:^|;)([^;\\]*(?:\\.[^;\\]*)*)")
_ESCAPED: Final = re.compile(r"\\(.)")
_SAVE: Final = "Save the .t files as UTF-8, and write 'utf8'"
TFile: TypeAlias = tuple[str, str, int]
"""A ``.t`` file: name, text, and how many lines of an archive are in front of it."""


def is_archive(text: str) -> bool:
    """Return whether a text is TSH's archive, a configuration that holds its ``.t`` files."""
    return any(_ARCHIVE.match(words.strip()) for words in lines_of(text))


def other_kind(text: str) -> tuple[int, str, str, str] | None:
    """Return what a list of players is in truth, by its first line: the line, what was expected and found, and what to do; None: it may be one."""
    lines = ((line, words.strip()) for line, words in enumerate(lines_of(text), 1))
    line, first = next(((line, words) for line, words in lines if words and not words.startswith("#")), (1, ""))
    if _OF_RATINGS.match(first):
        return (
            line,
            "players or pairings",
            "a report for ratings (TOU)",
            "Import the files that its program keeps: TSH's, tourney.js or CSV",
        )
    if setting_of(first, Spot("")) is not None or _DIVISION_LINE.fullmatch(first):
        return line, "players or pairings", "a configuration of TSH", "Call it config.tsh, and import it with its .t files"
    return None


def divisions_of(text: str) -> list[str]:
    """Return the files that a configuration names."""
    return [found[2] for _, words in _statements(text, Spot("")) if (found := _DIVISION.fullmatch(words)) is not None]


def encodings_of(text: str, file: Spot) -> tuple[str, str]:
    """Return the codecs of a configuration and of the ``.t`` files beside it; empty: it says none. As in Perl, a later line replaces an earlier one."""
    own, last = "", dict[str, Setting]()
    for line, words in _statements(_unpacked(text, Spot(""))[0], Spot("")):
        if (found := _ENCODING.fullmatch(words)) is not None:
            own = _codec(found[1], found[1], file.on(line))
        elif (setting := setting_of(words, file.on(line))) is not None:
            last[setting.key] = setting
    if (beside := last.get("tfile_encoding")) is not None:
        return own, _codec(beside.text(), beside.said, beside.at)
    return own, _OF_REALM.get((last["realm"].text() or "").lower(), "") if "realm" in last else ""


def _codec(name: str | None, value: str, at: Spot) -> str:
    codec = "" if name == "" else codec_of(name or "")
    if codec is None:
        at.add("an encoding such as 'utf8', 'iso-8859-2' or 'windows-1250'", quoted(value), _SAVE)
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
                at.add(f"the file of division {division} beside {file.file}", *_absent(found[2]))
            elif division in divisions or own in named:
                at.add("each division and each file once", quoted(words), "Delete one of the lines")
            elif len(divisions) == MAX_DIVISIONS:
                at.add(f"at most {MAX_DIVISIONS} divisions", "more")
                break
            else:
                divisions[division] = own
                named.add(own)
        elif (setting := setting_of(words, at)) is not None:
            settings.append(setting)
        elif not _OTHERS.match(words):
            at.add("a line of TSH, such as: division A a.t", quoted(words), "Correct it, or put # in front of it")
    if not divisions and not file.problems:
        file.add("at least one line such as: division A a.t", "none")
    for name, _, before in [each for each in inner.values() if each not in named]:
        file.on(before).pass_over(f"no division names {quoted(name)}, which is passed over")
    parts = [read_division(each, text, replace(file, file=name), before) for each, (name, text, before) in divisions.items()]
    tables = assigned(settings, {each: len(part.players) for each, part in zip(divisions, parts, strict=True)}, file)
    return Event(tuple(chain(*(each.players for each in parts))), tuple(chain(*(each.pairings for each in parts))), tuple(tables))


def _absent(said: str) -> tuple[str, str]:
    if said.endswith(("/", "\\")):
        return f"the folder {quoted(said)} without the name of a file", "Write the name of the file, and put it beside"
    return quoted(said), "Put it beside, with this name, and import both; or correct the name"


def _unpacked(text: str, file: Spot) -> tuple[str, Mapping[str, TFile]]:
    """Return the configuration of an archive, its lines where they were, and the files within."""
    inner: dict[str, TFile] = {}
    outer: list[str] = []
    held: list[str] | None = None
    name, begun = "", 0
    for line, words in enumerate(lines_of(text), 1):
        found = _BEGIN.match(words.strip())
        if held is None and found is not None:
            name, begun, held = found[1] or found[2] or found[3], line, []
            if name in inner:
                file.on(begun).add(f"one file {name}", "another", "Delete one of them")
        elif held is not None and _END.match(words.strip()):
            inner[name], held = (f"{name} in {file.file}", "\n".join(held), begun), None
        elif held is not None:
            held.append(words)
        outer.append(words if held is None else "")
    if held is not None:
        file.on(begun).add(f"#end_file name={name} after it", "none", "Save the archive again with TSH")
    return "\n".join(outer), inner


def read_division(division: str | None, text: str, file: Spot, before: int = 0) -> Event:
    """Return the players and pairings of a ``.t`` file; without ``division`` those of NASPA's text of results, whose lines ``#division A`` say it."""
    naspa, divisions = division is None, dict[str, dict[int, OwnList]]()
    for line, words in enumerate(lines_of(text), 1 + before):
        at = file.on(line)
        if naspa and (found := _OF_NASPA.match(words.strip())) is not None:
            division = division_of(found[1], at)
        elif words.strip() and not words.lstrip().startswith("#"):
            if division is None:
                at.add("first a line such as: #division A", "a player")
                break
            lists = divisions.setdefault(division, {})
            lists[len(lists) + 1] = _read_player(words, division, len(lists) + 1, at)
            if len(lists) > MAX_PLAYERS:
                at.add(f"at most {MAX_PLAYERS:,} players", "more")
                break
    if not divisions and not file.problems:
        file.add("#division A, then one player a line" if naspa else "one player a line", "none")
    return event_of(divisions, (), file)


def _read_player(words: str, division: str, number: int, at: Spot) -> OwnList:
    """Return the player of a line: name, rating, opponents; scores; extras."""
    head, scores, others = [*_without_comment(words, at).split(";", 2), "", ""][:3]
    extras = {key: values for key, *values in (each.split() or [""] for each in _parts(others))}
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
        at.pass_over(f"the comment {quoted(found[2])} is passed over, to the end of the line")
    return found[1]


def _statements(text: str, file: Spot) -> Iterator[tuple[int, str]]:
    """Yield the lines that configure something. TSH runs one line of Perl; a block of several begins with a brace at the end of its line."""
    depth, begun = 0, 0
    for line, words in enumerate(lines_of(text), 1):
        clean = words.strip()
        if (depth or re.match(r"perl\b", clean, re.IGNORECASE)) and _SETTING_PERL.search(clean):
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


def _parts(words: str) -> list[str]:
    """Return what the semicolons divide; a backslash takes the next character as it is."""
    return [_ESCAPED.sub(r"\1", each) for each in _PART.findall(words)]


def _head(head: str, at: Spot) -> tuple[tuple[str, str], list[str]]:
    """Return name and rating, and the opponents: the name is as short as what follows allows."""
    words = head.split()
    end = len(words)
    while end > 1 and words[end - 1].isascii() and words[end - 1].isdigit():
        end -= 1
    first = words[end][:4] if end < len(words) else "1"
    other = 1 <= int(first) < _LOWEST_OF_TSH and end > 1 and _OTHER_RATING.fullmatch(words[end - 1]) is not None
    if other or (end > 1 and _RATING.fullmatch(words[end - 1])):
        end -= 1
    if not 1 <= end < len(words) or not (other or _RATING.fullmatch(words[end])):
        at.add("name, rating, opponents; scores", quoted(head) if words else "nothing", "")
        return ("?", ""), []
    return (" ".join(words[:end]), words[end]), words[end + 1 :]
