"""Forms: how the value of an event's field stands in the JSON of scripts and journals. ``events`` gives each field its form."""

from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any, Final, NamedTuple

from game.exact_json import Malformed, short
from rules.duration import NS, format_seconds, parse_seconds
from rules.side import BySide, Side

EDITION: Final = 5
"""The edition of docs/spec/events.md that scripts and journals follow."""
LONGEST_REASON: Final = 200
"""Characters."""
SHORTEST_BREAK_NS: Final = 300 * NS
LONGEST_BREAK_NS: Final = 600 * NS
"""The break between rounds (2017 III.C)."""


class Form(NamedTuple):
    expected: str
    kinds: tuple[type, ...]
    fits: Callable[[Any], bool] = lambda _: True
    """Returns whether a JSON value of these types is one."""
    read: Callable[[Any], Any] = lambda value: value
    write: Callable[[Any], Any] = lambda value: value
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
    return Form(
        f"left and right, each {form.expected}",
        (dict,),
        lambda pair: pair.keys() == {*map(str, Side)} and all(type(value) in form.kinds and form.fits(value) for value in pair.values()),
        lambda pair: BySide(form.read(pair[str(Side.LEFT)]), form.read(pair[str(Side.RIGHT)])),
        lambda pair: None if pair is None else {str(side): form.write(value) for side, value in pair.items()},
    )


def _number(ns: int | None) -> int | Decimal | None:
    if ns is None:
        return None
    return Decimal(format_seconds(ns)) if ns % NS else ns // NS


def whole(least: int, most: int, what: str = "a whole number") -> Form:
    return Form(f"{what} from {least} to {most}", (int,), lambda number: least <= number <= most)


def seconds(expected: str = "a number of seconds", fits: Callable[[Any], bool] = lambda _: True) -> Form:
    """Return the form of a number of seconds, which is ns in the event."""
    return Form(expected, (int, Decimal), fits, parse_seconds, _number)


SIDE: Final = member(Side)
REASON: Final = Form(
    f"one printable line of 1 to {LONGEST_REASON} characters", (str,), lambda text: text.isprintable() and 1 <= len(text) <= LONGEST_REASON
)
FLAG: Final = Form("true or false", (bool,))
SET_FLAG: Final = FLAG._replace(write=lambda flag: flag or None)
WHOLE: Final = Form("a whole number", (int,))
POINTS: Final = Form("a whole number from -1000 to 1000, not 0", (int,), lambda points: 1 <= abs(points) <= 1000)
BEFORE: Final = Form("a whole number of nanoseconds from 0 up", (int,), lambda ns: ns >= 0)
NAME: Final = Form(
    f"a printable text of up to {LONGEST_REASON} characters", (str,), lambda name: name.isprintable() and len(name) <= LONGEST_REASON
)
THIS_EDITION: Final = Form(str(EDITION), (int,), EDITION.__eq__, remark=": this file was written for another edition of the events")
ALLOWANCE: Final = seconds("a number of seconds from 0 up", lambda number: number >= 0)
AGO: Final = seconds("a whole number of seconds from 0 up", lambda number: number >= 0 and number == int(number))
OVERTIME: Final = seconds("a whole number of seconds, 0 or below", lambda number: number <= 0 and number == int(number))._replace(
    write=lambda ns: _number(ns) or None
)
BREAK: Final = seconds(
    "a whole number of seconds from 300 to 600",
    lambda number: SHORTEST_BREAK_NS <= number * NS <= LONGEST_BREAK_NS and number == int(number),
)
"""A break between rounds: the director may limit it to 5 minutes (2017 III.C)."""
