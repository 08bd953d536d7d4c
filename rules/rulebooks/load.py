"""Loads rulebooks by id or path: finds the file, adds what it extends, checks it, and returns the values for the core.

No code depends on a rulebook's name, except for the default. A file that ``extends`` a shipped rulebook inherits every table, and each table of ``windows`` and
``minutes``, that it lacks. Its id, title and summary are always its own. A refusal says in words what values its key may have. ``check_rulebooks`` is the
self-test of those that a program's settings name, and of the shipped ones.
"""

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from msgspec import convert
from msgspec.structs import replace

from appliance.errors import Finding, counted, error_finding, ok
from faults.errors import Phrase, TileclockError, as_phrase
from faults.small_file import is_path, read_written, toml_in
from faults.validation import Fault, InvalidTable, either, faults_in, nearest, read_table, shown
from rules.duration import NS
from rules.rulebooks import schema
from rules.rulebooks.model import (
    MINUTE_NAMES,
    WINDOW_NAMES,
    ChallengeRule,
    HoldMaximum,
    Minute,
    OvertimeBand,
    OvertimeLimit,
    OvertimeRule,
    RestartRule,
    ResultRule,
    Rulebook,
    TurnLimit,
)
from rules.rulebooks.schema import NO_LIMIT, RulebookSource, reading_seconds, started_by, starts_clock

_LINE = "one line of text"
_POINTS = "a whole number of points from 0 to 1000"
_SECONDS = "a whole number of seconds from 1 to 86400"
_YES_NO = "true or false"
_PLAYERS_OR_DIRECTOR = either(("players", "director"))
_WHO_ENDS = either(("players", "director", "never"))
_SECONDS_A_TURN = "a whole number of seconds from 0 to 600"
_SECONDS_FROM_5 = "a whole number of seconds from 5 to 3600"
_ALLOWED = {
    "id": "lower-case letters, digits and hyphens, at most 64",
    "title": _LINE,
    "summary": _LINE,
    "extends": "the id of a shipped rulebook",
    "clause": "one line of text: the source of all values, or a table with that of each",
    "assumed": "the id of the shipped rulebook to follow, or a table with that of some values",
    "regulation.time": 'minutes and seconds like "25:00", from "0:01" to "999:59"',
    "limit.reading": '"0:00", a reading in overtime like "-10:01", or "none"',
    "forfeit.reading": 'a reading like "10:00" or "-0:01", but not "-0:00"',
    "regulation.increment_seconds": _SECONDS_A_TURN,
    "regulation.delay_seconds": _SECONDS_A_TURN,
    "turn.seconds": _SECONDS_FROM_5,
    "turn.warnings": "a list of seconds, each below the one before",
    "start.first_clock": either(("tile_seen", "tile_taken", "tile_racked")),
    "start.tile_draw": _YES_NO,
    "limit.margin": "a whole number of points from 1 to 1000",
    "late.may_forfeit_below": 'minutes and seconds like "15:00", from "0:01" to "999:59"',
    "windows.counts_from": either(("hold", "press")),
    "own_rack": _YES_NO,
    "score_announced": _YES_NO,
    "overtime.count": either(("begun", "completed")),
    "overtime.bands": "a list of tables with from_seconds, points, period_seconds",
    "overtime.from_seconds": "a whole number of seconds from 0 to 86400",
    "overtime.cap": 'a whole number of points from 0 to 10000, or "none"',
    "limit.charge": either(("instead", "beside", "none")),
    "forfeit.minutes_late": "a whole number of minutes from 1 to 120",
    "late.starts": _PLAYERS_OR_DIRECTOR,
    "late.both_absent": either(("owed", "left", "halved")),
    "hold.maximum_seconds": _SECONDS_FROM_5,
    "hold.at_maximum": either(("say", "release")),
    "end.six_zeros": _WHO_ENDS,
    "six_zeros.turns": "a whole number of zeros from 2 to 12",
    "end.resignation": _WHO_ENDS,
    "result.forfeit_spread": _POINTS,
    "result.forfeit_score": either(("none", "average")),
    "result.leaving_margin": 'a whole number of points from 0 to 1000, or "forfeit"',
    "result.bonus_words": _YES_NO,
    "windows.by": _PLAYERS_OR_DIRECTOR,
    "minutes.by": _PLAYERS_OR_DIRECTOR,
    "zero_reading_free": _YES_NO,
    "limit.recount": _YES_NO,
    "wins_by_one": _YES_NO,
    "starts_clock": _YES_NO,
    "here": _YES_NO,
    "off_centre_comes_off": _YES_NO,
    "points_are": either(("given", "taken")),
    "points_a_challenge": _POINTS,
    "points": _POINTS,
    "penalty": _POINTS,
    "points_a_word": _POINTS,
    "period_seconds": _SECONDS,
    "seconds": _SECONDS,
    "a_minute": "a whole number of infractions from 1 to 100",
    "ends_game": _YES_NO,
    "starts_itself": _YES_NO,
    "acceptable_loses_turn": _YES_NO,
    "allowed": _YES_NO,
    "at_zero_score": _YES_NO,
    "seated": _YES_NO,
    "uncovered": _YES_NO,
    "blank_erased": _YES_NO,
    "tile_seen": _YES_NO,
    "delay": _YES_NO,
    "by": either(("judges", "director", "appeal")),
    "minutes": Phrase("a table with {keys}", keys=", ".join(MINUTE_NAMES)),
    "windows": Phrase("a table with {keys}", keys=", ".join(WINDOW_NAMES)),
}
_OF_EACH = {"clause": "one line of text: the value's source", "assumed": "the id of the shipped rulebook to follow"}
"""What a table of the values' clauses, and one of what they are assumed from, has for each value."""


