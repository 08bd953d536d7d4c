"""What may come in from the network, and what it does (docs/spec/wire.md, "What may come in"). Everything else is refused.

Never from the network: starting, resuming, setting or adjusting a time, ending a game, choosing a winner. A station's verdict counts only while
the clock adjudicates that very challenge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace
from pydantic import ValidationError

from firmware.gestures.clock_state import ClockState
from firmware.hall.report import standing_challenge, verdict_on
from firmware.hall.state import HallState, HallTimer, ShownNotice, StationVerdict
from game import events
from game.events import By, Call, Neutralise, NewGame, Undo, Verdict, Withdraw
from game.game import EventNotAllowed, Game, Phase
from game.history import History, accept
from game.rulings import DIRECTOR_CALLED
from game.table import Assignment, OfferedGame, between_games
from rules.duration import NS
from rules.side import BySide, Side
from wire.proposals import (
    Assign,
    ChangeSettings,
    Clear,
    NoticeOrder,
    Order,
    OrderUpdate,
    RefusalReason,
    RoundBegins,
    SetTimer,
    SettingValue,
    SetUpKeys,
    SetUpNext,
    StopAsked,
    VerdictBody,
)

MadeEvent: TypeAlias = events.Verdict | events.Withdraw | events.Neutralise | events.Call | events.Undo
"""The only events that the network can make. An ``Undo`` strikes a station's own verdict; a ``Call`` is never an answer."""


class Decision(Struct, frozen=True):
    hall: HallState
    reason: RefusalReason | None = None
    events: tuple[tuple[MadeEvent, By], ...] = ()
    number: int | None = None
    offered: OfferedGame | None = None
    settings: Mapping[str, SettingValue] = field(default_factory=dict)


def refused(hall: HallState, reason: RefusalReason) -> Decision:
    return Decision(hall, reason)


CORRECTED: Final = "corrected at the station"


def decide_verdict(state: ClockState, hall: HallState, body: VerdictBody, now: int) -> Decision:
    if state.frozen is not None:
        return refused(hall, RefusalReason.FROZEN)
    if body.challenge is None:
        return refused(hall, RefusalReason.MALFORMED)
    given = verdict_on(state.history, body.challenge)
    if given is not None:
        return _corrected(state, hall, body, given, now)
    game = state.game_at(now)
    standing = standing_challenge(state.history, game)
    if standing != body.challenge:
        return refused(hall, RefusalReason.NO_CHALLENGE if standing is None else RefusalReason.OTHER_CHALLENGE)
    return _made(state, hall, body, (_event(body, game),), now) or refused(hall, RefusalReason.NOT_BY_RULEBOOK)


def _corrected(state: ClockState, hall: HallState, body: VerdictBody, given: History, now: int) -> Decision:
    """Decide on a verdict for a challenge that has one, ``given``: only the station that gave it corrects it."""
    before = hall.verdict
    if body.replaces is None or before is None or (before.id, before.station, before.number) != (body.replaces, body.station, given.number):
        return refused(hall, RefusalReason.HAS_VERDICT)
    verdict = Verdict(bool(body.acceptable), body.count or 1)
    if verdict == given.event:
        return Decision(replace(hall, verdict=replace(before, id=body.id)), number=given.number)
    return _made(state, hall, body, (Undo(CORRECTED, given.number), verdict), now) or refused(hall, RefusalReason.GONE_ON)


def _made(state: ClockState, hall: HallState, body: VerdictBody, events: tuple[MadeEvent, ...], now: int) -> Decision | None:
    history, at = state.history, state.instant(now)
    try:
        for event in events:
            history = accept(history, event, at, by=By.PLAYERS)
    except EventNotAllowed:
        return None
    made, number = events[-1], history.number
    verdict = None
    if isinstance(made, Verdict):
        verdict = StationVerdict(body.id, body.station, number, now, made.acceptable, made.words, body.words)
    return Decision(replace(hall, verdict=verdict), events=tuple((event, By.PLAYERS) for event in events), number=number)


def _event(body: VerdictBody, game: Game) -> Verdict | Withdraw:
    match body.do:
        case "withdrawn":
            return Withdraw()
        case "conceded":
            # Who challenges concedes that the play is acceptable, the other player that it is not.
            return Verdict(body.by is not None and Side(body.by) is game.challenger, body.count or 1)
        case _:
            return Verdict(bool(body.acceptable), body.count or 1)


_STOPPABLE: Final = (Phase.RUNNING, Phase.HOLD)


