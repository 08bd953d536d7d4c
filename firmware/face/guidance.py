"""What the face tells the players: each one's status and one instruction, and the short lines under the banner for both (docs/spec/events.md, "The face").

Of a result too: the pages on which it is entered and signed, and what stands after the end. Each half reads both scores for its own player, so that both
have read what they sign.
"""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from firmware.face.schedule import answers_at
from firmware.face.value import Face, MenuFace
from firmware.gestures.clock_state import ClockState, lapses_at
from firmware.gestures.meaning import decider, own_place
from firmware.menu.describe import capitalised, reason
from firmware.menu.describe import window as window_words
from firmware.table_menu.actions import Entry, owed
from firmware.texts import KeyedMessage, Texts, message
from game.events import Adjust, Infraction, Swap
from game.game import COURTESY_DRAW, RECOUNT, Ending, Game, Phase
from game.history import History
from game.rulings import FORFEIT, LATE_START, RESIGNATION, disconnected, is_forfeit
from rules.duration import NS, GameTime, reading
from rules.result import outcome
from rules.rulebooks.model import TILE_DECISION
from rules.side import BySide, Side

_LOSES: Final = {
    Ending.LIMIT: ("lost_limit", "opponent_lost_limit"),
    FORFEIT: ("forfeited", "opponent_forfeited"),
    RESIGNATION: ("resigned", "opponent_resigned"),
}
_STATUS: Final = {
    ("ready", "either"): "ready",
    ("late", "present side"): "present",
    ("running", "the side that waits for the opponent's turn"): "waiting",
    ("running", "the side that waits while the opponent decides"): "waiting",
    ("hold", "holder"): "you_hold",
    ("hold", "on hold"): "on_hold",
    ("out_play", "out player"): "out",
    ("out_play", "opponent"): "opponent_out",
    ("neutral", "on turn"): "on_turn",
    ("neutral", "waiting"): "off_turn",
    ("neutral", "on hold"): "off_turn",
    ("neutral", "no turn yet"): "none",
    ("neutral, pending", "out player"): "out",
    ("neutral, pending", "opponent"): "opponent_out",
}
"""A player's status as a key of the texts, by the rows of ``OWN_BUTTON``."""
_HOLDS: Final = ("hold_counting", "hold_counting_beside", "hold_draw", "hold_no_draw")
_ON_HOLD: Final = ("on_hold_counting", "on_hold_counting_beside", "on_hold_draw", "on_hold_no_draw")
"""While the courtesy draw counts, in its card or beside another window, once it may be made, and where the rulebook has none."""
_QUIET: Final = frozenset({"prompt.your_turn", "prompt.wait"})


def status(game: Game, side: Side) -> str:
    place = own_place(game, side)
    match place:
        case ("out_play" | "neutral, pending", who) if game.turns_over:
            return "last_turn" if who == "out player" else "opponent_last_turn"
        case ("neutral", _) if game.lost_turn is side:
            return "lost_turn"
        case ("late", "absent side"):
            return "absent" if game.running is side else "absent_both"
        case ("running", "the side that runs"):
            return "your_turn" if game.turn is side and not game.deciding else "deciding"
        case ("hold, pending", _):
            # In New Zealand the opponent's clock may start without a hold (NZ 8.2.1).
            return "out_open" if game.holder is None else "out_held"
        case ("adjudication", _):
            return "challenger" if game.challenger is side else "challenged"
        case ("over", _):
            lost, won = _LOSES.get(game.reason or "", ("none", "none"))
            return "none" if game.loser is None else lost if game.loser is side else won
        case _:
            return _STATUS[place]


def prompt(game: Game, side: Side, now: GameTime) -> KeyedMessage:
    key, values = _prompt(game, side, now)
    return message(f"prompt.{key}", **values)


def is_quiet(instruction: KeyedMessage) -> bool:
    return instruction.key in _QUIET


def _prompt(game: Game, side: Side, now: GameTime) -> tuple[str, dict[str, str]]:
    if game.phase is Phase.ADJUDICATION:
        return _adjudication(game, side), {}
    if game.phase is Phase.OVER:
        return _over(game, side)
    if game.out_player is not None:
        return _out_play(game, side, now)
    if game.phase is Phase.HOLD:
        return _hold(game, side, now)
    return asked_first(game, now) or own_button(game, side, now), {}


def asked_first(game: Game, now: GameTime) -> str | None:
    """Return what to do once a time frame is over that asks for more than a press, as a key of the prompts."""
    window = game.window_at(now)
    if window is None or now < window.ends or game.phase not in (Phase.READY, Phase.NEUTRAL):
        return None
    if window.name == LATE_START and game.rulebook.late_started_by == "players":
        return "start_late"
    return "call_director" if window.name in (LATE_START, TILE_DECISION) else None


