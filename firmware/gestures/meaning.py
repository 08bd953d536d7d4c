"""The meaning of each gesture in the present state of the game: the tables of docs/spec/events.md, "Gestures", as pure functions.

The face reads the same functions for its prompts and fills, so that it never says anything else than a press will do.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from firmware.gestures.lapsing import Offer, OfferKind
from firmware.gestures.stroke import STAGE_NS, Act, HoldStage, Stages
from firmware.texts import KeyedMessage, message
from game import events
from game.game import Game, Phase
from rules.duration import reading
from rules.side import BySide, Side

_ONE_SECOND, _TWO_SECONDS, _FIVE_SECONDS = STAGE_NS
_STARTED = message("fill.let_go.opponent_runs")
_NOTHING = message("fill.let_go.nothing")
_MENU = message("fill.let_go.menu")


class Does(Struct, frozen=True):
    """A press makes an event."""

    event: events.GameEvent


class Says(Struct, frozen=True):
    """A press makes no event; the face says why for 2 s."""

    message: KeyedMessage


Meaning: TypeAlias = Does | Says | None
"""None: a press does nothing, and there is nothing to say."""


def own_button(game: Game, side: Side, at: int) -> Meaning:
    """Return the meaning of a short press of a player's own button at ``at`` (ns)."""
    if game.out_player is not None:
        return _own_button_pending(game, game.out_player, side, at)
    match game.phase:
        case Phase.LATE:
            return Does(events.Arrive(side)) if side in game.absent else _says("late")
        case Phase.RUNNING | Phase.HOLD:
            return Does(events.Press(side)) if game.running is side else _says(_why_it_waits(game, side))
        case Phase.NEUTRAL:
            decides = decider(game, at)
            return Does(events.Decide(decides)) if decides is side.other else Does(events.Press(side))
        case Phase.OVER:
            return _says("signed")
        case _:
            return Does(events.Press(side))


def own_stages(game: Game, side: Side, short: Meaning) -> Stages:
    """Return what holding a player's own button does; ``short`` is its short meaning."""
    does = _held(game, side)
    if does is None:
        return ()
    let_go = _STARTED if isinstance(short, Does) else _NOTHING
    if game.phase is Phase.ADJUDICATION:
        let_go = message("fill.let_go.no_verdict")
    return (HoldStage(_ONE_SECOND, does, let_go, message(f"fill.hold_on.{_call(game, does)}")),)


def announced(before: Game, event: events.GameEvent) -> BySide[KeyedMessage] | None:
    """Return what each player reads after ``event``, which a hand may have made without meaning it: what happened, and how to take it back; None: nothing."""
    match event:
        case events.Press() if before.phase is Phase.ADJUDICATION:
            return BySide.both(message("act.no_verdict"))
        case events.Press(side) if before.phase is Phase.NEUTRAL and before.turn is side and before.out_player is None:
            return BySide.both(message("act.turn_got")).replace(side, message("act.turn_given"))
        case events.Press(side) if before.phase is Phase.HOLD and before.turn is side and before.out_player is None:
            return BySide.both(message("act.hold_ended")).replace(side, message("act.ended_hold"))
        case events.Hold() if before.turn is not None and before.out_player is None:
            return BySide.both(message("act.hold_recorded")).replace(before.turn, message("act.held"))
        case events.Release() if before.turn is not None and before.out_player is None:
            return BySide.both(message("act.release_recorded")).replace(before.turn, message("act.released"))
        case _:
            return None


def bar(game: Game) -> Meaning:
    """Return the meaning of a short press of the bar; during an adjudication it offers, on letting go."""
    match game.phase:
        case Phase.RUNNING | Phase.HOLD:
            return Does(events.Neutralise())
        case Phase.NEUTRAL if game.out_player is not None:
            return Does(events.Press(game.out_player))
        case Phase.NEUTRAL:
            return None if game.turn is None else Does(events.Resume(game.turn))
        case Phase.OUT_PLAY:
            return _says("out_play_stopped")
        case Phase.LATE:
            return Does(events.Arrive(game.absent[0])) if len(game.absent) == 1 else _says("both_absent")
        case Phase.OVER:
            return _says("over")
        case _:
            return None


def bar_stages(game: Game, at: int, offer: Offer, *, menu: bool, door: bool) -> Stages:
    """Return what holding the bar does.

    ``game`` and ``at`` (ns of the game's time) are those of its first edge; ``menu``: there is a screen for the table menu; ``door``: it is the
    chord of a two-button board, which leads to the director's door.
    """
    let_go = _bar_let_go(game, offer)
    stages: list[HoldStage] = []
    if offer.event is not None:
        stages.append(HoldStage(_ONE_SECOND, offer.event, let_go, _offered(offer)))
        let_go = stages[-1].hold_on
    else:
        if menu:
            stages.append(HoldStage(_ONE_SECOND, Act.TABLE_MENU, let_go, message("fill.hold_on.menu")))
            let_go = _MENU
        act = _star(game, at)
        if act is not None:
            called = message("fill.hold_on.next_game" if act is Act.NEXT_GAME else "fill.hold_on.challenge")
            stages.append(HoldStage(_TWO_SECONDS, act, let_go, called))
            let_go = called
    if door:
        stages.append(door_stage(let_go))
    return tuple(stages)