def decide(state: ClockState, hall: HallState, proposal: Order | VerdictBody, now: int) -> Decision:
    match proposal:
        case NoticeOrder():
            return Decision(replace(hall, notice=ShownNotice(proposal.text, now + proposal.seconds * NS)))
        case Clear():
            return Decision(replace(hall, notice=None, stop=None))
        case RoundBegins():
            # It is kept as an instant of the game, which a restored game has only once its times are confirmed.
            return Decision(hall) if state.frozen is None else refused(hall, RefusalReason.FROZEN)
        case SetTimer():
            return _timer(state, hall, proposal, now)
        case StopAsked():
            return _stop(state, hall, proposal, now)
        case Assign() | SetUpNext() | ChangeSettings() | OrderUpdate():
            return _between_games(state, hall, proposal, now)
        case VerdictBody(do="call"):
            return _call(state, hall, now)
        case VerdictBody():
            return decide_verdict(state, hall, proposal, now)


def _stop(state: ClockState, hall: HallState, order: StopAsked, now: int) -> Decision:
    asked = replace(hall, stop=order.text)
    # A restored game stands anyway, until the director confirms its times.
    if not hall.hard_freeze or state.frozen is not None or state.game_at(now).phase not in _STOPPABLE:
        return Decision(asked)
    return Decision(asked, events=((Neutralise(DIRECTOR_CALLED), By.DIRECTOR),), number=state.history.number + 1)


def _timer(state: ClockState, hall: HallState, order: SetTimer, now: int) -> Decision:
    if state.frozen is not None:
        return refused(hall, RefusalReason.FROZEN)
    if order.begins is None or order.seconds is None:
        return Decision(replace(hall, timer=None))
    if not between_games(state.game_at(now)):
        return refused(hall, RefusalReason.NOT_BETWEEN_GAMES)
    return Decision(replace(hall, timer=HallTimer(order.begins, order.seconds, order.warnings, order.label)))


def _call(state: ClockState, hall: HallState, now: int) -> Decision:
    if state.game_at(now).called:
        return Decision(hall)
    return Decision(hall, events=((Call(on=True), By.PLAYERS),), number=state.history.number + 1)


def offered_again(state: ClockState, keys: object) -> OfferedGame | None:
    """Return the next game that an order has set up before a restart, by its ``keys`` in the journal; None: nothing that this clock can offer."""
    try:
        return _offered(state, SetUpKeys.model_validate(keys))
    except ValidationError:
        return None


def _between_games(state: ClockState, hall: HallState, order: Assign | SetUpNext | ChangeSettings | OrderUpdate, now: int) -> Decision:
    if state.frozen is not None:
        return refused(hall, RefusalReason.FROZEN)
    if not between_games(state.game_at(now)):
        return refused(hall, RefusalReason.NOT_BETWEEN_GAMES)
    if order.number != state.history.number:
        return refused(hall, RefusalReason.OUT_OF_DATE)
    if isinstance(order, Assign):
        over = state.game_at(now).phase is Phase.OVER
        played = hall.place.names if over and hall.played is None else hall.played
        return Decision(replace(hall, place=Assignment(order.table, BySide(order.left, order.right), order.lexicon), played=played))
    if isinstance(order, ChangeSettings):
        return _settings(hall, order)
    if isinstance(order, OrderUpdate):
        return Decision(replace(hall, updating=True)) if hall.updates else refused(hall, RefusalReason.NO_UPDATES)
    offered = _offered(state, order)
    return refused(hall, RefusalReason.UNKNOWN_RULEBOOK) if offered is None else Decision(hall, offered=offered)


def _settings(hall: HallState, order: ChangeSettings) -> Decision:
    """Take all of the order or nothing: half of it would be no answer that a director can read."""
    if order.settings.keys() & hall.open.on_card:
        return refused(hall, RefusalReason.SET_ON_CARD)
    if order.language is not None and order.language not in hall.open.languages:
        return refused(hall, RefusalReason.UNKNOWN_LANGUAGE)
    return Decision(hall, settings=order.settings)


def _offered(state: ClockState, keys: SetUpKeys) -> OfferedGame | None:
    found = next(((named, rulebook) for named, rulebook in state.setup.rulebooks if rulebook.id == keys.rulebook), None)
    if found is None:
        return None
    named, rulebook = found
    allowed = BySide(keys.left_seconds, keys.right_seconds).map(lambda seconds: None if seconds is None else seconds * NS)
    return OfferedGame(NewGame(rulebook, named, allowed), state.history.first.event)
