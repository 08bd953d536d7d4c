"""The events of a game in one table: how scripts and journals write each, where it is allowed, what it does, who makes it, whether an undo strikes it.

Scripts, journals, the record, the menus and their words read this table, and a test compares it with the one in docs/spec/events.md. To add an event,
add its class (``events``), its handler (``play`` or ``rulings``) and a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import Struct

from game import event_values as read
from game import events, play, rulings
from game.events import By, When
from game.exact_json import Malformed, short
from game.game import Game, Phase, advance, require_phase, settle
from rules.duration import NS, NotSeconds, format_seconds
from rules.rulebooks.model import WINDOW_NAMES, Rulebook
from rules.side import BySide, Side

EDITION: Final = 5
"""The edition of docs/spec/events.md that scripts and journals follow."""
Rulebooks: TypeAlias = Callable[[str], Rulebook]
"""Loads a rulebook by id or path."""
_ANY: Final = frozenset(Phase)


class Key(NamedTuple):
    """A key of an event in JSON."""

    read: Callable[[Any], Any]
    """Checks a value of JSON, and returns what the event stores."""
    write: Callable[[Any], Any]
    """Returns the event's value for JSON; None: the key is left out."""
    optional: bool = False
    field: str | None = None
    """The event's field, where it has another name than the key."""


class EventSpec(Struct, frozen=True):
    """All that is known of one kind of event. The menus call it ``menu.action.<name>``."""

    kind: type
    name: str
    handler: Callable[[Game, Any, int, By], Game]
    """Returns the game after the event at an instant in ns."""
    keys: Mapping[str, Key]
    phases: frozenset[Phase] = _ANY
    """The event is refused in all others; the handler may refuse it in these too."""
    maker: By = By.PLAYERS
    """Who makes it unless the event says otherwise."""
    undone: bool = False
    """An undo without a number strikes it; not the stop that called the director, nor the director's own changes."""
    shows_face: bool = False
    """It changes what is recorded of a game: its row in the journal has the face before and after."""
    make: Callable[..., events.Event] | None = None
    """Makes the event of a function that loads rulebooks and its keys' values; None: its fields are its keys' values."""


def apply(game: Game, event: events.GameEvent, at: int, by: By | None = None) -> Game:
    """Return the game after ``event`` at ``at`` (ns), including the timed transitions due at or before that instant.

    ``by``: who makes it; None: the usual maker. Raises ``EventNotAllowed``: the game does not allow the event in its present state, or not from ``by``.
    """
    return settle(carry_out(advance(game, at), event, at, by), at)


def carry_out(game: Game, event: events.GameEvent, at: int, by: By | None = None) -> Game:
    """Return the game after ``event`` at ``at`` (ns), without what time brings about. Raises ``EventNotAllowed``, as ``apply`` does."""
    spec = _BY_KIND[type(event)]
    require_phase(game, spec.phases)
    return spec.handler(game, event, at, by or spec.maker)


def usual_maker(event: events.Event) -> By:
    """Return who makes ``event`` unless it says otherwise."""
    return _BY_KIND[type(event)].maker


def parse_event(fields: Mapping[str, Any], rulebooks: Rulebooks) -> events.Event:
    """Return the event described by ``fields`` (a line's keys without ``t``); ``by``, which any event may carry, is left to ``parse_by``.

    Raises ``Malformed``: an event, key, word or type is unknown, or a key is missing.
    """
    do = fields.get("do")
    if do == "press" and len(fields) == 2 and isinstance(side := fields.get("side"), str) and side in _PRESSES:
        # Nine lines in ten are presses, so all share two frozen values.
        return _PRESSES[side]
    spec = BY_NAME.get(do) if isinstance(do, str) else None
    if spec is None:
        raise Malformed(expected=f""""do" to be one of {", ".join(BY_NAME)}""", found=short(do))
    values: dict[str, Any] = {}
    for name, value in fields.items():
        if name not in ("do", "by"):
            key = spec.keys.get(name)
            if key is None:
                raise Malformed(where=do, expected=f"the keys {', '.join([*_names(spec), 'by'])}", found=short(name))
            values[key.field or name] = _read(do, name, value, key.read)
    if missing := [name for name in _names(spec, optional=(False,)) if name not in fields]:
        raise Malformed(where=do, expected=", ".join(missing), found="nothing")
    made: events.Event = spec.kind(**values) if spec.make is None else spec.make(rulebooks, **values)
    return made


