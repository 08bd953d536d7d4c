"""The events of a game in one table: what each does, where it is allowed, who makes it, whether an undo strikes it; and events from and to JSON.

Scripts, journals, the record, the menus and their words read this table, and a test compares it with the one in docs/spec/events.md. To add an event,
add its class (``events``), its handler (``play`` or ``rulings``) and a row here.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields as fields_of

from game import events, forms, play, rulings
from game.events import By, When
from game.exact_json import Malformed, short
from game.forms import Form
from game.game import RECOUNT, EventNotAllowed, Game, Phase, finish, require_phase
from rules.duration import NotSeconds
from rules.rulebooks.model import DECISIONS, Rulebook
from rules.side import BySide

Rulebooks: TypeAlias = Callable[[str], Rulebook]
Handler: TypeAlias = Callable[[Game, Any, int, By], Game]
_ANY: Final = frozenset(Phase)
_GOING_ON: Final = _ANY - {Phase.OVER}


class Key(NamedTuple):
    form: Form
    value: Callable[[Any], Any]
    optional: bool = False
    field: str = ""
    """The argument of what makes the event."""


def keys_of(kind: type[Struct]) -> dict[str, Key]:
    return {
        field.encode_name: Key(field.type.__metadata__[0], attrgetter(field.name), field.default is not NODEFAULT, field.name)
        for field in fields_of(kind)
    }


def tag_of(kind: type[Struct]) -> str:
    return str(kind.__struct_config__.tag)


class Need(NamedTuple):
    why: str
    met: Callable[[Game, Any, By], bool]


class EventSpec(Struct, frozen=True):
    """All that is known of one kind of event. The menus call it ``menu.action.<name>``."""

    kind: type
    handler: Handler = lambda game, event, at, by: game
    """Not of a new game or an undo, which the record itself begins with and carries out."""
    phases: frozenset[Phase] = _ANY
    """The event is refused in all others."""
    needs: tuple[Need, ...] = ()
    """What else it needs, first of all first; the handler may refuse it too."""
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


def carry_out(game: Game, event: events.GameEvent, at: int, by: By | None = None) -> Game:
    """Return ``game``, which stands at ``at`` (ns), after ``event`` at that instant, without what time brings about then.

    ``by``: who makes it; None: the usual maker. Raises ``EventNotAllowed``: the game does not allow the event in its present state, or not from ``by``.
    """
    spec = _BY_KIND[type(event)]
    require_phase(game, spec.phases)
    by = by or spec.maker
    for need in spec.needs:
        if not need.met(game, event, by):
            raise EventNotAllowed(need.why)
    return spec.handler(game, event, at, by)


def usual_maker(event: events.Event) -> By:
    return _BY_KIND[type(event)].maker


def parse_event(fields: Mapping[str, Any], rulebooks: Rulebooks) -> events.Event:
    """Return the event described by ``fields`` (a line's keys without ``t``); ``by``, which any event may carry, is left to ``parse_by``.

    Raises ``Malformed``: an event, key, word or type is unknown, or a key is missing.
    """
    do = fields.get("do")
    spec = BY_NAME.get(do) if isinstance(do, str) else None
    if spec is None:
        raise Malformed(expected=f""""do" to be one of {", ".join(BY_NAME)}""", found=short(do))
    values = values_of(do, KEYS[spec.kind], {name: value for name, value in fields.items() if name not in ("do", "by")})
    made: events.Event = spec.kind(**values) if spec.make is None else spec.make(rulebooks, **values)
    return made


def values_of(do: Any, keys: Mapping[str, Key], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of ``fields``, by the fields of ``keys``; raises ``Malformed``."""
    for unknown in fields.keys() - keys.keys():
        raise Malformed(where=do, expected=f"the keys {', '.join(keys)}" if keys else "no other key", found=short(unknown))
    values = {keys[name].field: _read(do, name, value, keys[name].form) for name, value in fields.items()}
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


def _adds(amounts: Callable[[Game, Any, int], dict[str, int]]) -> Handler:
    return lambda game, event, at, by: game.add(event.side, **amounts(game, event, at))


def _new_game(rulebooks: Rulebooks, rulebook: str, *, edition: int = forms.EDITION, called: bool = False, **allowed: int) -> events.NewGame:
    return events.NewGame(rulebooks(rulebook), rulebook, BySide(allowed.get("left"), allowed.get("right")), called)


def _change_rulebook(rulebooks: Rulebooks, rulebook: str, reason: str) -> events.ChangeRulebook:
    return events.ChangeRulebook(rulebooks(rulebook), rulebook, reason)


_RULEBOOK: Final = Key(Form("a text", (str,)), attrgetter("rulebook_ref"), field="rulebook")
_CHARGED: Final = frozenset({Phase.RUNNING, Phase.HOLD})
_STOPPED: Final = frozenset({Phase.READY, Phase.NEUTRAL})
_TURN: Final = Need("no player is on turn", lambda game, event, by: game.turn is not None)
_MOVES: Final = Need("that player's time is over", lambda game, event, by: not game.makes_no_more_moves(event.side))
_NONE_PENDING: Final = Need("an out play is pending", lambda game, event, by: game.out_player is None)

EVENTS: Final = (
    EventSpec(
        events.NewGame,
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
    EventSpec(
        events.Hold,
        play.hold,
        frozenset({Phase.RUNNING, Phase.NEUTRAL, Phase.OUT_PLAY}),
        (Need("there is a hold already", lambda game, event, by: game.hold is None),),
        undone=True,
    ),
    EventSpec(
        events.Release,
        play.release,
        frozenset({Phase.HOLD, Phase.NEUTRAL, Phase.OUT_PLAY}),
        (Need("there is no hold to release", lambda game, event, by: game.out_player is not None or game.holder is not None),),
        undone=True,
    ),
    EventSpec(events.OutPlay, play.out_play, _CHARGED | {Phase.NEUTRAL}, (_TURN, _NONE_PENDING), undone=True),
    EventSpec(events.NotOut, play.not_out, undone=True),
    EventSpec(
        events.Challenge,
        play.challenge,
        _CHARGED | {Phase.NEUTRAL, Phase.OUT_PLAY, Phase.ADJUDICATION},
        (
            # 2017 IV.I.3, NZ 6.16.
            Need(
                "only the out player's opponent can challenge the out play",
                lambda game, event, by: game.out_player is None or event.side is not game.out_player,
            ),
            Need(
                "that player challenges already",
                lambda game, event, by: game.challenger is None or event.side not in (None, game.challenger),
            ),
        ),
        undone=True,
    ),
    EventSpec(
        events.Withdraw,
        play.withdraw,
        frozenset({Phase.ADJUDICATION}),
        (
            # NZ 6.12.2.1.
            Need(
                "only the director may withdraw a challenge under this rulebook",
                lambda game, event, by: by is By.DIRECTOR or game.rulebook.challenge.may_withdraw,
            ),
        ),
        undone=True,
    ),
    EventSpec(events.Verdict, play.verdict, undone=True),
    EventSpec(events.Resume, play.resume, _STOPPED | {Phase.OUT_PLAY, Phase.ADJUDICATION}, (_MOVES,), undone=True),
    EventSpec(events.Decide, play.decide, frozenset({Phase.NEUTRAL}), (_TURN, _NONE_PENDING, _MOVES), undone=True),
    EventSpec(
        events.StartWindow,
        rulings.start_window,
        needs=(
            Need("this window starts with its own event only", lambda game, event, by: bool(rulings.WINDOW_PHASES[event.name])),
            Need(
                "the recount has started already",
                lambda game, event, by: not (event.name == RECOUNT and game.end and game.window and game.window.name == RECOUNT),
            ),
            Need("only a decision takes a side", lambda game, event, by: event.side is None or event.name in DECISIONS),
            # The others count from the draw, or the round's actual start (2017 IV.G.2.a, III.C).
            Need(
                "this window counts from its event",
                lambda game, event, by: event.ago is None or event.name in (rulings.MISSED_PRESS, rulings.LATE_START),
            ),
            Need(
                "the rulebook alone gives the length of this window",
                lambda game, event, by: event.length is None or event.name == rulings.BETWEEN_ROUNDS,
            ),
        ),
    ),
    EventSpec(
        events.End,
        lambda game, event, at, by: finish(game, at, event.reason, loser=event.loser),
        _GOING_ON,
        (
            Need("the rulebook ends no game for this reason", lambda game, event, by: not rulings.never_ends(game.rulebook, event.reason)),
            Need("this reason needs the loser", lambda game, event, by: event.loser is not None or event.reason not in rulings.WITH_LOSER),
            Need("this reason has no loser", lambda game, event, by: event.loser is None or event.reason in rulings.WITH_LOSER),
        ),
        undone=True,
    ),
    EventSpec(events.Reopen, rulings.reopen, frozenset({Phase.OVER}), maker=By.DIRECTOR, undone=True, shows_face=True),
    EventSpec(events.LateStart, play.late_start, frozenset({Phase.READY}), maker=By.DIRECTOR, undone=True),
    EventSpec(events.Arrive, play.arrive, undone=True),
    EventSpec(
        events.Adjust,
        _adds(lambda game, event, at: {"credit" if event.when is When.END else "allowed": event.ns}),
        needs=(
            # 2017 III.G.6, IV.E.1.
            Need(
                "without the director, players can give only a minute that the rules provide, and at once",
                lambda game, event, by: by is By.DIRECTOR or (event.when is When.NOW and rulings.players_may_give(game.rulebook, event.ns)),
            ),
        ),
        maker=By.DIRECTOR,
        shows_face=True,
    ),
    EventSpec(
        events.EraseOvertime,
        # What the side owes counts, as in its penalty (2017 III.C).
        _adds(lambda game, event, at: {"allowed": max(0, event.to_ns - game.remaining_after_debts(event.side, at))}),
        needs=(Need("the game ended at the overtime limit: reopen it first", lambda game, event, by: game.limit_loser is None),),
        maker=By.DIRECTOR,
        shows_face=True,
    ),
    EventSpec(events.Points, _adds(lambda game, event, at: {"points": event.points}), maker=By.DIRECTOR, shows_face=True),
    EventSpec(
        events.ChangeRulebook,
        rulings.change_rulebook,
        _STOPPED,
        (_NONE_PENDING,),
        maker=By.DIRECTOR,
        shows_face=True,
        own_keys={"rulebook": _RULEBOOK, "reason": Key(forms.REASON, attrgetter("reason"), field="reason")},
        make=_change_rulebook,
    ),
    EventSpec(events.Swap, rulings.swap, _STOPPED, maker=By.DIRECTOR, shows_face=True),
    # After every third the director decides on a minute (2017 II.F).
    EventSpec(events.Infraction, _adds(lambda game, event, at: {"infractions": 1}), _GOING_ON),
    EventSpec(
        events.Call,
        rulings.call,
        needs=(
            Need(
                "there is no signed result to dispute", lambda game, event, by: not event.disputes or (event.on and game.result is not None)
            ),
            Need("the result is disputed already", lambda game, event, by: not (event.disputes and game.disputed)),
        ),
    ),
    EventSpec(
        events.Result,
        rulings.result,
        frozenset({Phase.OVER}),
        (
            Need("only the players sign a result", lambda game, event, by: by is By.PLAYERS),
            Need(rulings.SIGNED, lambda game, event, by: game.result is None),
            # 2017 V.K.1, NZ 10.2.
            Need("a forfeit has no scores to sign", lambda game, event, by: not rulings.is_forfeit(game)),
            Need(
                "bonus words are counted where the rulebook has them",
                lambda game, event, by: (event.words is not None) is game.rulebook.result.bonus_words,
            ),
            Need("the later signature is the event's own", lambda game, event, by: min(event.signed.left, event.signed.right) == 0),
        ),
        undone=True,
    ),
    EventSpec(events.Undo, maker=By.DIRECTOR, shows_face=True),
)
BY_NAME: Final = {tag_of(spec.kind): spec for spec in EVENTS}
KEYS: Final[Mapping[type, Mapping[str, Key]]] = {spec.kind: spec.own_keys or keys_of(spec.kind) for spec in EVENTS}
_BY_KIND: Final = {spec.kind: spec for spec in EVENTS}
_BY: Final = forms.member(By)
