"""A verdict on offer, as the face says it: its name, large, and what follows from it for each player."""

from __future__ import annotations

from firmware.face.guidance import status
from firmware.gestures.clock_state import ClockState
from firmware.menu.describe import listed
from firmware.menu.game_text import banner
from firmware.texts import Texts
from game.events import GameEvent
from game.game import Game, Phase
from game.record import accept
from rules.side import Side


def heading(table: ClockState, game: Game) -> str:
    """Return the text above both halves: the offer, where one stands, else the game's own."""
    offer, texts = table.offer, table.setup.texts
    if standing(table) is None:
        return banner(game, texts)
    if offer.words is None:
        return texts.say(f"offer.{offer.kind.value}")
    return texts.say("offer.word") if offer.words == 1 else texts.say("offer.words", words=offer.words)


def standing(table: ClockState) -> GameEvent | None:
    """Return the event on offer, or None; until the times of a power cut are confirmed, none is."""
    return None if table.frozen is not None else table.offer.event


def consequence(table: ClockState, offered: GameEvent, side: Side, now: int) -> str:
    """Return what ``offered`` would make of that player at ``now`` (ns, the game's time): the status and the points."""
    texts, record = table.setup.texts, table.record
    before, after = record.game_at(now), accept(record, offered, now).game_at(now)
    gained = after.points.of(side) - before.points.of(side)
    points = [texts.say("mark.points" if gained > 0 else "mark.points_taken", points=gained)] if gained else []
    return texts.say("offer.then", what=listed(_state(after, side, texts), iter(points), texts))


def _state(game: Game, side: Side, texts: Texts) -> str:
    return texts.say("phase.over") if game.phase is Phase.OVER else texts.say(f"status.{status(game, side)}")
