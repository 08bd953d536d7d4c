"""A station's verdict at the clock: it counts only while the clock adjudicates that very challenge."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from firmware.gestures.clock_state import ClockState
from firmware.hall.challenges import standing_challenge, verdict_on
from firmware.hall.decision import Decision, MadeEvent, refused
from firmware.hall.state import HallState, StationVerdict
from game.events import By, Undo, Verdict, Withdraw
from game.game import EventNotAllowed, Game
from game.record import Record, accept
from rules.side import Side
from wire.messages.proposals import VerdictBody
from wire.reasons import RefusalReason

CORRECTED: Final = "corrected at the station"
"""The reason of the undo that a corrected verdict makes first."""


def decide_verdict(table: ClockState, hall: HallState, body: VerdictBody, now: int) -> Decision:
    """Return what becomes of a verdict, a concession or a withdrawal at ``now`` (ns, the hands' time)."""
    if table.frozen is not None:
        return refused(hall, RefusalReason.FROZEN)
    if body.challenge is None:
        return refused(hall, RefusalReason.MALFORMED)
    given = verdict_on(table.record, body.challenge)
    if given is not None:
        return _corrected(table, hall, body, given, now)
    game = table.game_at(now)
    standing = standing_challenge(table.record, game)
    if standing != body.challenge:
        return refused(hall, RefusalReason.NO_CHALLENGE if standing is None else RefusalReason.OTHER_CHALLENGE)
    return _made(table, hall, body, (_event(body, game),), now) or refused(hall, RefusalReason.NOT_BY_RULEBOOK)


def _corrected(table: ClockState, hall: HallState, body: VerdictBody, given: Record, now: int) -> Decision:
    """Decide on a verdict for a challenge that has one, ``given``: only the station that gave it corrects it."""
    before = hall.verdict
    if body.replaces is None or before is None or (before.id, before.station, before.number) != (body.replaces, body.station, given.number):
        return refused(hall, RefusalReason.HAS_VERDICT)
    verdict = Verdict(bool(body.acceptable), body.count or 1)
    if verdict == given.event:
        return Decision(replace(hall, verdict=replace(before, id=body.id)), number=given.number)
    return _made(table, hall, body, (Undo(CORRECTED, given.number), verdict), now) or refused(hall, RefusalReason.GONE_ON)


def _made(table: ClockState, hall: HallState, body: VerdictBody, events: tuple[MadeEvent, ...], now: int) -> Decision | None:
    """Return the decision to make these players' events; None: the game refuses one."""
    record, at = table.record, table.instant(now)
    try:
        for event in events:
            record = accept(record, event, at, by=By.PLAYERS)
    except EventNotAllowed:
        return None
    made, number = events[-1], record.highest
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
