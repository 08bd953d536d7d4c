"""Events as JSON objects of the script format: parsing and formatting.

``_FORMS`` is the only definition of each event's keys and of what reads their values. Scripts, exported journals and the journal's own rows all
use it. ``by``, which any event may carry, is not part of the event: ``parse_by`` reads it, and ``format_event`` writes it where it is not the
usual one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, TypeAlias

from game import event_values as read
from game import events
from game.event_values import Malformed
from game.events import By, When, usual_maker
from rules.duration import NS, NotSeconds, format_seconds
from rules.rulebooks.model import WINDOW_NAMES, Rulebook
from rules.side import BySide, Side

EDITION: Final = 4
"""The edition of docs/spec/events.md that scripts and journals follow."""
Rulebooks: TypeAlias = Callable[[str], Rulebook]
"""Loads a rulebook by id or path."""


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
        raise Malformed(expected=f""""do" to be one of {", ".join(_FORMS)}""", found=read.short(do))
    values: dict[str, Any] = {}
    for key, value in fields.items():
        if key not in ("do", "by"):
            reader = form.required.get(key) or form.optional.get(key)
            if reader is None:
                known = ", ".join([*form.required, *form.optional, "by"])
                raise Malformed(where=do, expected=f"the keys {known}", found=read.short(key))
            values[key] = _read(do, key, value, reader)
    if len(values) < len(form.required) or not form.required.keys() <= values.keys():
        missing = ", ".join(key for key in form.required if key not in values)
        raise Malformed(where=do, expected=missing, found="nothing")
    return form.make(rulebooks, **values) if form.make in _WITH_RULEBOOK else form.make(**values)


def parse_by(fields: Mapping[str, Any]) -> By | None:
    """Return who made the event described by ``fields``; None: the usual maker.

    Raises:
        Malformed: the value is unknown.
    """
    return By(_read(fields.get("do"), "by", fields["by"], read.by)) if "by" in fields else None


def require_edition(fields: Mapping[str, Any]) -> None:
    """Require the key ``edition`` of a new game, as the journal's own rows have it.

    Raises:
        Malformed: it is missing, or another edition's.
    """
    _read("new_game", "edition", fields.get("edition"), _edition)


def format_event(event: events.Event, by: By | None = None) -> dict[str, Any]:
    """Return the keys of a script line for ``event``, without ``t``; ``by`` (None: the usual maker) is written where it is not the usual one."""
    name, fields = _WORDS[type(event)](event)
    made_by = None if by is usual_maker(event) else by
    return {
        "do": name,
        **{key: value for key, value in fields.items() if value is not None},
        **({} if made_by is None else {"by": made_by.value}),
    }


def _read(do: Any, key: str, value: Any, reader: Callable[[Any], Any]) -> Any:
    try:
        return reader(value)
    except (Malformed, NotSeconds) as error:
        raise Malformed(where=f"{do}: {key}", expected=error.expected, found=error.found) from error


def _edition(value: Any) -> int:
    if type(value) is not int or value != EDITION:
        found = "none" if value is None else read.short(value)
        raise Malformed(expected=str(EDITION), found=f"{found}: this file was written for another edition of the events")
    return value


def _new_game(rulebooks: Rulebooks, rulebook: str, *, edition: int = EDITION, called: bool = False, **seconds: int) -> events.NewGame:
    allowed = BySide(seconds.get("left_seconds"), seconds.get("right_seconds"))
    return events.NewGame(rulebooks(rulebook), rulebook, allowed, called)


def _change_rulebook(rulebooks: Rulebooks, rulebook: str, reason: str) -> events.ChangeRulebook:
    return events.ChangeRulebook(rulebooks(rulebook), rulebook, reason)


_WITH_RULEBOOK: Final = (_new_game, _change_rulebook)
"""The makers that load a rulebook."""
_PRESSES: Final = {side.value: events.Press(side) for side in Side}
_SIDE: Final = {"side": read.side}
_REASON: Final = {"reason": read.reason}

_FORMS: Final[dict[str, _Form]] = {
    "new_game": _Form(
        _new_game,
        {"rulebook": read.text},
        {"edition": _edition, "left_seconds": read.allowance, "right_seconds": read.allowance, "called": read.flag},
    ),
    "press": _Form(events.Press, _SIDE, {}),
    "neutralise": _Form(events.Neutralise, {}, _REASON),
    "reason": _Form(events.Reason, _REASON, {}),
    "hold": _Form(events.Hold, {}, {}),
    "release": _Form(events.Release, {}, {}),
    "out_play": _Form(events.OutPlay, {}, {}),
    "not_out": _Form(events.NotOut, {}, {}),
    "challenge": _Form(events.Challenge, {}, _SIDE),
    "withdraw": _Form(events.Withdraw, {}, {}),
    "verdict": _Form(events.Verdict, {"acceptable": read.flag}, {"words": read.words}),
    "resume": _Form(events.Resume, _SIDE, {}),
    "decide": _Form(events.Decide, _SIDE, {}),
    "window": _Form(
        lambda name, side=None, ago=None, seconds=None: events.StartWindow(name, side, ago, seconds),
        {"name": lambda value: read.one_of(value, *WINDOW_NAMES)},
        {**_SIDE, "ago": read.ago, "seconds": read.length_of_break},
    ),
    "end": _Form(events.End, _REASON, {"loser": read.side}),
    "reopen": _Form(events.Reopen, _REASON, {}),
    "late_start": _Form(events.LateStart, {"side": read.side_or_both}, {}),
    "arrive": _Form(events.Arrive, _SIDE, {}),
    "adjust": _Form(
        lambda side, seconds, when, reason: events.Adjust(side, seconds, When(when), reason),
        {"side": read.side, "seconds": read.duration, "when": lambda value: read.one_of(value, "now", "end"), **_REASON},
        {},
    ),
    "erase_overtime": _Form(
        lambda side, reason, to_seconds=0: events.EraseOvertime(side, reason, to_seconds),
        {**_SIDE, **_REASON},
        {"to_seconds": read.overtime},
    ),
    "points": _Form(events.Points, {**_SIDE, "points": read.points, **_REASON}, {}),
    "rulebook": _Form(_change_rulebook, {"rulebook": read.text, **_REASON}, {}),
    "swap": _Form(events.Swap, _REASON, {}),
    "infraction": _Form(events.Infraction, _SIDE, {}),
    "call": _Form(events.Call, {"on": read.flag}, {}),
    "undo": _Form(events.Undo, _REASON, {"event": read.whole}),
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
            "called": e.called or None,
        },
    ),
    events.Press: lambda e: ("press", {"side": e.side.value}),
    events.Neutralise: lambda e: ("neutralise", {"reason": e.reason}),
    events.Reason: lambda e: ("reason", {"reason": e.reason}),
    events.Hold: lambda e: ("hold", {}),
    events.Release: lambda e: ("release", {}),
    events.OutPlay: lambda e: ("out_play", {}),
    events.NotOut: lambda e: ("not_out", {}),
    events.Challenge: lambda e: ("challenge", {"side": _word(e.side)}),
    events.Withdraw: lambda e: ("withdraw", {}),
    events.Verdict: lambda e: ("verdict", {"acceptable": e.acceptable, "words": e.words}),
    events.Resume: lambda e: ("resume", {"side": e.side.value}),
    events.Decide: lambda e: ("decide", {"side": e.side.value}),
    events.StartWindow: lambda e: (
        "window",
        {"name": e.name, "side": _word(e.side), "ago": _seconds(e.ago), "seconds": _seconds(e.length)},
    ),
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
