"""The short lines under the banner: why the clock is stopped, what is in effect, what to do next."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.core.events import Adjust, Infraction, Swap
from firmware.core.game import COURTESY_DRAW, Game, Phase
from firmware.core.record import Fate, Record
from firmware.core.windows import recount_possible
from firmware.gestures.clock_state import ClockState
from firmware.menu.game_text import reason
from firmware.texts import Texts
from rules.side import Side


def details(table: ClockState, game: Game, now: int) -> Iterator[str]:
    """Yield the lines for ``game``, the table's game at ``now`` (ns, the game's time)."""
    texts = table.setup.texts
    why = reason(game, texts)
    if why is not None:
        yield texts.say("banner.reason", reason=why)
    # Until the director confirms the times, buttons do nothing, so the face asks for none.
    if table.frozen is None:
        yield from _what_to_do(table, game, now)
    yield from _in_effect(game, now, texts)
    if game.phase in (Phase.NEUTRAL, Phase.ADJUDICATION):
        yield texts.say("banner.no_study")  # 2017 II.A; the opponent of an out play has to look at it (2017 V.E)
    yield from _minutes_to_decide(table.record.until(now), game, texts)


def _in_effect(game: Game, now: int, texts: Texts) -> Iterator[str]:
    if game.phase is Phase.NEUTRAL and game.holder is not None:
        yield texts.say("banner.hold_stands", side=texts.say(f"side.{game.holder}"))
    if game.phase is Phase.HOLD and game.out_player is not None:
        yield texts.say("banner.out_play_held")
    elif game.phase is Phase.HOLD and COURTESY_DRAW in game.rulebook.windows and game.window_at(now) is None:
        yield texts.say("window.courtesy_draw.expired")
    if game.hold_noted:
        yield texts.say("banner.hold_noted")


def _what_to_do(table: ClockState, game: Game, now: int) -> Iterator[str]:
    texts = table.setup.texts
    bar = texts.say("bar.two_button" if table.setup.two_button else "bar.full")
    if game.phase is Phase.NEUTRAL:
        yield from _restart(game, texts)
    if game.phase is Phase.ADJUDICATION:
        offer = "binding" if table.offer.kind.value == "back" and not game.rulebook.challenge.may_withdraw else table.offer.kind.value
        yield texts.say(f"banner.offer_{offer}", bar=bar)
    if recount_possible(game) and game.window_at(now) is None:
        yield texts.say("banner.recount", bar=bar)


def _restart(game: Game, texts: Texts) -> Iterator[str]:
    if game.unexplained:
        yield texts.say("banner.reason_wanted")
    if game.turn is not None and game.out_player is None:
        side, other = texts.say(f"side.{game.turn}"), texts.say(f"side.{game.turn.other}")
        yield texts.say("banner.restart", side=side, other=other)


def _minutes_to_decide(record: Record, game: Game, texts: Texts) -> Iterator[str]:
    every = game.rulebook.infractions_a_minute
    for side, count in game.infractions.items():
        if every is not None and count and count % every == 0 and not _decided(record, side):
            yield texts.say("banner.infractions", count=count, side=texts.say(f"side.{side}"))


def _decided(record: Record, side: Side) -> bool:
    """Return whether, since that side's latest infraction, time was adjusted or the next turn began."""
    later: list[Record] = []
    for link in record:
        if link.fate is not Fate.VALID:
            continue
        if isinstance(link.event, Infraction) and link.event.side is side:
            return _decided_in(later[::-1], link.game.turn)
        if isinstance(link.event, Swap):
            side = side.other
        later.append(link)
    return False


def _decided_in(later: list[Record], turn: Side | None) -> bool:
    """Return the same for the links ``later`` (oldest first) than an infraction in that side's turn."""
    for link in later:
        if isinstance(link.event, Swap) and turn is not None:
            turn = turn.other
        elif isinstance(link.event, Adjust) or (link.game.running is not None and link.game.turn is not turn):
            return True
    return False
