"""Before and after: the changes that a director's event would make on the face, as short lines."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.core.events import Event
from firmware.core.game import Game
from firmware.core.record import Record, accept
from firmware.menu import game_text
from firmware.menu.setup import Setup
from firmware.texts import Texts
from rules.side import Side


def preview(record: Record, event: Event, now: int, setup: Setup) -> tuple[str, ...]:
    """Return the changes that ``event`` would make at ``now`` (ns).

    Raises:
        Refused: the game does not allow the event.
    """
    before, after = record.game_at(now), accept(record, event, now).game_at(now)
    return tuple(_differences(before, after, now, setup.texts)) or (setup.texts.say("menu.unchanged"),)


def _differences(before: Game, after: Game, now: int, texts: Texts) -> Iterator[str]:
    for side in Side:
        old, new = game_text.half(before, side, now, texts), game_text.half(after, side, now, texts)
        if old != new:
            yield texts.say("menu.change", side=texts.say(f"side.{side}"), before=old, after=new)
    yield from _then("menu.phase", game_text.phase(before, texts), game_text.phase(after, texts), texts)
    yield from _then("menu.turn", _side(before.turn, texts), _side(after.turn, texts), texts)
    yield from _status_changes(before, after, texts)
    yield from _then("menu.window", game_text.window(before, now, texts), game_text.window(after, now, texts), texts)
    yield from _then("menu.reason", game_text.reason(before, texts), game_text.reason(after, texts), texts)
    yield from _then("menu.rulebook", before.rulebook.title, after.rulebook.title, texts)


def _then(key: str, before: str | None, after: str | None, texts: Texts) -> Iterator[str]:
    if before != after:
        none = texts.say("menu.none")
        yield texts.say(key, before=before or none, after=after or none)


def _status_changes(before: Game, after: Game, texts: Texts) -> Iterator[str]:
    """Yield changes of what the face shows besides the clocks: a hold, an out play, a lost turn."""
    yield from _side_changes(before.holder, after.holder, ("menu.hold_ends", "menu.hold_begins"), texts)
    yield from _side_changes(before.out_player, after.out_player, ("menu.out_play_ends", "menu.out_play_begins"), texts)
    if after.lost_turn is not None and before.lost_turn is not after.lost_turn:
        yield texts.say("menu.loses_turn", side=texts.say(f"side.{after.lost_turn}"))
    if before.hold_noted is not after.hold_noted:
        yield texts.say("menu.hold_said" if after.hold_noted else "menu.hold_unsaid")


def _side_changes(before: Side | None, after: Side | None, keys: tuple[str, str], texts: Texts) -> Iterator[str]:
    if before is not after:
        for key, side in zip(keys, (before, after), strict=True):
            if side is not None:
                yield texts.say(key, side=texts.say(f"side.{side}"))


def _side(side: Side | None, texts: Texts) -> str | None:
    return None if side is None else texts.say(f"side.{side}")