def own_button(game: Game, side: Side, now: GameTime) -> str:
    match game.phase:
        case Phase.LATE:
            return "arrive" if side in game.absent else "opponent_late"
        case Phase.RUNNING if game.turn is game.running and not game.deciding:
            return "your_turn" if game.running is side else "wait"
        case Phase.RUNNING:
            return "decide" if game.running is side else "opponent_decides"
        case Phase.NEUTRAL:
            return _restart(game, side, now)
    return "start"


def _restart(game: Game, side: Side, now: GameTime) -> str:
    decides = decider(game, now)
    if decides is not None:
        return "decision_wait" if decides is side else "decision_start"
    if game.ruling is None and game.turn is not None:
        # A stop may be for more than to go on: to play out, or to challenge.
        return "go_on_wait" if game.turn is side else "go_on"
    return "wait_start" if game.turn is side else "start"


def _hold(game: Game, side: Side, now: GameTime) -> tuple[str, dict[str, str]]:
    counting, beside, draw, none = _HOLDS if game.running is side else _ON_HOLD
    if game.draw is None:
        return none, {}
    left = game.draw.ends - now
    if left <= 0:
        return draw, {}
    window = game.window_at(now)
    # The card has the seconds, unless another window stands there.
    return (counting, {}) if window is None or window.name == COURTESY_DRAW else (beside, {"reading": reading(left)})


def _adjudication(game: Game, side: Side) -> str:
    if game.challenger is side:
        return "challenger"
    # Only the opponent of an out play can challenge it.
    return "challenged" if game.out_player is None else "challenged_out"


def _over(game: Game, side: Side) -> tuple[str, dict[str, str]]:
    limit = game.rulebook.limit
    if game.limit_loser is None or limit is None or not limit.wins_by:
        return "signed", {}
    if limit.wins_by == 1:
        return ("limit_lost" if game.loser is side else "limit_won"), {}
    return ("limit_lost_by" if game.loser is side else "limit_won_by"), {"points": str(limit.wins_by)}


def _out_play(game: Game, side: Side, now: GameTime) -> tuple[str, dict[str, str]]:
    if side is game.out_player:
        return _out_player(game, now)
    return ("out_play_answer" if game.phase is Phase.OUT_PLAY else "out_play_held"), {}


def _out_player(game: Game, now: GameTime) -> tuple[str, dict[str, str]]:
    left = game.out_play_ends - now
    if game.phase is Phase.HOLD:
        return ("out_open" if game.holder is None else "out_held"), {}
    if game.phase is Phase.NEUTRAL and game.holder is None and game.rulebook.out_play_ends_game:
        # The press is a hold, and starts no turn.
        return "out_play_stopped", {}
    if game.phase is Phase.NEUTRAL or left <= 0:
        return "start", {}
    return ("out_play_counting" if game.rulebook.out_play_ends_game else "out_play_wait"), {"reading": reading(left)}


def details(state: ClockState, game: Game, now: GameTime) -> Iterator[str]:
    """Yield the lines for ``game``, the table's game at ``now`` (ns, the game's time), the most important first."""
    texts = state.setup.texts
    # Until the director confirms the times, buttons do nothing, so the face asks for none.
    if game.phase is Phase.ADJUDICATION and state.frozen is None:
        yield capitalised(_offer(state, now))
    if game.ruling == "withdrawn":
        yield texts.say("banner.withdrawn")
    asks = game.phase in (Phase.OUT_PLAY, Phase.NEUTRAL, Phase.OVER)
    if asks and game.alleged_out_player is not None and state.frozen is None and not game.turns_over:
        yield texts.say("banner.not_out")
    if game.phase is Phase.READY and state.frozen is None:
        yield texts.say("banner.menu")
    least = game.rulebook.late_forfeits_below_ns
    # A late player may have to choose before the first clock starts (WESPA 2.3.4).
    if game.phase is Phase.READY and least is not None and any(game.used.of(s) and game.remaining(s, now) < least for s in Side):
        yield texts.say("banner.may_forfeit", reading=reading(least))
    if why := why_stopped(game, texts):
        yield why
    yield from _of_the_end(game, now, texts)
    yield from _minutes_to_decide(state.history, game, texts)
    if game.phase in (Phase.NEUTRAL, Phase.RUNNING) and game.holder is not None:
        yield texts.say("banner.hold_stands")
    if game.hold_noted:
        yield texts.say("banner.hold_noted")
    # The opponent of an out play has to look at it (2017 V.E).
    if game.phase in (Phase.NEUTRAL, Phase.ADJUDICATION) and game.out_player is None:
        yield texts.say("banner.no_study")  # 2017 II.A


