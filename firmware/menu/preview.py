"""Before and after: the changes that a director's event would make on the face, as short lines."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.menu import game_text
from firmware.menu.describe import signed
from firmware.menu.setup import Setup
from firmware.menu.steps import Context
from firmware.texts import Texts
from game.events import By, Event, NewGame, When
from game.game import Game
from game.record import Record, accept
from rules.duration import reading
from rules.side import Side


def preview(record: Record, event: Event, now: int, setup: Setup) -> tuple[str, ...]:
    """Return the changes that ``event`` by the director would make at ``now`` (ns), the most important first.

    Raises:
        EventNotAllowed: the game does not allow the event.
    """
    before, after = record.game_at(now), accept(record, event, now, by=By.DIRECTOR).game_at(now)
    changes = tuple(_differences(before, after, now, setup.texts))
    if isinstance(event, NewGame):
        # Times that change from one game to the next are no correction of either.
        left, right = (reading(after.remaining(side, now)) for side in Side)
        return (setup.texts.say("hall.next_game", rulebook=after.rulebook.title, left=left, right=right), *changes)
    return changes or (setup.texts.say("menu.unchanged"),)


def total(action: str, context: Context) -> tuple[str, ...]:
    """Return, for the pages of giving or taking time, for whom it is and what it would come to."""
    if action != "adjust" or not context.chosen:
        return ()
    side, *rest = context.chosen
    amount, when = (*rest, context.amount, When.NOW)[:2] if rest else (context.amount, When.NOW)
    reads = context.game.remaining(side, context.now)
    credit = context.game.credit.of(side)
    if len(rest) > 1 and when is When.END:
        before, after = (context.texts.say("mark.credit", time=signed(ns)) for ns in (credit, credit + amount))
    else:
        before, after = reading(reads), reading(reads + amount)
    said = context.texts.say(f"side.{side}")
    return (context.texts.say("menu.total", who=said, before=before, after=after),)


def _differences(before: Game, after: Game, now: int, texts: Texts) -> Iterator[str]:
    for side in Side:
        change = _half(before, after, side, now, texts)
        if change is not None:
            yield texts.say("menu.change", side=texts.say(f"side.{side}"), before=change[0], after=change[1])
    yield from _then("menu.phase", game_text.phase(before, texts), game_text.phase(after, texts), texts)
    yield from _then("menu.turn", _side(before.turn, texts), _side(after.turn, texts), texts)
    yield from _status_changes(before, after, texts)
    yield from _then("menu.window", game_text.window(before, now, texts), game_text.window(after, now, texts), texts)
    yield from _then("menu.reason", game_text.reason(before, texts), game_text.reason(after, texts), texts)
    yield from _then("menu.rulebook", texts.render(before.rulebook.title), texts.render(after.rulebook.title), texts)


def _half(before: Game, after: Game, side: Side, now: int, texts: Texts) -> tuple[str, str] | None:
    """Return a half before and after: its readings alone if its marks stay; None if nothing changes."""
    old, new = (game_text.half(game, side, now, texts) for game in (before, after))
    if old == new:
        return None
    readings = tuple(reading(game.remaining(side, now)) for game in (before, after))
    same_marks = old.removeprefix(readings[0]) == new.removeprefix(readings[1])
    return (readings[0], readings[1]) if same_marks else (old, new)


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
    if after.challenger is not None and before.challenger is not after.challenger:
        yield texts.say("menu.challenges", side=texts.say(f"side.{after.challenger}"))
    if after.loser is not None and before.loser is not after.loser:
        yield texts.say("menu.loses", side=texts.say(f"side.{after.loser}"))
    if before.called is not after.called:
        yield texts.say("menu.called_now" if after.called else "menu.answered")
    if before.hold_noted is not after.hold_noted:
        yield texts.say("menu.hold_said" if after.hold_noted else "menu.hold_unsaid")


def _side_changes(before: Side | None, after: Side | None, keys: tuple[str, str], texts: Texts) -> Iterator[str]:
    if before is not after:
        for key, side in zip(keys, (before, after), strict=True):
            if side is not None:
                yield texts.say(key, side=texts.say(f"side.{side}"))


def _side(side: Side | None, texts: Texts) -> str | None:
    return None if side is None else texts.say(f"side.{side}")
