"""The values of an event's keys: each reader checks one value of JSON and returns what the event stores.

Every reader takes the value as ``json`` gives it and raises ``Malformed`` where it does not match; ``event_table`` adds the event and the key.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from game.events import By
from game.exact_json import Malformed, short
from rules.duration import NS, parse_seconds
from rules.side import Side

WORDS_IN_EVENT: Final = 100
"""The most words a challenge can name: no play makes so many."""
MAX_POINTS: Final = 1000
"""The most points that one event gives or takes."""
LONGEST_REASON: Final = 200
"""Characters."""
SHORTEST_BREAK_NS: Final = 300 * NS
LONGEST_BREAK_NS: Final = 600 * NS
"""The break between rounds (2017 III.C)."""
_SIDES: Final = {side.value: side for side in Side}


def side(value: Any) -> Side:
    found = _SIDES.get(value) if isinstance(value, str) else None
    return Side(one_of(value, *_SIDES)) if found is None else found


def side_or_both(value: Any) -> Side | None:
    """Return the side of the table; None: both."""
    return None if one_of(value, *_SIDES, "both") == "both" else Side(value)


def one_of(value: Any, *words: str) -> str:
    """Return one of ``words``."""
    if value not in words or not isinstance(value, str):
        raise Malformed(expected=f"one of {', '.join(words)}", found=short(value))
    return value


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise Malformed(expected="a text", found=short(value))
    return value


def reason(value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable() or not 1 <= len(value) <= LONGEST_REASON:
        raise Malformed(expected=f"one printable line of 1 to {LONGEST_REASON} characters", found=short(value))
    return value


def by(value: Any) -> str:
    """Return the word for who made the event."""
    return one_of(value, *(each.value for each in By))


def flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Malformed(expected="true or false", found=short(value))
    return value


def whole(value: Any) -> int:
    """Return a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed(expected="a whole number", found=short(value))
    return value


def words(value: Any) -> int:
    if not 1 <= whole(value) <= WORDS_IN_EVENT:
        raise Malformed(expected=f"a number of words from 1 to {WORDS_IN_EVENT}", found=short(value))
    return int(value)


def points(value: Any) -> int:
    """Return the points that an event gives, or takes where they are below 0."""
    if not 1 <= abs(whole(value)) <= MAX_POINTS:
        raise Malformed(expected=f"a whole number from -{MAX_POINTS} to {MAX_POINTS}, not 0", found=short(value))
    return int(value)


def duration(value: Any) -> int:
    """Return the ns of a number of seconds; raises ``NotSeconds`` if it is finer than a nanosecond, or too large."""
    if not isinstance(value, int | Decimal) or isinstance(value, bool):
        raise Malformed(expected="a number of seconds", found=short(value))
    return parse_seconds(value)


def allowance(value: Any) -> int:
    """Return the ns of a side's time."""
    if (ns := duration(value)) < 0:
        raise Malformed(expected="a number of seconds from 0 up", found=str(value))
    return ns


def overtime(value: Any) -> int:
    """Return the ns of a reading of overtime, which is 0 or below."""
    if (ns := duration(value)) > 0 or ns % NS:
        raise Malformed(expected="a whole number of seconds, 0 or below", found=short(value))
    return ns


def ago(value: Any) -> int:
    """Return the ns of a whole number of seconds before the event."""
    if (ns := duration(value)) < 0 or ns % NS:
        raise Malformed(expected="a whole number of seconds from 0 up", found=short(value))
    return ns


def length_of_break(value: Any) -> int:
    """Return the ns of a break between rounds: the director may limit it to 5 minutes (2017 III.C)."""
    if (ns := duration(value)) % NS or not SHORTEST_BREAK_NS <= ns <= LONGEST_BREAK_NS:
        raise Malformed(expected="a whole number of seconds from 300 to 600", found=short(value))
    return ns
