"""The rows of the table menu: which a game offers in which order, and what stands on the pages behind them (docs/spec/events.md, "Rows by phase")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from firmware.core.game import Game, Phase
from firmware.core.record import Record
from firmware.menu.setup import Setup
from firmware.table_menu.deeds import DECISIONS, MINUTE_ROWS, SIX_ZEROS, possible
from firmware.table_menu.value import Row
from firmware.texts.message import message
from rules.duration import NS, reading
from rules.limits import WORDS_IN_CHALLENGE
from rules.side import Side

CLOSE: Final = "close"
NO, YES, AGREED = "no", "yes", "agreed"
WHO_ROWS: Final = ("out_play", "infraction", "allowance", *MINUTE_ROWS)
"""The rows that ask for a player first."""
AGREED_ROWS: Final = ("take_back", *MINUTE_ROWS)
"""The rows that both players agree on."""
_STOPPED: Final = (
    "challenge",
    "reason",
    "frames",
    "out_play",
    "take_back",
    "infraction",
    *MINUTE_ROWS,
    "call",
    "six_zeros",
)
_BY_PHASE: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.READY: ("allowance", "rulebook", "frames", "take_back", "call"),
    Phase.LATE: ("call", "take_back"),
    Phase.NEUTRAL: _STOPPED,
    Phase.ADJUDICATION: ("words", "take_back", "infraction", "call"),
    Phase.OVER: ("next_game", "recount", "frames", "allowance", "rulebook", "take_back", "call"),
}
_PENDING: Final = ("challenge", "reason", "take_back", "call")
_NO_TURN: Final = ("call", "frames")
_FRAMES: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.READY: ("late_start", "between_rounds"),
    Phase.NEUTRAL: ("missed_press", "return_to_table", "mixing", *DECISIONS),
    Phase.OVER: ("between_rounds", "disconnected"),
}
_OWN_ROWS: Final = ("challenge", "six zeros")
"""Reasons of a stop that are rows of their own."""
_SHORTEST_MINUTES: Final = 5
_LONGEST_MINUTES: Final = 60


def first_page(record: Record, setup: Setup, at: int) -> tuple[Row, ...]:
    """Return the rows of the first page at ``at`` (ns, the game's time)."""
    game = record.game_at(at)
    rows = (name for name in _names(game) if _offered(name, record, setup, at))
    return tuple(_row(name, game) for name in (*rows, CLOSE))


def rows_behind(path: tuple[str, ...], record: Record, setup: Setup, at: int) -> tuple[Row, ...]:
    """Return the rows of the page that ``path`` leads to; none where it leads to no page of rows."""
    game = record.game_at(at)
    match path:
        case ("reason",):
            return tuple(Row(each, message("table_menu.reason", reason=each)) for each in setup.reasons["stop"] if each not in _OWN_ROWS)
        case ("words",):
            return (Row("1", message("table_menu.word")), *(_words(count) for count in range(2, WORDS_IN_CHALLENGE + 1)))
        case ("frames",):
            return tuple(_frame(name, game) for name in _frames(record, setup, at))
        case ("six_zeros",):
            return (Row(NO, message("table_menu.no")), Row(YES, message("table_menu.yes.six_zeros")))
        case ("out_play", _):
            return (Row(NO, message("table_menu.no")), Row(YES, message("table_menu.yes.out_play")))
        case ("allowance", side):
            return tuple(_time(ns) for ns in _times(game.allowed.of(Side(side))))
        case ("rulebook",):
            return tuple(Row(name, message("table_menu.rulebook", title=rulebook.title)) for name, rulebook in setup.rulebooks)
        case _:
            return ()


def _names(game: Game) -> tuple[str, ...]:
    if game.phase is Phase.OUT_PLAY or (game.phase is Phase.NEUTRAL and game.out_player is not None):
        return _PENDING
    if game.phase is Phase.NEUTRAL and game.turn is None:
        return _NO_TURN
    return _BY_PHASE.get(game.phase, ())


def _offered(name: str, record: Record, setup: Setup, at: int) -> bool:
    game = record.game_at(at)
    match name:
        case "frames":
            return bool(_frames(record, setup, at))
        case "words":
            return bool(game.rulebook.challenge.points_a_word)
        case "call":
            return not game.called
        case "rulebook":
            others = any(named != next_ref for named, _ in setup.rulebooks for next_ref in (game.rulebook.id,))
            return setup.players_choose_rulebook and others and _can_set_up(record, setup, at)
        case "allowance":
            return _can_set_up(record, setup, at)
        case "six_zeros":
            return game.rulebook.six_zeros_by == "players" and possible((name, YES), record, setup, at)
        case "reason":
            return possible((name, SIX_ZEROS), record, setup, at)
        case "take_back":
            return possible((name, AGREED), record, setup, at)
        case "clock_hit_in_error" | "wrong_board":
            minute = game.rulebook.minutes.get(name)
            return minute is not None and minute.by == "players" and possible((name, str(Side.LEFT), AGREED), record, setup, at)
        case "out_play" | "infraction":
            return any(possible((name, str(side)), record, setup, at) for side in Side)
        case _:
            return possible((name,), record, setup, at)


def _can_set_up(record: Record, setup: Setup, at: int) -> bool:
    return possible(("next_game",), record, setup, at)


def _frames(record: Record, setup: Setup, at: int) -> tuple[str, ...]:
    game = record.game_at(at)
    names = (name for name in _FRAMES.get(game.phase, ()) if name not in game.rulebook.directors_windows)
    paths = {name: ("frames", name, str(Side.LEFT)) if name in DECISIONS else ("frames", name) for name in names}
    return tuple(name for name, path in paths.items() if possible(path, record, setup, at))


def _row(name: str, game: Game) -> Row:
    length = game.rulebook.windows.get(name)
    return Row(name, message(f"table_menu.row.{name}") if length is None else message(f"table_menu.row.{name}", reading=reading(length)))


def _frame(name: str, game: Game) -> Row:
    return Row(name, message(f"table_menu.frame.{name}", reading=reading(game.rulebook.windows[name])))


def _words(count: int) -> Row:
    return Row(str(count), message("table_menu.words", count=count))


def _time(ns: int) -> Row:
    return Row(str(ns), message("table_menu.time", reading=reading(ns)))


def _times(present: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys((present, *(minutes * 60 * NS for minutes in range(_SHORTEST_MINUTES, _LONGEST_MINUTES + 1)))))