def allowed(path: Sequence[str]) -> str | None:
    """Return the allowed values at a key path; None for a table."""
    if not path:
        return None
    if len(path) > 1 and path[-2] in _OF_EACH:
        return _OF_EACH[path[-2]]
    # The name of a window, a minute or a band stands between, and does not matter.
    return _ALLOWED.get(f"{path[0]}.{path[-1]}") or _ALLOWED.get(path[-1])


DEFAULT_RULEBOOK: Final = "naspa-2017"

_SUFFIX = ".toml"
_FILE: Final = "a rulebook's file"
_OWN = ("id", "title", "summary")
_OF_TABLES = ("windows", "minutes")
_OPEN = ""


class RulebookError(TileclockError, ValueError):
    """A rulebook is unknown, cannot be read, or holds what a rulebook must not: the message names file, key, value and what is allowed."""


def load_rulebook(id_or_path: str) -> Rulebook:
    """Return a shipped rulebook by id, or one from a file by path (it ends in ``.toml`` or contains a folder); raises ``RulebookError``."""
    return parse_rulebook(read_written(id_or_path, _FILE, RulebookError), id_or_path) if is_path(id_or_path) else _shipped(id_or_path)


def parse_rulebook(content: bytes, name: str) -> Rulebook:
    """Return the rulebook in a file's ``content``, with its text; ``name`` is the file's name in a ``RulebookError``."""
    source = _checked(name, toml_in(name, content, RulebookError))
    return replace(_values(source), text=content.decode())


def check_file(path: str) -> tuple[RulebookError, ...]:
    """Return every fault of the rulebook's file at ``path``, with the line of its key, or of the table that lacks or inherits it."""
    content = read_written(path, _FILE, RulebookError)
    try:
        _checked(path, toml_in(path, content, RulebookError))
    except RulebookError as error:
        if not isinstance(error.__cause__, InvalidTable):
            return (error,)
        lines = _lines(content.decode())
        numbered = ((_line(lines, fault.key), fault) for fault in error.__cause__.faults)
        return tuple(_at_line(path, line, fault) for line, fault in sorted(numbered, key=lambda each: each[0]))
    return ()


def _at_line(path: str, line: int, fault: Fault) -> RulebookError:
    error = RulebookError(**fault.fields)
    error.locate(f"{path}:{line}")
    return error


def _line(lines: Mapping[str, int], key: str) -> int:
    while key and key not in lines:
        key = key.rpartition(".")[0]
    return lines.get(key, 1)


_TABLE = re.compile(r"\s*\[+([^\]]+)\]")
_KEY = re.compile(r"""\s*([\w.\-"' ]+?)\s*=""")
_NOT_OF_KEYS = str.maketrans("", "", "\"' \t")


