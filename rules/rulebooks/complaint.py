"""What is wrong with a rulebook's file, as one sentence: file, key, value found, what is allowed."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rules.rulebooks.model import WINDOW_NAMES
from rules.rulebooks.schema import (
    Challenge,
    Concession,
    Forfeit,
    Infractions,
    Limit,
    OutPlay,
    Overtime,
    Recount,
    Regulation,
    Restart,
    Review,
    RulebookSource,
    Window,
    Withdrawal,
)

_TABLES: dict[str, type[BaseModel]] = {
    "regulation": Regulation,
    "overtime": Overtime,
    "limit": Limit,
    "forfeit": Forfeit,
    "out_play": OutPlay,
    "recount": Recount,
    "infractions": Infractions,
    "challenge": Challenge,
    "withdrawal": Withdrawal,
    "concession": Concession,
    "review": Review,
    "restart": Restart,
}

_LINE = "one line of text"
_POINTS = "a whole number of points from 0 to 1000"
_SECONDS = "a whole number of seconds from 1 to 86400"
_YES_NO = "true or false"
_ALLOWED = {
    "id": "small letters, digits and hyphens, at most 64",
    "title": _LINE,
    "summary": _LINE,
    "extends": "the id of a shipped rulebook",
    "clause": f"{_LINE}: where the value comes from",
    "assumed": "the id of the shipped rulebook that is followed",
    "regulation.time": 'minutes and seconds like "25:00", from "0:01" to "999:59"',
    "limit.reading": 'a reading in overtime like "-10:01", or "none"',
    "forfeit.reading": '"0:00" or a reading in overtime like "-0:01"',
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
    "seated": _YES_NO,
    "uncovered": _YES_NO,
    "blank_erased": _YES_NO,
    "tile_seen": _YES_NO,
    "delay": _YES_NO,
    "by": '"judges" or "appeal"',
}


def complaint(file: str, invalid: ValidationError) -> str:
    """Return the sentence for the first fault in ``invalid``; an unknown key before a missing one, as a slip in a name gives both."""
    faults = invalid.errors(include_url=False)
    fault = next((each for each in faults if _is_unknown(each)), faults[0])
    steps = fault["loc"][:-1] if fault["type"] == "window_name" else fault["loc"]  # a fault in a name ends in pydantic's own "[key]"
    path = [str(step) for step in steps]
    if _is_unknown(fault):
        return f"{file}: {_unknown(path)}"
    if fault["type"] == "together":
        return f"{file}: {fault['msg']}."
    if fault["type"] == "missing":
        return f"{file}: the {_kind(path)} {'.'.join(path)} is missing; expected {_allowed(path)}."
    return f"{file}: {'.'.join(path) or 'the file'} is {shown(fault['input'])}; expected {_allowed(path)}."


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``; did you mean X?`` for the nearest of ``known``, or nothing where none is near."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {found[0]}?" if found else "."


def shown(value: Any) -> str:
    """Return ``value`` much as TOML writes it, cut to fit a sentence."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except ValueError:  # Python writes out no whole number of more than 4300 digits
        return "a number too long to show"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _is_unknown(fault: ErrorDetails) -> bool:
    return fault["type"] in {"extra_forbidden", "window_name"}


def _unknown(path: list[str]) -> str:
    known = _keys(path[:-1])
    where = f"in {'.'.join(path[:-1])}" if path[:-1] else "at the top"
    return f"unknown key {shown(path[-1])} {where}; allowed there: {', '.join(known)}{nearest(path[-1], known)}"


def _keys(table: list[str]) -> tuple[str, ...]:
    """Return the keys that may stand in ``table``."""
    if table == ["windows"]:
        return WINDOW_NAMES
    if table[:1] == ["windows"]:
        return tuple(Window.model_fields)
    model = _TABLES[table[0]] if table else RulebookSource
    return tuple(model.model_fields)


def _is_table(path: list[str]) -> bool:
    return path in ([], ["windows"]) or path[:-1] == ["windows"] or (len(path) == 1 and path[0] in _TABLES)


def _kind(path: list[str]) -> str:
    return "table" if _is_table(path) else "key"


def _allowed(path: list[str]) -> str:
    if _is_table(path):
        return f"a table with {', '.join(_keys(path))}"
    return _ALLOWED.get(".".join(path)) or _ALLOWED[path[-1]]
