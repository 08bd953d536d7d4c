"""Events as JSON objects of the script format: parsing and formatting.

``_FORMS`` is the only definition of each event's keys and values. Scripts, exported journals and the journal's own rows all use it. ``by``, which
any event may carry, is not part of the event: ``parse_by`` reads it, and ``format_event`` writes it where it is not the usual one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, TypeAlias

from appliance.errors import TileclockError
from firmware.core import events
from firmware.core.events import By, When, usual_maker
from rules.duration import NS, NotSeconds, format_seconds, parse_seconds
from rules.rulebooks.model import WINDOW_NAMES, Rulebook
from rules.side import BySide, Side

WORDS_IN_EVENT: Final = 100
"""The most words a challenge can name: no play makes so many."""
EDITION: Final = 3
"""The edition of docs/spec/events.md that scripts and journals follow."""
MOST_POINTS: Final = 1000
"""The most points that one event gives or takes."""
LONGEST_REASON: Final = 200
"""Characters."""
Rulebooks: TypeAlias = Callable[[str], Rulebook]
"""Loads a rulebook by id or path."""


class Malformed(TileclockError, ValueError):
    """A line that does not match the format."""


@dataclass(frozen=True, slots=True)
class _Form:
    make: Callable[..., events.Event]
    required: Mapping[str, Callable[[Any], Any]]
    optional: Mapping[str, Callable[[Any], Any]]


def parse_event(fields: Mapping[str, Any], rulebooks: Rulebooks) -> events.Event:
    """Return the event described by ``fields`` (a line's keys without ``t``); ``by`` is left to ``parse_by``.

    Raises:
        Malformed: an event, key, word or type is unknown, or a key is missing.
    """
    do = fields.get("do")
    if do == "press" and len(fields) == 2 and isinstance(side := fields.get("side"), str) and side in _PRESSES:
        # Nine lines in ten are presses, so all share two frozen values.
        return _PRESSES[side]
    form = _FORMS.get(do) if isinstance(do, str) else None
    if form is None:
        raise Malformed(expected=f""""do" to be one of {", ".join(_FORMS)}""", found=_short(do))
    values: dict[str, Any] = {}
    for key, value in fields.items():
        if key not in ("do", "by"):
            read = form.required.get(key) or form.optional.get(key)
            if read is None:
                known = ", ".join([*form.required, *form.optional, "by"])
                raise Malformed(where=do, expected=f"the keys {known}", found=_short(key))
            values[key] = _read(do, key, value, read)
    if len(values) < len(form.required) or not form.required.keys() <= values.keys():
        missing = ", ".join(key for key in form.required if key not in values)
        raise Malformed(where=do, expected=missing, found="nothing")
    return form.make(rulebooks, **values) if form.make in _WITH_RULEBOOK else form.make(**values)


def parse_by(fields: Mapping[str, Any]) -> By | None:
    """Return who made the event described by ``fields``; None: the usual maker.

    Raises:
        Malformed: the value is unknown.
    """
    return By(_read(fields.get("do"), "by", fields["by"], _by)) if "by" in fields else None


def require_edition(fields: Mapping[str, Any]) -> None:
    """Require the key ``edition`` of a new game, as the journal's own rows have it.

    Raises:
        Malformed: it is missing, or another edition's.
    """
    if "edition" not in fields:
        raise Malformed(where="new_game: edition", expected=str(EDITION), found=_NOT_THIS_EDITION.format(found="none"))
    _read("new_game", "edition", fields["edition"], _edition)


def format_event(event: events.Event, by: By | None = None) -> dict[str, Any]:
    """Return the keys of a script line for ``event``, without ``t``; ``by`` (None: the usual maker) is written where it is not the usual one."""
    name, fields = _WORDS[type(event)](event)
    made_by = None if by is usual_maker(event) else by
    return {
        "do": name,
        **{key: value for key, value in fields.items() if value is not None},
        **({} if made_by is None else {"by": made_by.value}),
    }


def _read(do: Any, key: str, value: Any, read: Callable[[Any], Any]) -> Any:
    try:
        return read(value)
    except (Malformed, NotSeconds) as error:
        raise Malformed(where=f"{do}: {key}", expected=error.expected, found=error.found) from error


def _side(value: Any) -> Side:
    side = _SIDES.get(value) if isinstance(value, str) else None
    return Side(_one_of(value, *_SIDES)) if side is None else side


def _side_or_both(value: Any) -> Side | None:
    return None if _one_of(value, "left", "right", "both") == "both" else Side(value)


def _one_of(value: Any, *words: str) -> str:
    if value not in words or not isinstance(value, str):
        raise Malformed(expected=f"one of {', '.join(words)}", found=_short(value))
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Malformed(expected="a text", found=_short(value))
    return value


def _reason(value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable() or not 1 <= len(value) <= LONGEST_REASON:
        raise Malformed(expected=f"one printable line of 1 to {LONGEST_REASON} characters", found=_short(value))
    return value


def _by(value: Any) -> str:
    return _one_of(value, *(by.value for by in By))


def _edition(value: Any) -> int:
    if type(value) is not int or value != EDITION:
        raise Malformed(expected=str(EDITION), found=_NOT_THIS_EDITION.format(found=_short(value)))
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Malformed(expected="true or false", found=_short(value))
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise Malformed(expected="a whole number", found=_short(value))
    return value


def _words(value: Any) -> int:
    if not 1 <= _whole(value) <= WORDS_IN_EVENT:
        raise Malformed(expected=f"a number of words from 1 to {WORDS_IN_EVENT}", found=_short(value))
    return int(value)


def _points(value: Any) -> int:
    if not 1 <= abs(_whole(value)) <= MOST_POINTS:
        raise Malformed(expected=f"a whole number from -{MOST_POINTS} to {MOST_POINTS}, not 0", found=_short(value))
    return int(value)


def _reading(value: Any) -> int:
    if (ns := _duration(value)) > 0 or ns % NS:
        raise Malformed(expected="a whole number of seconds, 0 or below", found=_short(value))
    return ns


def _short(value: Any) -> str:
    """Return ``value`` for an error message, at most a line long."""
    try:
        text = repr(value)
    except ValueError:  # Python does not format integers of more than 4300 digits
        return "a number too long to show"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _duration(value: Any) -> int:
    if not isinstance(value, int | Decimal) or isinstance(value, bool):
        raise Malformed(expected="a number of seconds", found=_short(value))
    return parse_seconds(value)


def _allowance(value: Any) -> int:
    if (ns := _duration(value)) < 0:
        raise Malformed(expected="a number of seconds from 0 up", found=str(value))
    return ns


def _new_game(
    rulebooks: Rulebooks,
    rulebook: str,
    edition: int = EDITION,
    left_seconds: int | None = None,
    right_seconds: int | None = None,
) -> events.NewGame:
    return events.NewGame(rulebooks(rulebook), rulebook, BySide(left_seconds, right_seconds))


def _change_rulebook(rulebooks: Rulebooks, rulebook: str, reason: str) -> events.ChangeRulebook:
    return events.ChangeRulebook(rulebooks(rulebook), rulebook, reason)


_WITH_RULEBOOK: Final = (_new_game, _change_rulebook)
"""The makers that load a rulebook."""
_NOT_THIS_EDITION: Final = "{found}: this file was written for another edition of the events"


_SIDES: Final = {side.value: side for side in Side}
_PRESSES: Final = {side.value: events.Press(side) for side in Side}
_SIDE: Final = {"side": _side}
_REASON: Final = {"reason": _reason}

_FORMS: Final[dict[str, _Form]] = {
    "new_game": _Form(_new_game, {"rulebook": _text}, {"edition": _edition, "left_seconds": _allowance, "right_seconds": _allowance}),
    "press": _Form(events.Press, _SIDE, {}),
    "neutralise": _Form(events.Neutralise, {}, _REASON),
    "reason": _Form(events.Reason, _REASON, {}),
    "hold": _Form(events.Hold, {}, {}),
    "release": _Form(events.Release, {}, {}),
    "out_play": _Form(events.OutPlay, {}, {}),
    "challenge": _Form(events.Challenge, {}, _SIDE),
    "withdraw": _Form(events.Withdraw, {}, {}),
    "verdict": _Form(events.Verdict, {"acceptable": _flag}, {"words": _words}),
    "resume": _Form(events.Resume, _SIDE, {}),
    "decide": _Form(events.Decide, _SIDE, {}),
    "window": _Form(events.StartWindow, {"name": lambda value: _one_of(value, *WINDOW_NAMES)}, _SIDE),
    "end": _Form(events.End, _REASON, {"loser": _side}),
    "reopen": _Form(events.Reopen, _REASON, {}),
    "late_start": _Form(events.LateStart, {"side": _side_or_both}, {}),
    "arrive": _Form(events.Arrive, _SIDE, {}),
    "adjust": _Form(
        lambda side, seconds, when, reason: events.Adjust(side, seconds, When(when), reason),
        {"side": _side, "seconds": _duration, "when": lambda value: _one_of(value, "now", "end"), **_REASON},
        {},
    ),
    "erase_overtime": _Form(
        lambda side, reason, to_seconds=0: events.EraseOvertime(side, reason, to_seconds), {**_SIDE, **_REASON}, {"to_seconds": _reading}
    ),
    "points": _Form(events.Points, {**_SIDE, "points": _points, **_REASON}, {}),
    "rulebook": _Form(_change_rulebook, {"rulebook": _text, **_REASON}, {}),
    "swap": _Form(events.Swap, _REASON, {}),
    "infraction": _Form(events.Infraction, _SIDE, {}),
    "call": _Form(events.Call, {"on": _flag}, {}),
    "undo": _Form(events.Undo, _REASON, {"event": _whole}),
}


def _word(side: Side | None) -> str | None:
    return None if side is None else side.value


def _seconds(ns: int | None) -> int | Decimal | None:
    """Return a number of seconds for JSON: an int where it is whole, else an exact decimal."""
    if ns is None:
        return None
    return Decimal(format_seconds(ns)) if ns % NS else ns // NS


_WORDS: Final[dict[type, Callable[[Any], tuple[str, dict[str, Any]]]]] = {
    events.NewGame: lambda e: (
        "new_game",
        {
            "edition": EDITION,
            "rulebook": e.rulebook_ref,
            "left_seconds": _seconds(e.allowed.left),
            "right_seconds": _seconds(e.allowed.right),
        },
    ),
    events.Press: lambda e: ("press", {"side": e.side.value}),
    events.Neutralise: lambda e: ("neutralise", {"reason": e.reason}),
    events.Reason: lambda e: ("reason", {"reason": e.reason}),
    events.Hold: lambda e: ("hold", {}),
    events.Release: lambda e: ("release", {}),
    events.OutPlay: lambda e: ("out_play", {}),
    events.Challenge: lambda e: ("challenge", {"side": _word(e.side)}),
    events.Withdraw: lambda e: ("withdraw", {}),
    events.Verdict: lambda e: ("verdict", {"acceptable": e.acceptable, "words": e.words}),
    events.Resume: lambda e: ("resume", {"side": e.side.value}),
    events.Decide: lambda e: ("decide", {"side": e.side.value}),
    events.StartWindow: lambda e: ("window", {"name": e.name, "side": _word(e.side)}),
    events.End: lambda e: ("end", {"reason": e.reason, "loser": _word(e.loser)}),
    events.Reopen: lambda e: ("reopen", {"reason": e.reason}),
    events.LateStart: lambda e: ("late_start", {"side": "both" if e.side is None else e.side.value}),
    events.Arrive: lambda e: ("arrive", {"side": e.side.value}),
    events.Adjust: lambda e: (
        "adjust",
        {"side": e.side.value, "seconds": _seconds(e.ns), "when": e.when.value, "reason": e.reason},
    ),
    events.EraseOvertime: lambda e: (
        "erase_overtime",
        {"side": e.side.value, "reason": e.reason, "to_seconds": _seconds(e.to_ns) or None},
    ),
    events.Points: lambda e: ("points", {"side": e.side.value, "points": e.points, "reason": e.reason}),
    events.ChangeRulebook: lambda e: ("rulebook", {"rulebook": e.rulebook_ref, "reason": e.reason}),
    events.Swap: lambda e: ("swap", {"reason": e.reason}),
    events.Infraction: lambda e: ("infraction", {"side": e.side.value}),
    events.Call: lambda e: ("call", {"on": e.on}),
    events.Undo: lambda e: ("undo", {"reason": e.reason, "event": e.event}),
}
