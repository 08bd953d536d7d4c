"""Forms: how the value of an event's field stands in the JSON of scripts and journals. ``events`` gives each field its form."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any, Final, NamedTuple

from game.exact_json import Malformed, short
from rules.duration import NS, format_seconds, parse_seconds
from rules.result import LEAST_SCORE, MOST_SCORE
from rules.rulebooks.model import WINDOW_NAMES
from rules.side import BySide, Side
from rules.tables import MAX_TABLE

EDITION: Final = 5
"""The edition of docs/spec/events.md that scripts and journals follow."""
WORDS_IN_EVENT: Final = 100
"""The most words a challenge can name: no play makes so many."""
MAX_POINTS: Final = 1000
LONGEST_REASON: Final = 200
"""Characters."""
MOST_BONUS_WORDS: Final = 9
SIDES: Final = {str(side) for side in Side}
SHORTEST_BREAK_NS: Final = 300 * NS
LONGEST_BREAK_NS: Final = 600 * NS
"""The break between rounds (2017 III.C)."""


def _same(value: Any) -> Any:
    return value


class Form(NamedTuple):
    expected: str
    kinds: tuple[type, ...]
    fits: Callable[[Any], bool] = lambda _: True
    """Returns whether a JSON value of these types is one."""
    read: Callable[[Any], Any] = _same
    write: Callable[[Any], Any] = _same
    """Returns the value of JSON for the event's; None: the key is left out."""
    remark: str = ""
    """On any other value."""

    def parse(self, value: Any) -> Any:
        """Return the event's value for ``value`` of JSON; raises ``Malformed`` or ``NotSeconds``."""
        # The exact type: True is no number.
        if type(value) not in self.kinds or not self.fits(value):
            raise Malformed(expected=self.expected, found=("none" if value is None else short(value)) + self.remark)
        return self.read(value)


def one_of(words: dict[str, Any]) -> Form:
    said = {value: word for word, value in words.items()}
    return Form(f"one of {', '.join(words)}", (str,), words.__contains__, words.__getitem__, said.get)


def member(kind: type[Enum]) -> Form:
    return one_of({each.value: each for each in kind})


def each_side(form: Form) -> Form:
    """Return the form of a pair of such values: an object with ``left`` and ``right``. None is left out."""

    def fits(pair: dict[str, Any]) -> bool:
        return pair.keys() == SIDES and all(type(value) in form.kinds and form.fits(value) for value in pair.values())

    def read(pair: dict[str, Any]) -> BySide[Any]:
        return BySide(form.read(pair[str(Side.LEFT)]), form.read(pair[str(Side.RIGHT)]))

    def write(pair: BySide[Any] | None) -> dict[str, Any] | None:
        return None if pair is None else {str(side): form.write(value) for side, value in pair.items()}

    return Form(f"left and right, each {form.expected}", (dict,), fits, read, write)


def _seconds(expected: str, fits: Callable[[Any], bool] = lambda _: True) -> Form:
    return Form(expected, (int, Decimal), fits, parse_seconds, _number)


def _number(ns: int | None) -> int | Decimal | None:
    """Return a number of seconds for JSON: an int where it is whole, else an exact decimal."""
    if ns is None:
        return None
    return Decimal(format_seconds(ns)) if ns % NS else ns // NS


def _is_whole(seconds: int | Decimal) -> bool:
    return seconds == int(seconds)


SIDE: Final = member(Side)
SIDE_OR_BOTH: Final = one_of({side.value: side for side in Side} | {"both": None})
WINDOW: Final = one_of({name: name for name in WINDOW_NAMES})
TEXT: Final = Form("a text", (str,))
REASON: Final = Form(
    f"one printable line of 1 to {LONGEST_REASON} characters", (str,), lambda text: text.isprintable() and 1 <= len(text) <= LONGEST_REASON
)
FLAG: Final = Form("true or false", (bool,))
SET_FLAG: Final = FLAG._replace(write=lambda flag: flag or None)
"""Left out where it is false."""
WHOLE: Final = Form("a whole number", (int,))
WORDS: Final = Form(f"a number of words from 1 to {WORDS_IN_EVENT}", (int,), lambda words: 1 <= words <= WORDS_IN_EVENT)
POINTS: Final = Form(f"a whole number from -{MAX_POINTS} to {MAX_POINTS}, not 0", (int,), lambda points: 1 <= abs(points) <= MAX_POINTS)
SCORES: Final = each_side(
    Form(f"a whole number from {LEAST_SCORE} to {MOST_SCORE}", (int,), lambda score: LEAST_SCORE <= score <= MOST_SCORE)
)
FINAL_SCORES: Final = each_side(WHOLE)
BONUS_WORDS: Final = each_side(Form(f"a whole number from 0 to {MOST_BONUS_WORDS}", (int,), lambda words: 0 <= words <= MOST_BONUS_WORDS))
BEFORE: Final = each_side(Form("a whole number of nanoseconds from 0 up", (int,), lambda ns: ns >= 0))
NAMES: Final = each_side(
    Form(f"a printable text of up to {LONGEST_REASON} characters", (str,), lambda name: name.isprintable() and len(name) <= LONGEST_REASON)
)
TABLE: Final = Form(f"a table from 1 to {MAX_TABLE}", (int,), lambda table: 1 <= table <= MAX_TABLE)
THIS_EDITION: Final = Form(str(EDITION), (int,), EDITION.__eq__, remark=": this file was written for another edition of the events")
SECONDS: Final = _seconds("a number of seconds")
ALLOWANCE: Final = _seconds("a number of seconds from 0 up", lambda seconds: seconds >= 0)
AGO: Final = _seconds("a whole number of seconds from 0 up", lambda seconds: seconds >= 0 and _is_whole(seconds))
OVERTIME: Final = _seconds("a whole number of seconds, 0 or below", lambda seconds: seconds <= 0 and _is_whole(seconds))._replace(
    write=lambda ns: _number(ns) or None
)
"""A reading of overtime, left out where it is 0."""
BREAK: Final = _seconds(
    "a whole number of seconds from 300 to 600",
    lambda seconds: SHORTEST_BREAK_NS <= seconds * NS <= LONGEST_BREAK_NS and _is_whole(seconds),
)
"""A break between rounds: the director may limit it to 5 minutes (2017 III.C)."""
