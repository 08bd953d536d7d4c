"""Before and after: what a director's event would change on the face, in short lines."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.core.duration import reading
from firmware.core.events import Event
from firmware.core.game import Game
from firmware.core.record import Record, accept
from firmware.core.side import Side
from firmware.menu.setup import Setup
from firmware.menu.steps import signed


def preview(record: Record, event: Event, now: int, setup: Setup) -> tuple[str, ...]:
    """Return what ``event`` would change at ``now`` (ns).

    Raises:
        Refused: it is not allowed.
    """
    before, after = record.game_at(now), accept(record, event, now).game_at(now)
    return tuple(_differences(before, after, now, setup)) or (setup.texts.say("menu.unchanged"),)


def _differences(before: Game, after: Game, now: int, setup: Setup) -> Iterator[str]:
    texts = setup.texts
    for side in Side:
        old, new = _standing(before, side, now), _standing(after, side, now)
        if old != new:
            yield texts.say("menu.change", side=texts.say(f"side.{side}"), before=old, after=new)
    if before.phase is not after.phase:
        yield texts.say("menu.phase", before=before.phase.value, after=after.phase.value)
    if before.turn is not after.turn:
        yield texts.say("menu.turn", before=_side(before.turn, setup), after=_side(after.turn, setup))


def _standing(game: Game, side: Side, now: int) -> str:
    credit, points, penalty = game.credit.of(side), game.points.of(side), game.penalty(side, now)
    parts = [
        reading(game.remaining(side, now)),
        f"({signed(credit)})" if credit else "",
        f"-{penalty} p" if penalty else "",
        f"+{points} p" if points else "",
        f"#{game.infractions.of(side)}" if game.infractions.of(side) else "",
    ]
    return " ".join(part for part in parts if part)


def _side(side: Side | None, setup: Setup) -> str:
    return setup.texts.say("menu.none") if side is None else setup.texts.say(f"side.{side}")