def parse_by(fields: Mapping[str, Any]) -> By | None:
    """Return who made the event described by ``fields``; None: the usual maker. Raises ``Malformed``."""
    return By(_read(fields.get("do"), "by", fields["by"], read.by)) if "by" in fields else None


def require_edition(fields: Mapping[str, Any]) -> None:
    """Require the key ``edition`` of a new game, as the journal's own rows have it; raises ``Malformed``, also for another edition's."""
    _read("new_game", "edition", fields.get("edition"), _edition)


def format_event(event: events.Event, by: By | None = None) -> dict[str, Any]:
    """Return the keys of a script line for ``event``, without ``t``; ``by`` (None: the usual maker) is written where it is not the usual one."""
    spec = _BY_KIND[type(event)]
    fields = {"do": spec.name}
    for name, key in spec.keys.items():
        if (value := key.write(event)) is not None:
            fields[name] = value
    if by is not None and by is not spec.maker:
        fields["by"] = by.value
    return fields


def _names(spec: EventSpec, optional: tuple[bool, ...] = (False, True)) -> list[str]:
    return [name for each in optional for name, key in spec.keys.items() if key.optional is each]


def _read(do: Any, key: str, value: Any, reader: Callable[[Any], Any]) -> Any:
    try:
        return reader(value)
    except (Malformed, NotSeconds) as error:
        raise Malformed(where=f"{do}: {key}", expected=error.expected, found=error.found) from error


def _of_the_record(game: Game, event: Any, at: int, by: By) -> Game:
    """The record itself begins with a new game, and carries out an undo."""
    raise TypeError(f"no event within a game: {event}")


def _edition(value: Any) -> int:
    if type(value) is not int or value != EDITION:
        found = "none" if value is None else short(value)
        raise Malformed(expected=str(EDITION), found=f"{found}: this file was written for another edition of the events")
    return value


def _new_game(rulebooks: Rulebooks, rulebook: str, *, edition: int = EDITION, called: bool = False, **seconds: int) -> events.NewGame:
    allowed = BySide(seconds.get("left_seconds"), seconds.get("right_seconds"))
    return events.NewGame(rulebooks(rulebook), rulebook, allowed, called)


def _change_rulebook(rulebooks: Rulebooks, rulebook: str, reason: str) -> events.ChangeRulebook:
    return events.ChangeRulebook(rulebooks(rulebook), rulebook, reason)


def _side_of(event: Any) -> str | None:
    return None if event.side is None else event.side.value


def _seconds(ns: int | None) -> int | Decimal | None:
    """Return a number of seconds for JSON: an int where it is whole, else an exact decimal."""
    if ns is None:
        return None
    return Decimal(format_seconds(ns)) if ns % NS else ns // NS


_SIDE: Final = {"side": Key(read.side, _side_of)}
_MAY_SIDE: Final = {"side": Key(read.side, _side_of, optional=True)}
_REASON: Final = {"reason": Key(read.reason, attrgetter("reason"))}
_RULEBOOK: Final = {"rulebook": Key(read.text, attrgetter("rulebook_ref"))}
_CHARGED: Final = frozenset({Phase.RUNNING, Phase.HOLD})
_STOPPED: Final = frozenset({Phase.READY, Phase.NEUTRAL})

