"""What a clock reports of its table: one message for an event or a timed transition, none while time runs.

The challenge that it adjudicates is named by its event's number, as a station's verdict names it.
"""

from typing import Any, Literal

from firmware.gestures.clock_state import ClockState
from game.events import Challenge, Verdict
from game.game import Game, Phase, Running
from game.history import History
from game.table import Assignment, between_games, set_up_next
from rules.side import BySide, Side
from wire.reports import LAST_NS, ArrivedPlayers, ClockReport, OfferedSetUp, PlayerNames, SideReport


def standing_challenge(history: History, game: Game) -> int | None:
    """Return the number of the challenge that ``game``, the present state of ``history``, adjudicates; None: it adjudicates none.

    A later ``challenge`` that only corrects who challenges is no new one.
    """
    return _last_challenge(history) if game.phase is Phase.ADJUDICATION else None


def verdict_on(history: History, challenge: int) -> History | None:
    verdicts = (link for link in history.standing() if isinstance(link.event, Verdict))
    return next((link for link in verdicts if link.before is not None and _last_challenge(link.before) == challenge), None)


def _last_challenge(history: History) -> int | None:
    challenges = (link for link in history.standing() if isinstance(link.event, Challenge) and link.before is not None)
    return next((link.number for link in challenges if link.before and link.before.game.phase is not Phase.ADJUDICATION), None)


def clock_report(  # noqa: PLR0913 - what the device knows besides its game
    state: ClockState,
    place: Assignment,
    game: int,
    now: int,
    *,
    boot: str,
    nonce: str,
    epoch: str | None,
    freeze: Literal["advisory", "hard"] = "advisory",
    timer: int | None = None,
    here: BySide[bool] | None = None,
) -> ClockReport:
    """Return the report at ``now`` (ns of CLOCK_MONOTONIC). Time that is charged from later on (a delay comes first) has that instant in the report."""
    instant = state.instant(now)
    shown = state.game_at(now)
    delay = max(0, shown.state.since - instant) if isinstance(shown.state, Running) else 0
    return ClockReport.model_validate(
        {
            "boot": boot,
            "nonce": nonce,
            "epoch": epoch,
            "game": game,
            "number": state.history.number,
            "at": now + delay,
            "phase": shown.phase.value,
            "running": _name(shown.running),
            "turn": _name(shown.turn),
            "holder": _name(shown.holder),
            "reason": shown.reason if shown.phase in (Phase.NEUTRAL, Phase.OVER) else None,
            "called": shown.called,
            "left": _side(shown, Side.LEFT, instant),
            "right": _side(shown, Side.RIGHT, instant),
            "pending": _name(shown.out_player),
            "challenge": _challenge(state, shown),
            "rulebook": shown.rulebook.id,
            "table": place.table,
            "names": PlayerNames(left=place.names.left, right=place.names.right),
            "between_games": state.frozen is None and between_games(shown),
            "freeze": freeze,
            "lexicon": place.lexicon,
            "offered": _offered(state, shown),
            "here": None if here is None else ArrivedPlayers(left=here.left, right=here.right),
            # An order may name an instant that lies farther ahead than a report can say.
            "timer": None if timer is None else min(timer, LAST_NS),
        }
    )


def _side(game: Game, side: Side, instant: int) -> SideReport:
    return SideReport(
        remaining_ns=game.remaining(side, instant),
        used_ns=game.used_at(side, instant),
        penalty=game.penalty(side, instant),
        credit_ns=game.accounts.of(side).credit,
        points=game.accounts.of(side).points,
        infractions=game.accounts.of(side).infractions,
    )


def _challenge(state: ClockState, game: Game) -> dict[str, Any] | None:
    number = standing_challenge(state.history, game)
    if number is None or game.challenger is None:
        return None
    return {"number": number, "challenger": game.challenger.value, "words_asked": game.rulebook.challenge.points_a_word != 0}


def _offered(state: ClockState, game: Game) -> OfferedSetUp | None:
    new = set_up_next(state.history, state.setup.offered, game)
    return None if new is None else OfferedSetUp(rulebook=new.rulebook.id, left=new.accounts.left.allowed, right=new.accounts.right.allowed)


def _name(side: Side | None) -> str | None:
    return None if side is None else side.value
