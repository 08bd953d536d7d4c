"""The events of a game in one table: what each does, where it is allowed, who makes it, whether an undo strikes it; and events from and to JSON.

Scripts, journals, the record, the menus and their words read this table, and a test compares it with the one in docs/spec/events.md. To add an event,
add its class (``events``), its handler (``play`` or ``rulings``) and a row here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields as fields_of

from game import events, forms, play, rulings
from game.events import By
from game.exact_json import Malformed, short
from game.forms import Form
from game.game import Game, Phase, advance, require_phase, settle
from rules.duration import NotSeconds
from rules.rulebooks.model import Rulebook
from rules.side import BySide

Rulebooks: TypeAlias = Callable[[str], Rulebook]
"""Loads a rulebook by id or path."""
_ANY: Final = frozenset(Phase)


class Key(NamedTuple):
    """A key of an event in JSON."""

    form: Form
    value: Callable[[Any], Any]
    """Returns the value in the event."""
    optional: bool = False
    field: str = ""
    """The argument of what makes the event."""


def keys_of(kind: type[Struct]) -> dict[str, Key]:
    """Return the keys that a class gives by its fields."""
    return {
        field.encode_name: Key(field.type.__metadata__[0], attrgetter(field.name), field.default is not NODEFAULT, field.name)
        for field in fields_of(kind)
    }


def tag_of(kind: type[Struct]) -> str:
    """Return the word for ``do`` of a class."""
    return str(kind.__struct_config__.tag)


class EventSpec(Struct, frozen=True):
    """All that is known of one kind of event. The menus call it ``menu.action.<name>``."""

    kind: type
    handler: Callable[[Game, Any, int, By], Game]
    """Returns the game after the event at an instant in ns."""
    phases: frozenset[Phase] = _ANY
    """The event is refused in all others; the handler may refuse it in these too."""
    maker: By = By.PLAYERS
    """Who makes it unless the event says otherwise."""
    undone: bool = False
    """An undo without a number strikes it; not the stop that called the director, nor the director's own changes."""
    shows_face: bool = False
    """It changes what is recorded of a game: its row in the journal has the face before and after."""
    own_keys: Mapping[str, Key] | None = None
    """Its keys, where they are not its fields."""
    make: Callable[..., events.Event] | None = None
    """Makes the event of a function that loads rulebooks and its keys' values; None: its class does, of the values alone."""


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
    spec = BY_NAME.get(do) if isinstance(do, str) else None
    if spec is None:
        raise Malformed(expected=f""""do" to be one of {", ".join(BY_NAME)}""", found=short(do))
    values = values_of(do, KEYS[spec.kind], {name: value for name, value in fields.items() if name != "by"})
    made: events.Event = spec.kind(**values) if spec.make is None else spec.make(rulebooks, **values)
    return made