def why_stopped(game: Game, texts: Texts) -> str:
    why = reason(game, texts)
    # What both states say already is not said once more.
    if why is None or (game.loser is not None and game.reason in _LOSES):
        return ""
    # Alone it would read as a state: a director who was called may have come and gone.
    return texts.say("banner.reason", reason=why) if game.phase is Phase.NEUTRAL else capitalised(why)


def _offer(state: ClockState, now: GameTime) -> str:
    texts, lapses = state.setup.texts, lapses_at(state)
    if lapses is None:
        back = state.history.game.rulebook.challenge.may_withdraw
        return texts.say("banner.no_offer_back" if back else "banner.no_offer")
    return texts.say("banner.offer", reading=reading(max(0, state.instant(lapses) - now)))


def _of_the_end(game: Game, now: GameTime, texts: Texts) -> Iterator[str]:
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


def _minutes_to_decide(history: History, game: Game, texts: Texts) -> Iterator[str]:
    every = game.rulebook.infractions_a_minute
    for side, account in game.accounts.items():
        count = account.infractions
        if every is not None and count and count % every == 0 and not _decided(history, side):
            yield texts.say("banner.infractions", count=count)


def _decided(history: History, side: Side) -> bool:
    """Return whether, since that side's latest infraction, time was adjusted or the next turn began."""
    later: list[History] = []
    for link in history.standing():
        if isinstance(link.event, Infraction) and link.event.side is side:
            return _decided_in(later[::-1], link.game.turn)
        if isinstance(link.event, Swap):
            side = side.other
        later.append(link)
    return False


def _decided_in(later: list[History], turn: Side | None) -> bool:
    """Return the same for the links ``later`` (oldest first) than an infraction in that side's turn."""
    for link in later:
        if isinstance(link.event, Swap) and turn is not None:
            turn = turn.other
        elif isinstance(link.event, Adjust) or (link.game.running is not None and link.game.turn is not turn):
            return True
    return False


def entry_page(entry: Entry, reader: Side, state: ClockState, now: GameTime) -> MenuFace:
    texts, game = state.setup.texts, state.history.game_at(now)
    own = entry.side is reader
    title = texts.say(f"result.{entry.what}_{'you' if own else 'opponent'}")
    name = state.setup.seats.names.of(entry.side)
    title = texts.say("menu.detail", what=title, detail=name) if name else title
    hint = texts.say("result.hint_up" if reader is Side.LEFT else "result.hint_down")
    less = any(game.penalty(side, now) for side in Side) and entry.what == "score"
    lines = (*((texts.say("result.before_overtime"),) if less else ()), *_counting(game, now, texts))
    move = -1 if reader is Side.LEFT else 1
    if own:
        return MenuFace(title, (), None, hint, lines, own_move=move, figures=(entry.digits,), digit=entry.place)
    return MenuFace(title, (), None, "", lines, sentence=texts.say("result.entering", digits=entry.digits, hint=hint), own_move=move)


def sign_page(reader: Side, state: ClockState, now: GameTime) -> MenuFace:
    texts, game, draft = state.setup.texts, state.history.game_at(now), state.draft
    final, signed = draft.final(game, now), draft.signed(game, now)
    # The page covers the place of other answers to a press.
    apart = any(each.message.key == "result.apart" for each in answers_at(state, now - state.offset))
    hint = texts.say("result.apart" if apart else "result.wait" if reader in signed else "result.sign")
    own, other = final.of(reader), final.of(reader.other)
    # If not all lines fit, the last is left out.
    said = (
        *((texts.say("result.opponent_signed"),) if reader.other in signed else ()),
        *_counting(game, now, texts),
        *_sums(state, game, reader, now),
    )
    # Right-aligned on an LED display: the score, then the margin with its sign.
    figures = (f"{own}", f"{own - other:+d}")
    return MenuFace(_won(final, reader, _TO_SIGN).said(texts), (), None, "", tuple(said), sentence=hint, figures=figures)


def _counting(game: Game, now: GameTime, texts: Texts) -> Iterator[str]:
    counts, words = game.window_at(now), window_words(game, now, texts)
    if counts is None or words is None or now >= counts.ends:
        return
    yield texts.say("result.recount", reading=reading(counts.ends - now)) if counts.name == RECOUNT else words


def _sums(state: ClockState, game: Game, reader: Side, now: GameTime) -> Iterator[str]:
    texts, draft = state.setup.texts, state.draft
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
        # The title has the final scores.
        if said != str(counts):
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
    return replace(face, code=rows, hint=state.setup.texts.say("strip.receipt"))
