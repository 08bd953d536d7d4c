"""A table's clock as of now, so that anybody can compute its readings until the next change: from its rows, or from its last report."""

from __future__ import annotations

from msgspec import Struct

from game.game import Game, Phase
from game.history import History
from game.rulings import DIRECTOR_CALLED
from hall.desk.tiles.folded import DeskFreeze, FoldedGame
from rules.side import BySide, Side
from wire.reports import ClockReport, SideReport


class TileSide(Struct, frozen=True):
    """One side's account; durations in ns."""

    remaining: int
    """At ``LiveClock.at``; it falls from then on while this side runs."""
    used: int
    penalty: int
    credit: int
    points: int
    infractions: int
    name: str = ""
    """Who plays; a tile has it."""


class LiveClock(Struct, frozen=True):
    """What stands at ``at``. All instants in ns of the clock's machine."""

    at: int
    """From then on the running side's time counts."""
    phase: Phase
    reason: str | None
    running: Side | None
    turn: Side | None
    holder: Side | None
    loser: Side | None
    called: bool
    accounts: BySide[TileSide]
    rulebook: str
    """Its title, or its id where only the report is known."""
    since: int
    """Since when it is in this phase, as far as is known."""
    freeze: DeskFreeze | None = None
    """The desk's last freeze in this game; None: there was none, or the rows are not there yet."""


def of_game(folded: FoldedGame, mono: int) -> LiveClock | None:
    """Return the clock at ``mono`` (ns of the clock's machine) by its rows; None: its beginning cannot be read."""
    game = folded.at(mono)
    if game is None or folded.history is None:
        return None
    now = folded.instant(mono)
    # Nothing counts before `since`, so a clock that runs stands there: the same value until the next event.
    stands = now if game.running is None else game.state.since
    return LiveClock(
        at=stands - folded.offset,
        phase=game.phase,
        reason=game.reason if game.phase in (Phase.NEUTRAL, Phase.OVER) else None,
        running=game.running,
        turn=game.turn,
        holder=game.holder,
        loser=game.loser,
        called=game.called,
        accounts=BySide(_account(game, Side.LEFT, stands, now), _account(game, Side.RIGHT, stands, now)),
        rulebook=game.rulebook.title,
        since=_phase_since(folded.history, game) - folded.offset,
        freeze=None if folded.freeze is None else folded.freeze.moved(-folded.offset),
    )


def of_report(report: ClockReport) -> LiveClock:
    # A clock that stops itself for a freeze reports this reason, too; the rows, which come a moment later, tell which it was.
    uncertain = report.freeze == "hard" and report.reason == DIRECTOR_CALLED and not report.called
    return LiveClock(
        at=report.at,
        phase=Phase(report.phase),
        reason=None if uncertain else report.reason,
        running=_side(report.running),
        turn=_side(report.turn),
        holder=_side(report.holder),
        loser=None,
        called=report.called,
        accounts=BySide(_reported(report.left), _reported(report.right)),
        rulebook=report.rulebook,
        since=report.at,
    )


def agrees(folded: FoldedGame, report: ClockReport) -> bool:
    """Return whether the rows give what the clock reports, to the nanosecond, at the instant of the report."""
    if (folded.boot, folded.number) != (report.boot, report.game) or folded.history is None or folded.history.number != report.number:
        return False
    game = folded.at(report.at)
    if game is None:
        return False
    instant = folded.instant(report.at)
    shown = (game.phase.value, _name(game.running), _name(game.turn), game.called)
    if shown != (report.phase, report.running, report.turn, report.called):
        return False
    return all(
        (game.remaining(side, instant), game.accounts.of(side).points, game.accounts.of(side).credit)
        == (reported.remaining_ns, reported.points, reported.credit_ns)
        for side, reported in ((Side.LEFT, report.left), (Side.RIGHT, report.right))
    )


def _account(game: Game, side: Side, stands: int, now: int) -> TileSide:
    return TileSide(
        game.remaining(side, stands),
        game.used_at(side, stands),
        game.penalty(side, now),
        game.accounts.of(side).credit,
        game.accounts.of(side).points,
        game.accounts.of(side).infractions,
    )


def _reported(side: SideReport) -> TileSide:
    return TileSide(side.remaining_ns, side.used_ns, side.penalty, side.credit_ns, side.points, side.infractions)


def _phase_since(history: History, game: Game) -> int:
    """Return the instant of the first of the last links that are in the game's phase."""
    if game.end is not None:
        return game.end.at
    since = history.at
    for link in history:
        if link.game.phase is not game.phase:
            break
        since = link.at
    return since


def _side(name: str | None) -> Side | None:
    return None if name is None else Side(name)


def _name(side: Side | None) -> str | None:
    return None if side is None else side.value