def values_of(do: Any, keys: Mapping[str, Key], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of ``fields`` besides ``do``, by the names of ``keys``; raises ``Malformed``."""
    values: dict[str, Any] = {}
    for name, value in fields.items():
        if name != "do":
            if name not in keys:
                raise Malformed(where=do, expected=f"the keys {', '.join(keys)}" if keys else "no other key", found=short(name))
            values[keys[name].field] = _read(do, name, value, keys[name].form)
    if missing := [name for name, key in keys.items() if not key.optional and name not in fields]:
        raise Malformed(where=do, expected=", ".join(missing), found="nothing")
    return values


def parse_by(fields: Mapping[str, Any]) -> By | None:
    """Return who made the event described by ``fields``; None: the usual maker. Raises ``Malformed``."""
    return _read(fields.get("do"), "by", fields["by"], _BY) if "by" in fields else None


def require_edition(fields: Mapping[str, Any]) -> None:
    """Require the key ``edition`` of a new game, as the journal's own rows have it; raises ``Malformed``, also for another edition's."""
    _read("new_game", "edition", fields.get("edition"), forms.THIS_EDITION)


def format_event(event: events.Event, by: By | None = None) -> dict[str, Any]:
    """Return the keys of a script line for ``event``, without ``t``; ``by`` (None: the usual maker) is written where it is not the usual one."""
    written = {name: key.form.write(key.value(event)) for name, key in KEYS[type(event)].items()}
    fields = {"do": tag_of(type(event)), **{name: value for name, value in written.items() if value is not None}}
    if by is not None and by is not usual_maker(event):
        fields["by"] = by.value
    return fields


def _read(do: Any, name: str, value: Any, form: Form) -> Any:
    try:
        return form.parse(value)
    except (Malformed, NotSeconds) as error:
        raise Malformed(where=f"{do}: {name}", expected=error.expected, found=error.found) from error


def _of_the_record(game: Game, event: Any, at: int, by: By) -> Game:
    """The record itself begins with a new game, and carries out an undo."""
    raise TypeError(f"no event within a game: {event}")


def _new_game(rulebooks: Rulebooks, rulebook: str, *, edition: int = forms.EDITION, called: bool = False, **allowed: int) -> events.NewGame:
    return events.NewGame(rulebooks(rulebook), rulebook, BySide(allowed.get("left"), allowed.get("right")), called)


def _change_rulebook(rulebooks: Rulebooks, rulebook: str, reason: str) -> events.ChangeRulebook:
    return events.ChangeRulebook(rulebooks(rulebook), rulebook, reason)


_RULEBOOK: Final = Key(forms.TEXT, attrgetter("rulebook_ref"), field="rulebook")
_CHARGED: Final = frozenset({Phase.RUNNING, Phase.HOLD})
_STOPPED: Final = frozenset({Phase.READY, Phase.NEUTRAL})

EVENTS: Final = (
    EventSpec(
        events.NewGame,
        _of_the_record,
        shows_face=True,
        own_keys={
            "edition": Key(forms.THIS_EDITION, lambda _: forms.EDITION, optional=True, field="edition"),
            "rulebook": _RULEBOOK,
            "left_seconds": Key(forms.ALLOWANCE, attrgetter("allowed.left"), optional=True, field="left"),
            "right_seconds": Key(forms.ALLOWANCE, attrgetter("allowed.right"), optional=True, field="right"),
            "called": Key(forms.SET_FLAG, attrgetter("called"), optional=True, field="called"),
        },
        make=_new_game,
    ),
    EventSpec(events.Press, play.press, undone=True),
    EventSpec(events.Neutralise, play.neutralise, _CHARGED),
    EventSpec(events.Reason, rulings.give_reason),
    EventSpec(events.Hold, play.hold, frozenset({Phase.RUNNING, Phase.NEUTRAL, Phase.OUT_PLAY}), undone=True),
    EventSpec(events.Release, play.release, undone=True),
    EventSpec(events.OutPlay, play.out_play, _CHARGED | {Phase.NEUTRAL}, undone=True),
    EventSpec(events.NotOut, play.not_out, undone=True),
    EventSpec(events.Challenge, play.challenge, _CHARGED | {Phase.NEUTRAL, Phase.OUT_PLAY, Phase.ADJUDICATION}, undone=True),
    EventSpec(events.Withdraw, play.withdraw, frozenset({Phase.ADJUDICATION}), undone=True),
    EventSpec(events.Verdict, play.verdict, undone=True),
    EventSpec(events.Resume, play.resume, _STOPPED | {Phase.OUT_PLAY, Phase.ADJUDICATION}, undone=True),
    EventSpec(events.Decide, play.decide, frozenset({Phase.NEUTRAL}), undone=True),
    EventSpec(events.StartWindow, rulings.start_window),
    EventSpec(events.End, rulings.end, undone=True),
    EventSpec(events.Reopen, rulings.reopen, frozenset({Phase.OVER}), maker=By.DIRECTOR, undone=True, shows_face=True),
    EventSpec(events.LateStart, play.late_start, frozenset({Phase.READY}), maker=By.DIRECTOR, undone=True),
    EventSpec(events.Arrive, play.arrive, undone=True),
    EventSpec(events.Adjust, rulings.adjust, maker=By.DIRECTOR, shows_face=True),
    EventSpec(events.EraseOvertime, rulings.erase_overtime, maker=By.DIRECTOR, shows_face=True),
    EventSpec(events.Points, rulings.points, maker=By.DIRECTOR, shows_face=True),
    EventSpec(
        events.ChangeRulebook,
        rulings.change_rulebook,
        _STOPPED,
        maker=By.DIRECTOR,
        shows_face=True,
        own_keys={"rulebook": _RULEBOOK, "reason": Key(forms.REASON, attrgetter("reason"), field="reason")},
        make=_change_rulebook,
    ),
    EventSpec(events.Swap, rulings.swap, _STOPPED, maker=By.DIRECTOR, shows_face=True),
    EventSpec(events.Infraction, rulings.infraction),
    EventSpec(events.Call, rulings.call),
    EventSpec(events.Undo, _of_the_record, maker=By.DIRECTOR, shows_face=True),
)
BY_NAME: Final = {tag_of(spec.kind): spec for spec in EVENTS}
KEYS: Final[Mapping[type, Mapping[str, Key]]] = {spec.kind: spec.own_keys or keys_of(spec.kind) for spec in EVENTS}
"""The keys of each event."""
_BY_KIND: Final = {spec.kind: spec for spec in EVENTS}
_BY: Final = forms.member(By)