def _lines(text: str) -> dict[str, int]:
    """Return the line of each table, key and table of a list; tomllib does not tell them."""
    lines: dict[str, int] = {}
    items: Counter[str] = Counter()
    table = key = ""
    for number, line in enumerate(text.split("\n"), 1):
        if header := _TABLE.match(line):
            table = key = header[1].translate(_NOT_OF_KEYS)
            if line.lstrip().startswith("[["):
                table = _item(key, items)
        elif pair := _KEY.match(line):
            key = f"{table}.{pair[1]}".translate(_NOT_OF_KEYS).removeprefix(".")
        elif not line.lstrip().startswith("{"):
            continue
        place = table if header else key if pair else _item(key, items)
        steps = place.split(".")
        for depth in range(1, len(steps) + 1):
            lines.setdefault(".".join(steps[:depth]), number)
    return lines


def _item(key: str, items: Counter[str]) -> str:
    items[key] += 1
    return f"{key}.{items[key] - 1}"


def load_source(id_or_path: str) -> RulebookSource:
    """Return a rulebook with the clause of every value, for ``explain``; raises as ``load_rulebook``."""
    return (
        _checked(id_or_path, toml_in(id_or_path, read_written(id_or_path, _FILE, RulebookError), RulebookError))
        if is_path(id_or_path)
        else _shipped_source(id_or_path)
    )


@functools.cache
def shipped_ids() -> tuple[str, ...]:
    """Return the ids of the shipped rulebooks: the default first, then by name."""
    files = (file.name for file in Path(__file__).parent.iterdir())
    ids = (name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX))
    return tuple(sorted(ids, key=lambda each: (each != DEFAULT_RULEBOOK, each)))


@functools.cache
def _shipped(rulebook_id: str) -> Rulebook:
    return _values(_shipped_source(rulebook_id))


@functools.cache
def _shipped_source(rulebook_id: str) -> RulebookSource:
    if rulebook_id not in shipped_ids():
        known = ", ".join(shipped_ids())
        raise RulebookError(
            expected=Phrase("a rulebook ({known}) or the path of a {suffix} file", known=known, suffix=_SUFFIX),
            found=shown(rulebook_id),
            remedy=nearest(rulebook_id, shipped_ids()) or "Choose one of these",
        )
    return _checked(f"{rulebook_id}{_SUFFIX}", _shipped_content(rulebook_id))


@functools.cache
def _shipped_content(rulebook_id: str) -> dict[str, Any]:
    file = f"{rulebook_id}{_SUFFIX}"
    return toml_in(file, (Path(__file__).parent / file).read_bytes(), RulebookError)


def _checked(file: str, own: dict[str, Any]) -> RulebookSource:
    try:
        return _read_whole(_filled_in(own))
    except InvalidTable as invalid:
        raise invalid.first(RulebookError, file) from invalid


def _read_whole(content: dict[str, Any]) -> RulebookSource:
    try:
        source = read_table(content, RulebookSource, allowed)
    except InvalidTable as invalid:
        raise InvalidTable((*invalid.faults, *_cited_wrongly(content, invalid.faults))) from None
    if wrong := tuple(_cited_wrongly(content)):
        raise InvalidTable(wrong)
    return source


def _filled_in(own: dict[str, Any]) -> dict[str, Any]:
    if "extends" not in own:
        return own
    if unknown := tuple(_unknown_ids([("extends", own["extends"])])):
        faults = (*unknown, *_faults_without_base(own))
        raise InvalidTable((*faults, *_cited_wrongly(own, faults)))
    base = {key: value for key, value in _filled_in(_shipped_content(own["extends"])).items() if key not in _OWN}
    whole = {**base, **own}
    for key in _OF_TABLES:
        if isinstance(own.get(key), dict):
            whole[key] = {**base.get(key, {}), **own[key]}
    return whole