EVENTS: Final = (
    EventSpec(
        events.NewGame,
        "new_game",
        _of_the_record,
        {
            "edition": Key(_edition, lambda _: EDITION, optional=True),
            **_RULEBOOK,
            "left_seconds": Key(read.allowance, lambda event: _seconds(event.allowed.left), optional=True),
            "right_seconds": Key(read.allowance, lambda event: _seconds(event.allowed.right), optional=True),
            "called": Key(read.flag, lambda event: event.called or None, optional=True),
        },
        shows_face=True,
        make=_new_game,
    ),
    EventSpec(events.Press, "press", play.press, _SIDE, undone=True),
    EventSpec(
        events.Neutralise, "neutralise", play.neutralise, {"reason": Key(read.reason, attrgetter("reason"), optional=True)}, _CHARGED
    ),
    EventSpec(events.Reason, "reason", rulings.give_reason, _REASON),
    EventSpec(events.Hold, "hold", play.hold, {}, frozenset({Phase.RUNNING, Phase.NEUTRAL, Phase.OUT_PLAY}), undone=True),
    EventSpec(events.Release, "release", play.release, {}, undone=True),
    EventSpec(
        events.OutPlay,
        "out_play",
        play.out_play,
        {"press": Key(read.whole, attrgetter("press"), optional=True)},
        _CHARGED | {Phase.NEUTRAL},
        undone=True,
    ),
    EventSpec(events.NotOut, "not_out", play.not_out, {}, undone=True),
    EventSpec(
        events.Challenge,
        "challenge",
        play.challenge,
        _MAY_SIDE,
        _CHARGED | {Phase.NEUTRAL, Phase.OUT_PLAY, Phase.ADJUDICATION},
        undone=True,
    ),
    EventSpec(events.Withdraw, "withdraw", play.withdraw, {}, frozenset({Phase.ADJUDICATION}), undone=True),
    EventSpec(
        events.Verdict,
        "verdict",
        play.verdict,
        {"acceptable": Key(read.flag, attrgetter("acceptable")), "words": Key(read.words, attrgetter("words"), optional=True)},
        undone=True,
    ),
    EventSpec(events.Resume, "resume", play.resume, _SIDE, _STOPPED | {Phase.OUT_PLAY, Phase.ADJUDICATION}, undone=True),
    EventSpec(events.Decide, "decide", play.decide, _SIDE, frozenset({Phase.NEUTRAL}), undone=True),
    EventSpec(
        events.StartWindow,
        "window",
        rulings.start_window,
        {
            "name": Key(lambda value: read.one_of(value, *WINDOW_NAMES), attrgetter("name")),
            **_MAY_SIDE,
            "ago": Key(read.ago, lambda event: _seconds(event.ago), optional=True),
            "seconds": Key(read.length_of_break, lambda event: _seconds(event.length), optional=True, field="length"),
        },
    ),
    EventSpec(
        events.End,
        "end",
        rulings.end,
        {**_REASON, "loser": Key(read.side, lambda event: None if event.loser is None else event.loser.value, optional=True)},
        undone=True,
    ),
    EventSpec(events.Reopen, "reopen", rulings.reopen, _REASON, frozenset({Phase.OVER}), maker=By.DIRECTOR, undone=True, shows_face=True),
    EventSpec(
        events.LateStart,
        "late_start",
        play.late_start,
        {
            "side": Key(read.side_or_both, lambda event: _side_of(event) or "both"),
            "ago": Key(read.ago, lambda event: _seconds(event.ago), optional=True),
        },
        frozenset({Phase.READY}),
        maker=By.DIRECTOR,
        undone=True,
    ),
    EventSpec(events.Arrive, "arrive", play.arrive, _SIDE, undone=True),
    EventSpec(
        events.Adjust,
        "adjust",
        rulings.adjust,
        {
            **_SIDE,
            "seconds": Key(read.duration, lambda event: _seconds(event.ns), field="ns"),
            "when": Key(lambda value: When(read.one_of(value, "now", "end")), lambda event: event.when.value),
            **_REASON,
        },
        maker=By.DIRECTOR,
        shows_face=True,
    ),
    EventSpec(
        events.EraseOvertime,
        "erase_overtime",
        rulings.erase_overtime,
        {**_SIDE, **_REASON, "to_seconds": Key(read.overtime, lambda event: _seconds(event.to_ns) or None, optional=True, field="to_ns")},
        maker=By.DIRECTOR,
        shows_face=True,
    ),
    EventSpec(
        events.Points,
        "points",
        rulings.points,
        {**_SIDE, "points": Key(read.points, attrgetter("points")), **_REASON},
        maker=By.DIRECTOR,
        shows_face=True,
    ),
    EventSpec(
        events.ChangeRulebook,
        "rulebook",
        rulings.change_rulebook,
        {**_RULEBOOK, **_REASON},
        _STOPPED,
        maker=By.DIRECTOR,
        shows_face=True,
        make=_change_rulebook,
    ),
    EventSpec(events.Swap, "swap", rulings.swap, _REASON, _STOPPED, maker=By.DIRECTOR, shows_face=True),
    EventSpec(events.Infraction, "infraction", rulings.infraction, _SIDE),
    EventSpec(events.Call, "call", rulings.call, {"on": Key(read.flag, attrgetter("on"))}),
    EventSpec(
        events.Undo,
        "undo",
        _of_the_record,
        {**_REASON, "event": Key(read.whole, attrgetter("event"), optional=True)},
        maker=By.DIRECTOR,
        shows_face=True,
    ),
)
BY_NAME: Final = {spec.name: spec for spec in EVENTS}
_BY_KIND: Final = {spec.kind: spec for spec in EVENTS}
_PRESSES: Final = {side.value: events.Press(side) for side in Side}
