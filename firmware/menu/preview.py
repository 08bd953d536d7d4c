"""Before and after: what a director's event would change on the face, in short lines."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.core.duration import reading
from firmware.core.events import Event
from firmware.core.game import Game
from firmware.core.record import Record, accept
from firmware.core.side import Side
from firmware.menu.describe import listed, signed
from firmware.menu.setup import Setup
from firmware.texts import Texts


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
        old, new = _standing(before, side, now, texts), _standing(after, side, now, texts)
        if old != new:
            yield texts.say("menu.change", side=texts.say(f"side.{side}"), before=old, after=new)
    if before.phase is not after.phase:
        yield texts.say("menu.phase", before=_phase(before, texts), after=_phase(after, texts))
    if before.turn is not after.turn:
        yield texts.say("menu.turn", before=_side(before.turn, texts), after=_side(after.turn, texts))


def _standing(game: Game, side: Side, now: int, texts: Texts) -> str:
    return listed(reading(game.remaining(side, now)), _marks(game, side, now, texts), texts)


def _marks(game: Game, side: Side, now: int, texts: Texts) -> Iterator[str]:
    if game.credit.of(side):
        yield texts.say("mark.credit", time=signed(game.credit.of(side)))
    if game.penalty(side, now):
        yield texts.say("mark.penalty", points=game.penalty(side, now))
    if game.points.of(side):
        yield texts.say("mark.points", points=game.points.of(side))
    if game.infractions.of(side):
        yield texts.say("mark.infractions", count=game.infractions.of(side))


def _phase(game: Game, texts: Texts) -> str:
    return texts.say(f"menu.stands.{game.phase.value}")


def _side(side: Side | None, texts: Texts) -> str:
    return texts.say("menu.none") if side is None else texts.say(f"side.{side}")