def _faults_without_base(own: dict[str, Any]) -> Iterator[Fault]:
    """Yield the faults that a file has whatever it extends: what it lacks is none."""
    # An unknown name leaves open what is missing, as the base does.
    content = {**own, _OPEN: None, "extends": DEFAULT_RULEBOOK}
    content |= {key: {**own[key], _OPEN: None} for key in _OF_TABLES if isinstance(own.get(key), dict)}
    for fault in faults_in(content, RulebookSource, allowed):
        *tables, name = fault.key.split(".")
        if name != _OPEN and (fault.fields["found"] != "nothing" or tables or name in _OWN):
            yield fault


def _cited_wrongly(content: Mapping[str, Any], faults: Iterable[Fault] = ()) -> Iterator[Fault]:
    """Yield the faults of clauses and assumptions that the types do not show, where there is none of ``faults``."""
    inner = {f"{key}.{name}": table for key in _OF_TABLES if isinstance(content.get(key), dict) for name, table in content[key].items()}
    at_fault = tuple(fault.key for fault in faults)
    for key, table in {**content, **inner}.items():
        if not isinstance(table, dict) or key in _OF_TABLES:
            continue
        found = tuple(_unknown_ids(_assumed(key, table)))
        # A key that is misspelt is a value without a clause too.
        if not any(f"{fault}.".startswith(f"{key}.") for fault in at_fault):
            found = (*_faults_of_clauses(key, table), *found)
        yield from (fault for fault in found if fault.key not in at_fault)


