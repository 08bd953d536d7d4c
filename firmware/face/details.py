"""The short lines under the banner, for both players: why the clock is stopped, what is in effect, which verdict is offered."""

from __future__ import annotations

from collections.abc import Iterator

from firmware.gestures.clock_state import ClockState, offer_lapses_at
from firmware.menu.game_text import capitalised, reason
from firmware.texts import Texts
from game.events import Adjust, Infraction, Swap
from game.game import Game, Phase
from game.record import Fate, Record
from game.rulings import disconnected
from rules.duration import NS, reading
from rules.side import Side


def details(table: ClockState, game: Game, now: int) -> Iterator[str]:
    """Yield the lines for ``game``, the table's game at ``now`` (ns, the game's time), the most important first."""
    texts = table.setup.texts
    # Until the director confirms the times, buttons do nothing, so the face asks for none.
    if game.phase is Phase.ADJUDICATION and table.frozen is None:
        yield capitalised(_offer(table, now))
    if game.phase is Phase.READY and table.frozen is None:
        yield texts.say("banner.menu", bar=bar_of(table))
    why = reason(game, texts)
    if why is not None:
        yield texts.say("banner.reason", reason=capitalised(why))
    yield from _of_the_end(game, now, texts)
    yield from _minutes_to_decide(table.record.until(now), game, texts)
    if game.phase in (Phase.NEUTRAL, Phase.RUNNING) and game.holder is not None:
        yield texts.say("banner.hold_stands")
    if game.hold_noted:
        yield texts.say("banner.hold_noted")
    # The opponent of an out play has to look at it (2017 V.E).
    if game.phase in (Phase.NEUTRAL, Phase.ADJUDICATION) and game.out_player is None:
        yield texts.say("banner.no_study")  # 2017 II.A


def _offer(table: ClockState, now: int) -> str:
    texts, lapses = table.setup.texts, offer_lapses_at(table)
    if lapses is None:
        return texts.say("banner.no_offer", bar=bar_of(table))
    return texts.say("banner.take_offer", bar=bar_of(table), reading=reading(max(0, table.instant(lapses) - now)))


def bar_of(table: ClockState) -> str:
    """Return the words for the bar of this board."""
    return table.setup.texts.say("bar.two_button" if table.setup.two_button else "bar.full")


def _of_the_end(game: Game, now: int, texts: Texts) -> Iterator[str]:
    elapsed = game.elapsed(now)
    if elapsed is None:
        return
    if game.phase is Phase.LATE:
        yield texts.say("banner.both_absent", elapsed=reading(elapsed // NS * NS))
        return
    if game.excludes_recount:
        yield texts.say("banner.no_recount")
    found = disconnected(game)
    # For 20 s a player may find that tiles are not connected (2017 III.G.5.7).
    if found is not None and now < found.ends and game.window_at(now) is None:
        yield texts.say("banner.disconnected", reading=reading(found.ends - now))
    yield texts.say("banner.since_end", elapsed=reading(elapsed // NS * NS))


def _minutes_to_decide(record: Record, game: Game, texts: Texts) -> Iterator[str]:
    every = game.rulebook.infractions_a_minute
    for side, count in game.infractions.items():
        if every is not None and count and count % every == 0 and not _decided(record, side):
            yield texts.say("banner.infractions", count=count)


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