def stuck_stages(game: Game, short: Meaning, stages: Stages) -> Stages:
    """Return what holding the only free button of a two-button board does, in place of ``stages``: both together are impossible."""
    let_go = _STARTED if isinstance(short, Does) else _NOTHING
    if game.phase in (Phase.RUNNING, Phase.HOLD):
        stages = (HoldStage(_ONE_SECOND, Act.STOP, let_go, message("fill.hold_on.stop")),)
    return (*stages, door_stage(stages[-1].hold_on if stages else let_go))


def door_stage(let_go: KeyedMessage = _NOTHING) -> HoldStage:
    """Return the last stage of both buttons of a two-button board; ``let_go``: what letting go before it does."""
    return HoldStage(_FIVE_SECONDS, Act.DOOR, let_go, message("fill.hold_on.director"))


def decider(game: Game, at: int) -> Side | None:
    """Return the side that decides and whose clock the other player's button starts now (2017 IV.B.2, IV.B.5.b), or None."""
    window = game.window
    if game.phase is not Phase.NEUTRAL or game.turn is None or game.out_player is not None or window is None:
        return None
    return window.side if window.name in game.rulebook.clock_windows and at >= window.ends else None


def counts_to_an_end(game: Game, at: int) -> bool:
    """Return whether a clock runs or an out play's window counts at ``at`` (ns): what does not wait for a menu."""
    counting = game.phase is Phase.OUT_PLAY and at < game.out_play_ends
    return game.running is not None or game.phase is Phase.LATE or counting


def _own_button_pending(game: Game, out_player: Side, side: Side, at: int) -> Meaning:
    if game.phase is Phase.ADJUDICATION:
        return _says("verdict_first")
    if side is not out_player:
        return _says("accept")
    if game.phase is Phase.HOLD:
        return _says("opponent_runs")
    if game.phase is Phase.OUT_PLAY and not game.rulebook.out_play_ends_game and at < game.out_play_ends:
        return Says(message("answer.out_play_wait", reading=reading(game.out_play_ends - at)))
    return Does(events.Press(side))


def _why_it_waits(game: Game, side: Side) -> str:
    if game.phase is Phase.HOLD:
        return "on_hold"
    return "opponent_decides" if game.turn is side else "hold"


def _held(game: Game, side: Side) -> events.GameEvent | Act | None:
    if game.out_player is not None:
        accepts = side is not game.out_player and game.phase is not Phase.ADJUDICATION
        return events.Release() if accepts else None
    match game.phase:
        case Phase.RUNNING:
            waits = game.running is side.other and game.turn is side.other and game.holder is None
            return events.Hold() if waits else None
        case Phase.HOLD:
            return events.Release() if game.running is side.other else None
        case Phase.NEUTRAL if game.turn is not None:
            return Act.OUT_PLAY if game.turn is side else _answers_hold(game)
        case Phase.ADJUDICATION:
            return None if game.challenger is side else events.Challenge(side)
        case _:
            return None


def _answers_hold(game: Game) -> events.GameEvent:
    """Return what the waiting player's held button records: as while a clock runs, the call of a hold or its end (2017 IV.I.1, IV.I.2)."""
    return events.Hold() if game.holder is None else events.Release()


def _call(game: Game, does: events.GameEvent | Act) -> str:
    match does:
        case events.Hold():
            return "hold"
        case events.Release():
            return "released" if game.out_player is None else "accept"
        case events.Challenge():
            return "i_challenge"
        case _:
            return "out_play"


def _bar_let_go(game: Game, offer: Offer) -> KeyedMessage:
    match bar(game):
        case Does(events.Neutralise()):
            return message("fill.let_go.stopped")
        case Does(events.Resume()):
            return message("fill.let_go.runs_on")
        case Does(events.Arrive()):
            return message("fill.let_go.arrived")
        case Does():
            return _STARTED
        case _:
            offers = game.phase is Phase.ADJUDICATION
            return message("fill.let_go.next" if offer.event is not None else "fill.let_go.first") if offers else _NOTHING


def _offered(offer: Offer) -> KeyedMessage:
    if offer.kind is OfferKind.ACCEPTABLE and offer.words is not None:
        return message("fill.hold_on.word") if offer.words == 1 else message("fill.hold_on.words", count=offer.words)
    return message(f"fill.hold_on.{offer.kind.value}")


def _star(game: Game, at: int) -> events.GameEvent | Act | None:
    """Return what the bar held for 2 s does: the row of the table menu that is common in this phase."""
    if game.phase is Phase.OVER:
        return Act.NEXT_GAME if game.may_be_left(at) else None
    stoppable = game.phase in (Phase.RUNNING, Phase.HOLD, Phase.NEUTRAL, Phase.OUT_PLAY)
    return events.Challenge() if stoppable and game.turn is not None else None


def _says(key: str) -> Says:
    return Says(message(f"answer.{key}"))
