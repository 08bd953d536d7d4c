"""The state of a game as text, for the banner and for the director's before and after."""

from __future__ import annotations

from collections.abc import Iterator

from faults.errors import as_phrase
from firmware.menu.describe import infractions, listed, signed
from firmware.texts import Texts
from game.game import Game, Phase
from rules.duration import reading
from rules.side import Side


def banner(game: Game, texts: Texts) -> str:
    """Return the text above both halves; empty while a turn runs."""
    if game.phase is Phase.NEUTRAL and game.judged is not None:
        return texts.say("phase.acceptable" if game.judged else "phase.unacceptable")
    return texts.say(f"phase.{game.phase.value}")


def phase(game: Game, texts: Texts) -> str:
    """Return the banner and whose clock runs."""
    parts = [banner(game, texts)]
    if game.running is not None:
        parts.append(texts.say("menu.runs", side=texts.say(f"side.{game.running}")))
    first, *rest = filter(None, parts)
    return listed(first, iter(rest), texts)


def reason(game: Game, texts: Texts) -> str | None:
    """Return why the clock is stopped or the game is over, or None without a reason."""
    return said_reason(game.reason, texts) if game.reason is not None and game.phase in (Phase.NEUTRAL, Phase.OVER) else None


def said_reason(reason: str, texts: Texts) -> str:
    """Return a reason in the language, if it is one of the shipped ones; the journal has it in English."""
    return texts.render(as_phrase(reason))


def capitalised(text: str) -> str:
    """Return the text with a capital at its beginning, the rest as it is."""
    return f"{text[:1].upper()}{text[1:]}"


def window(game: Game, now: int, texts: Texts) -> str | None:
    """Return title and reading of the window at ``now`` (ns), or None."""
    counted = game.window_at(now)
    return None if counted is None else f"{texts.say(f'window.{counted.name}.title')} {reading(max(0, counted.ends - now))}"


def half(game: Game, side: Side, now: int, texts: Texts) -> str:
    """Return the reading of that side at ``now`` (ns) with its marks."""
    return listed(reading(game.remaining(side, now)), _marks(game, side, now, texts), texts)


def _marks(game: Game, side: Side, now: int, texts: Texts) -> Iterator[str]:
    if game.credit.of(side):
        yield texts.say("mark.credit", time=signed(game.credit.of(side)))
    if game.penalty(side, now):
        yield texts.say("mark.penalty", points=game.penalty(side, now))
    if game.points.of(side):
        yield texts.say("mark.points" if game.points.of(side) > 0 else "mark.points_taken", points=game.points.of(side))
    if game.infractions.of(side):
        yield infractions(game.infractions.of(side), texts)
