"""What the halves say of a result: the pages on which it is entered and signed, and what stands after the end of a game whose result belongs to the clock.

Each half reads both scores for its own player, so that both have read what they sign.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from firmware.face.guidance import bar_of
from firmware.face.value import Face, MenuFace
from firmware.gestures.clock_state import ClockState
from firmware.table_menu.draft import Draft, Entry, owed
from firmware.texts import KeyedMessage, message
from game.game import Game
from game.rulings import is_forfeit
from rules.duration import GameTime
from rules.result import outcome
from rules.side import BySide, Side


def entry_page(entry: Entry, reader: Side, state: ClockState, now: GameTime, bar: str) -> MenuFace:
    texts, game = state.setup.texts, state.history.game_at(now)
    own = entry.side is reader
    title = texts.say(f"result.{entry.what}_{'you' if own else 'opponent'}")
    name = state.setup.seats.names.of(entry.side)
    title = texts.say("menu.detail", what=title, detail=name) if name else title
    hint = texts.say("result.hint_up" if reader is Side.LEFT else "result.hint_down", bar=bar)
    lines = (texts.say("result.before_overtime"),) if any(game.penalty(side, now) for side in Side) and entry.what == "score" else ()
    move = -1 if reader is Side.LEFT else 1
    if own:
        return MenuFace(title, (), None, hint, lines, own_move=move, figures=(entry.digits,), digit=entry.place)
    return MenuFace(title, (), None, "", lines, sentence=texts.say("result.entering", digits=entry.digits, hint=hint), own_move=move)


def sign_page(reader: Side, state: ClockState, now: GameTime, bar: str) -> MenuFace:
    texts, game, draft = state.setup.texts, state.history.game_at(now), state.draft or Draft()
    final, signed = draft.final(game, now), draft.signed(game, now)
    hint = texts.say("result.wait" if reader in signed else "result.sign", bar=bar)
    own, other = final.of(reader), final.of(reader.other)
    # Where not all fits the last line is left out: both final scores are in the title.
    said = (*((texts.say("result.opponent_signed"),) if reader.other in signed else ()), *_sums(state, game, reader, now))
    # Right-aligned on an LED display: the score, then the margin with its sign.
    figures = (f"{own}", f"{own - other:+d}")
    return MenuFace(_won(final, reader, _TO_SIGN).said(texts), (), None, "", tuple(said), sentence=hint, figures=figures)


def _sums(state: ClockState, game: Game, reader: Side, now: GameTime) -> Iterator[str]:
    texts, draft = state.setup.texts, state.draft or Draft()
    final = draft.final(game, now)
    for side in (reader, reader.other):
        who = "you" if side is reader else "opponent"
        score, counts = draft.scores.of(side), final.of(side)
        penalty = 0 if draft.taken_off else game.penalty(side, now)
        said = str(score) if not penalty else texts.say("result.less", score=score, points=penalty, left=score - penalty)
        if score - penalty != counts:
            said = texts.say("result.becomes", before=said, after=counts)
        if game.rulebook.result.bonus_words:
            said = texts.say("result.with_words", score=said, count=draft.words.of(side))
        yield texts.say(f"result.entered_{who}", said=said)


_TO_SIGN: Final = ("result.won", "result.lost", "result.tie")
_SIGNED: Final = ("prompt.signed_won", "prompt.signed_lost", "prompt.signed_tie")


def _won(final: BySide[int], reader: Side, keys: tuple[str, str, str]) -> KeyedMessage:
    found, (won, lost, tie) = outcome(final), keys
    own, other = final.of(reader), final.of(reader.other)
    key = tie if found.winner is None else won if found.winner is reader else lost
    return KeyedMessage(key, (("own", own), ("other", other), ("margin", found.margin)))


def over_prompt(state: ClockState, game: Game, side: Side) -> KeyedMessage | None:
    """Return the instruction after the end of a game whose result belongs to the clock; None: it does not, or nothing was played."""
    if game.disputed:
        return message("prompt.disputed")
    if game.result is not None:
        return _won(game.result.final, side, _SIGNED)
    if game.end is None or not state.setup.results:
        return None
    if not is_forfeit(game):
        return message("prompt.sign") if owed(game, state.setup) else None
    if game.loser is None:
        return message("prompt.forfeit")
    return message("prompt.forfeit_lost" if game.loser is side else "prompt.forfeit_won", points=game.rulebook.result.forfeit_spread)


def final_mark(game: Game, side: Side) -> str | None:
    if game.result is None:
        return None
    own, other = game.result.final.of(side), game.result.final.of(side.other)
    return f"{own} ({own - other:+d})"


def with_receipt(face: Face, state: ClockState, rows: tuple[str, ...]) -> Face:
    return replace(face, code=rows, hint=state.setup.texts.say("strip.receipt", bar=bar_of(state)))
