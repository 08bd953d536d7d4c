"""Which column of an organiser's table means what. ``columns.toml`` is the one list of headings, for reading and for the docs."""

from __future__ import annotations

import tomllib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from importlib import resources
from itertools import chain, islice
from typing import Final

from hall.event.problems import quoted

HEADINGS: Final[Mapping[str, list[str]]] = tomllib.loads(resources.files(__package__).joinpath("columns.toml").read_text("utf-8"))
"""The headings of each field, the plain name first."""
_MOST_NEAREST: Final = 5
"""Comparing takes time: the first ones of a table suffice to see what is wrong with it."""
_NEAR: Final = 0.75


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


def passed_over(row: Sequence[str], keys: Sequence[str], found: Mapping[str, int], fields: Iterable[str]) -> str:
    """Return what a director has to know of the columns that are not read, in a clause; empty: all are read."""
    others = [at for at, key in enumerate(keys) if key and at not in found.values()]
    instead: dict[str, list[str]] = defaultdict(list)
    for at in others:
        for field in [each for each in found if keys[at] in _KEYS[each]][:1]:
            instead[field].append(row[at])
    said = [f"the columns {quoted(', '.join(row[at].strip() for at in others))} are passed over"] if others else []
    said += [f"of {quoted(', '.join([row[found[field]], *more]))} the first one is taken" for field, more in instead.items()]
    said += [f"{quoted(heading)} is nearest to {quoted(near)}" for heading, near in _nearest(row, keys, others, set(fields) - set(found))]
    return "; ".join(said)


def remedy_for(row: Sequence[str], keys: Sequence[str]) -> str:
    """Return what may make a table's columns known."""
    near = [f"{quoted(said)} for {quoted(heading)}" for heading, said in _nearest(row, keys, range(len(row)), HEADINGS)]
    return f"Write {', '.join(near)} in the first line" if near else "Name the columns in the first line"


def _nearest(row: Sequence[str], keys: Sequence[str], places: Iterable[int], fields: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Yield headings that fit nothing, each with the nearest one of ``fields``."""
    spelt = {key: heading for field in fields for key, heading in zip(_KEYS[field], HEADINGS[field], strict=True)}
    # Of a heading that stands once for both players no one can say whose column it is.
    unknown = (at for at in places if keys[at] and keys[at] not in _KNOWN and f"{keys[at]}1" not in _KNOWN)
    for at in islice(unknown, _MOST_NEAREST):
        for near in get_close_matches(keys[at], spelt, 1, _NEAR):
            yield row[at].strip(), spelt[near]