def _assumed(key: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    assumed = table.get("assumed")
    if isinstance(assumed, dict):
        yield from ((f"{key}.assumed.{name}", rulebook_id) for name, rulebook_id in assumed.items())
    elif assumed is not None:
        yield f"{key}.assumed", assumed


def _faults_of_clauses(key: str, table: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield where a value has no clause in a table of clauses, and where a clause or an assumption is of no value."""
    values = [name for name in table if name not in _OF_EACH]
    clauses, assumed = table["clause"], table.get("assumed")
    if isinstance(clauses, dict):
        lacking = (f"{key}.clause.{name}" for name in values if name not in clauses)
        yield from (_fault(place, _OF_EACH["clause"], "nothing", "Add it") for place in lacking)
    if isinstance(assumed, dict) and not (assumed and isinstance(clauses, dict)):
        yield _fault(f"{key}.assumed", "some of the values, beside a clause for each", shown(assumed), "Correct it")
        return
    for where in _OF_EACH:
        named = table.get(where)
        for name in named if isinstance(named, dict) else ():
            if name not in values:
                expected = Phrase("one of the keys {keys}", keys=", ".join(values))
                yield _fault(f"{key}.{where}.{name}", expected, shown(name), nearest(name, values) or "Remove it", f"{key}.{where}")


def _unknown_ids(references: Iterable[tuple[str, Any]]) -> Iterator[Fault]:
    expected = Phrase("the id of a shipped rulebook ({known})", known=", ".join(shipped_ids()))
    for key, rulebook_id in references:
        if rulebook_id not in shipped_ids():
            remedy = (nearest(rulebook_id, shipped_ids()) if isinstance(rulebook_id, str) else "") or "Choose one of these"
            yield _fault(key, expected, shown(rulebook_id), remedy)


def _fault(key: str, expected: str, found: str, remedy: str, where: str | None = None) -> Fault:
    return Fault(key, {"where": where or key, "expected": expected, "found": found, "remedy": remedy})


def _values(source: RulebookSource) -> Rulebook:
    regulation, end, late, hold = source.regulation, source.end or schema.DEFAULT_END, source.late or schema.DEFAULT_LATE, source.hold
    return Rulebook(
        id=source.id,
        title=as_phrase(source.title),
        regulation_ns=reading_seconds(regulation.time) * NS,
        increment_ns=regulation.increment_seconds * NS,
        delay_ns=regulation.delay_seconds * NS,
        turn=None if source.turn is None else TurnLimit(source.turn.seconds * NS, tuple(each * NS for each in source.turn.warnings)),
        turns=None if source.turns is None else source.turns.most,
        overtime=_overtime(source),
        limit=_limit(source.limit),
        forfeit_remaining_s=0 if source.forfeit.reading is None else reading_seconds(source.forfeit.reading),
        forfeit_late_ns=None if source.forfeit.minutes_late is None else source.forfeit.minutes_late * 60 * NS,
        late_started_by=late.starts,
        both_absent=late.both_absent,
        late_forfeits_below_ns=None if late.may_forfeit_below is None else reading_seconds(late.may_forfeit_below) * NS,
        hold_maximum=None if hold is None else HoldMaximum(hold.maximum_seconds * NS, releases=hold.at_maximum == "release"),
        draw_from_press="courtesy_draw" in source.windows and source.windows["courtesy_draw"].counts_from == "press",
        out_play_ends_game=source.out_play.ends_game,
        recount_starts_itself=source.recount is not None and source.recount.starts_itself,
        infractions_a_minute=None if source.infractions is None else source.infractions.a_minute,
        minutes=MappingProxyType({name: Minute(minute.seconds * NS, minute.by) for name, minute in source.minutes.items()}),
        six_zeros_by=end.six_zeros,
        zeros_in_a_row=6 if source.six_zeros is None else source.six_zeros.turns,
        six_zeros_at_zero_score=source.six_zeros is None or source.six_zeros.at_zero_score,
        resignation_by=end.resignation,
        challenge=_challenge(source),
        second_opinion_here=source.second_opinion is not None and source.second_opinion.here,
        first_word_off_centre=source.first_word is not None and source.first_word.off_centre_comes_off,
        result=_result(source.result or schema.DEFAULT_RESULT),
        windows=MappingProxyType({name: window.seconds * NS for name, window in source.windows.items()}),
        directors_windows=frozenset(name for name, window in source.windows.items() if started_by(name, window) == "director"),
        clock_windows=frozenset(name for name, window in source.windows.items() if starts_clock(name, window)),
    )


def _overtime(source: RulebookSource) -> OvertimeRule:
    overtime = source.overtime
    bands = overtime.bands
    if overtime.points is not None and overtime.period_seconds is not None:
        bands = [OvertimeBand(0, overtime.points, overtime.period_seconds)]
    return OvertimeRule(
        bands=tuple(bands),
        counts_completed=overtime.count == "completed",
        cap=None if overtime.cap == NO_LIMIT else overtime.cap,
        zero_reading_free=source.grace is None or source.grace.zero_reading_free,
    )


def _limit(limit: schema.Limit) -> OvertimeLimit | None:
    if limit.reading == NO_LIMIT:
        return None
    return OvertimeLimit(
        reading_s=reading_seconds(limit.reading),
        penalty=limit.penalty or 0,
        charge=limit.charge,
        recount=limit.recount,
        wins_by=limit.margin or int(limit.wins_by_one),
        does=limit.does,
    )


def _challenge(source: RulebookSource) -> ChallengeRule:
    return ChallengeRule(
        acceptable_loses_turn=source.challenge.acceptable_loses_turn,
        points_a_word=source.challenge.points_a_word,
        may_withdraw=source.withdrawal.allowed,
        may_concede=source.concession is not None and source.concession.allowed,
        review=None if source.review is None else source.review.by,
        restart=None if source.restart is None else convert(source.restart, RestartRule, from_attributes=True),
        points_a_challenge=source.challenge.points_a_challenge,
        points_are=source.challenge.points_are,
    )


def _result(table: schema.ResultTable) -> ResultRule:
    leaving = None if table.leaving_margin == "forfeit" else table.leaving_margin
    return ResultRule(table.forfeit_spread, table.forfeit_score, leaving, table.bonus_words)


def check_rulebooks(chosen: str, own: Sequence[str]) -> Iterator[Finding]:
    """Yield each unusable rulebook of the settings' own (an id or a file) and the user's, or one line for all."""
    bad = False
    for name in dict.fromkeys((chosen, *shipped_ids(), *own)):
        try:
            load_rulebook(name)
        except RulebookError as error:
            bad = True
            remedy = (
                "Correct the file at that place, or name another rulebook in the settings; `tileclock rulebooks` lists the shipped ones"
            )
            yield error_finding(Phrase("rulebook {name}", name=name), error, remedy)
    if not bad:
        title, from_files = load_source(chosen).title, counted(len(own), "own", "own")
        found = Phrase("{count} shipped, {own}; the settings name {title}", count=len(shipped_ids()), own=from_files, title=title)
        yield ok("rulebooks", found)
