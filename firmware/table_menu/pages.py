"""The pages of the table menu: the rows of a phase and a rulebook, in which order, and the pages behind them (docs/spec/events.md, "Rows by phase").

Rows keep their places while the menu is open: what the game refuses now stays, with the reason.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase
from firmware.menu.actions import AGO
from firmware.menu.describe import ago
from firmware.menu.setup import Setup
from firmware.table_menu.actions import (
    CHANGE,
    DIGITS,
    DISPUTE,
    EMPTY,
    MINUTE_ROWS,
    RECEIPT,
    REGULATION,
    RESULT,
    RESUMING,
    SCORE,
    TAKEN_OFF,
    WORDS,
    AgreedChange,
    Draft,
    Entry,
    PageKind,
    TableMenu,
    TablePage,
    TableRow,
    action_of,
    made,
    owed,
    refusal,
    round_ago,
)
from firmware.texts import KeyedMessage, message
from game.events import Undo
from game.game import RECOUNT, SIX_ZEROS, ZEROS, EventNotAllowed, Game, Phase
from game.history import PLAYERS_UNDO_NS, History, players_last_act
from game.rulings import BETWEEN_ROUNDS, DISCONNECTED, LATE_START, MISSED_PRESS, RECOUNT_WARNING, disconnected, fresh
from game.table import is_offered, next_game
from rules.duration import NS, reading
from rules.rulebooks.model import DECISIONS, Rulebook
from rules.side import Side
from rules.tables import WORDS_IN_CHALLENGE

CLOSE, BACK, CALL = "close", "back", "call"
"""The last row of the first page, and of the pages behind it; and the one on which the menu opens, because it does no harm."""
NO, YES, AGREED = "no", "yes", "agreed"
_OUT_PLAYS, _RESIGNATIONS = ({f"{name} {side}": side for side in Side} for name in ("out_play", "resignation"))
_OF_A_PLAYER: Final = {**_OUT_PLAYS, **_RESIGNATIONS}
# What cannot wait is next to the row on which the menu opens.
_STOPPED: Final = (
    *("challenge", "reason", CALL, "take_back", "frames", *_OUT_PLAYS),
    *("infraction", *MINUTE_ROWS, "six_zeros", *_RESIGNATIONS),
)
_BY_PHASE: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.READY: ("allowance", "rulebook", "frames", "late_clock", "take_back", CALL, "next_game"),
    Phase.LATE: (CALL, "take_back"),
    Phase.NEUTRAL: _STOPPED,
    Phase.ADJUDICATION: ("words", *_OUT_PLAYS, "take_back", CALL, "infraction"),
    Phase.OVER: (RESULT, RECEIPT, DISPUTE, "not_out", "frames", "recount", "allowance", "rulebook", "take_back", CALL, "next_game"),
}
# While a window counts, the cursor moves down only.
_PENDING: Final = (CALL, "not_out", "challenge", "hold", "take_back", "reason")
_JUDGED_OUT: Final = ("not_out", "take_back", CALL, "infraction")
_NO_TURN: Final = (CALL, "frames")
_FRAMES: Final[Mapping[Phase, tuple[str, ...]]] = {
    Phase.READY: (LATE_START, BETWEEN_ROUNDS),
    Phase.NEUTRAL: (MISSED_PRESS, *RESUMING, *DECISIONS),
    Phase.OVER: (RECOUNT_WARNING, BETWEEN_ROUNDS, DISCONNECTED),
}
_BACK: Final = TableRow(BACK, message("table_menu.back"))
_OWN_ROWS: Final = ("challenge", SIX_ZEROS, ZEROS)
_NEXT_GAME: Final = ("next_game", "allowance", "rulebook")


_EACH_SIDE: Final = tuple((str(side),) for side in Side)


class _RowSpec(Struct, frozen=True):
    """All that is known of a row of the first page but what it does (``action_of``)."""

    is_there: Callable[[Game, Setup], bool] = lambda *_: True
    """Whether the rulebook and the director's settings have it, whatever the game refuses now."""
    answers: tuple[tuple[str, ...], ...] = ((),)
    """Answers to the pages behind it: it is refused if each of them is."""
    asks_who: bool = False
    """A player answers the page behind it by the own button."""
    agreed: bool = False
    """Both players agree on what that page was answered."""


def _minute(name: str) -> _RowSpec:
    return _RowSpec(
        lambda game, _: name in game.rulebook.minutes and game.rulebook.minutes[name].by == "players",
        tuple((*side, AGREED) for side in _EACH_SIDE),
        asks_who=True,
        agreed=True,
    )


_SIGNED: Final = _RowSpec(lambda game, _: game.result is not None)
_ROWS: Final[Mapping[str, _RowSpec]] = {
    "reason": _RowSpec(lambda game, _: game.phase is not Phase.OUT_PLAY, ((SIX_ZEROS,),)),
    "hold": _RowSpec(lambda game, _: game.phase is Phase.OUT_PLAY),
    "words": _RowSpec(lambda game, _: bool(game.rulebook.challenge.points_a_word), ()),
    "frames": _RowSpec(lambda game, _: bool(_frames(game)), ()),
    "out_play": _RowSpec(asks_who=True),
    "not_out": _RowSpec(lambda game, _: game.alleged_out_player is not None, ((AGREED,),)),
    "take_back": _RowSpec(answers=((AGREED,),)),
    # Counted where the rulebook pays for them (2017 II.F, 2012 III.F.4).
    "infraction": _RowSpec(lambda game, _: game.rulebook.infractions_a_minute is not None, _EACH_SIDE, asks_who=True),
    "late_clock": _RowSpec(lambda game, _: game.rulebook.late_started_by == "players", _EACH_SIDE, asks_who=True),
    "six_zeros": _RowSpec(lambda game, _: game.rulebook.six_zeros_by == "players", ((YES,),)),
    "resignation": _RowSpec(lambda game, _: game.rulebook.resignation_by == "players", ((AGREED,),), agreed=True),
    "recount": _RowSpec(lambda game, _: RECOUNT in game.rulebook.windows and RECOUNT not in game.rulebook.directors_windows),
    "allowance": _RowSpec(asks_who=True),
    "rulebook": _RowSpec(lambda _, setup: setup.players_choose_rulebook and len(setup.rulebooks) > 1),
    RESULT: _RowSpec(owed),
    **dict.fromkeys((RECEIPT, DISPUTE), _SIGNED),
    CLOSE: _RowSpec(answers=()),
    **{name: _minute(name) for name in MINUTE_ROWS},
}


def _spec(name: str) -> _RowSpec:
    """Return what is known of a row by its name, or by the first one of a path; two rows of a player are one with the player's name."""
    return _ROWS.get(name.partition(" ")[0], _RowSpec())


_SHORTEST_MINUTES: Final = 5
_LONGEST_MINUTES: Final = 60


def first_page(history: History, setup: Setup, at: int) -> tuple[TableRow, ...]:
    game = history.game_at(at)
    # Of the menu's rows LED displays have the one that cannot wait for the director.
    names = _names(game) if setup.screen else (DISPUTE,)
    rows = [_row(name, game) for name in (*(name for name in names if _spec(name).is_there(game, setup)), CLOSE)]
    return tuple(replace(row, refused=_refused(row, history, setup, at), lapses=_lapses(row.name, history, at)) for row in rows)


def _changes_of_result(game: Game, at: int, draft: Draft) -> Iterator[TableRow]:
    for what in (SCORE, *((WORDS,) if game.rulebook.result.bonus_words else ())):
        yield from (TableRow(f"{what} {side}", message(f"table_menu.row.{what}_opponent"), side=side) for side in Side)
    if any(game.penalty(side, at) for side in Side):
        yield TableRow(TAKEN_OFF, message("table_menu.row.taken_off" if draft.taken_off else "table_menu.row.not_taken_off"))
    yield TableRow(CLOSE, message("table_menu.row.sign_later"))
    yield _BACK


def rows_behind(path: tuple[str, ...], history: History, setup: Setup, at: int) -> tuple[TableRow, ...]:
    game = history.game_at(at)
    match path:
        case ("reason",):
            reasons = (each for each in setup.reasons["stop"] if each not in _OWN_ROWS)
            return (*(TableRow(each, message("table_menu.reason", reason=each)) for each in reasons), _BACK)
        case ("words",):
            more = (TableRow(str(count), message("table_menu.words", count=count)) for count in range(2, WORDS_IN_CHALLENGE + 1))
            return (TableRow("1", message("table_menu.word")), *more, _BACK)
        case ("receipt",):
            return (_BACK,)
        case ("frames",):
            return (*(_frame(name, history, setup, at) for name in _frames(game)), _BACK)
        case ("frames", name) if name in AGO:
            answers = (ns for ns in AGO[name] if refusal((*path, str(ns)), history, setup, at) is None)
            return (*(TableRow(str(ns), ago(ns)) for ns in answers), _BACK)
        case ("six_zeros" | "next_game" as name,):
            return (TableRow(NO, message("table_menu.no")), TableRow(YES, message(f"table_menu.yes.{name}")))
        case ("allowance", side):
            # After the end, time that was given or lost in this game is not the next one's.
            set_up = game if game.phase is Phase.READY else fresh(next_game(history, setup.offered))
            return (
                *(
                    TableRow(str(ns), message("table_menu.time", reading=reading(ns)))
                    for ns in _times(set_up.accounts.of(Side(side)).allowed)
                ),
                _BACK,
            )
        case ("rulebook",):
            return (*(TableRow(name, message("table_menu.rulebook", title=rulebook.title)) for name, rulebook in setup.rulebooks), _BACK)
        case _:
            return ()


def _names(game: Game) -> tuple[str, ...]:
    if game.out_player is not None and game.phase in (Phase.OUT_PLAY, Phase.NEUTRAL):
        return _PENDING
    if game.out_player is not None and game.phase is Phase.ADJUDICATION:
        return _JUDGED_OUT
    if game.phase is Phase.NEUTRAL and game.turn is None:
        return _NO_TURN
    return _BY_PHASE.get(game.phase, ())


def _refused(row: TableRow, history: History, setup: Setup, at: int) -> KeyedMessage | None:
    game, name = history.game_at(at), row.name
    if name in _NEXT_GAME and game.wait_to_leave(at):
        return message("answer.next_game_wait", reading=reading(game.wait_to_leave(at)))
    if name == "next_game" and game.phase is Phase.READY and not is_offered(history, setup.offered):
        # Only another game than the one that stands ready.
        return message("table_menu.no_next_game")
    if name in _NEXT_GAME:
        return _why([refusal(("next_game", YES), history, setup, at)])
    return _why([refusal((*row.path, *answers), history, setup, at) for answers in _spec(name).answers])


def _why(refusals: list[Phrase | None]) -> KeyedMessage | None:
    """Return why all ways of a row are refused; None: one is not, or there is none to try."""
    why = None if None in refusals else next(iter(refusals), None)
    return None if why is None else message("table_menu.refused", why=why)


def _lapses(name: str, history: History, at: int) -> int | None:
    if name != "take_back":
        return None
    try:
        return max(0, players_last_act(history).at + PLAYERS_UNDO_NS - at)
    except EventNotAllowed:
        return None


def _frames(game: Game) -> tuple[str, ...]:
    names = _FRAMES.get(game.phase, ())
    if game.phase is Phase.NEUTRAL and game.turn is None:
        names = DECISIONS
    return tuple(name for name in names if name in game.rulebook.windows and name not in game.rulebook.directors_windows)


def _row(name: str, game: Game) -> TableRow:
    if name == "six_zeros":
        six = game.rulebook.zeros_in_a_row == 6
        return TableRow(name, message("table_menu.row.six_zeros" if six else "table_menu.row.zeros", turns=game.rulebook.zeros_in_a_row))
    if name == CALL and game.called:
        return TableRow(name, message("table_menu.row.call_answered"))
    said, side = name.partition(" ")[0], _OF_A_PLAYER.get(name)
    length = game.rulebook.windows.get(said)
    values = {} if length is None else {"reading": reading(length)}
    return TableRow(name, message(f"table_menu.row.{said}{'' if side is None else '_opponent'}", **values), side=side)


def _frame(name: str, history: History, setup: Setup, at: int) -> TableRow:
    # An answer to the page behind it, as good as any other to find out whether it is possible.
    answer = (str(Side.LEFT),) if name in DECISIONS else ("0",) if name in AGO else ()
    game = history.game_at(at)
    said = message(f"table_menu.frame.{name}", reading=reading(game.rulebook.windows[name]))
    lapses, found = None, disconnected(game) if name == DISCONNECTED else None
    if found is not None:
        lapses = max(0, found.ends - at)
    elif name == LATE_START and setup.round_began is not None and round_ago(game, setup, at) is not None:
        lapses = setup.round_began + game.rulebook.windows[name] - at
    return TableRow(name, said, _why([refusal(("frames", name, *answer), history, setup, at)]), lapses)


def _times(present: int) -> tuple[int, ...]:
    times = [minutes * 60 * NS for minutes in range(_SHORTEST_MINUTES, _LONGEST_MINUTES + 1)]
    longer = [ns for ns in times if ns > present]
    return (present, *longer, *(ns for ns in times if ns < present))


def page(menu: TableMenu, history: History, setup: Setup, at: int, draft: Draft = EMPTY) -> TablePage:
    keeps = keeping(history.game_at(at))
    kind = kind_of(menu.path)
    if kind is PageKind.SIGN:
        return TablePage(kind, message("result.title"))
    if kind is PageKind.SCORE:
        return TablePage(kind, message("result.title"), entry=_entry(menu.path, draft))
    if menu.path == ("out_play",):
        return TablePage(kind, message("table_menu.who.out_play_opponent"), keeps=keeps, about=menu.asked)
    if kind is PageKind.WHO:
        return TablePage(kind, message(f"table_menu.who.{menu.path[-1]}"), keeps=keeps)
    if kind is PageKind.AGREE:
        about = Side(menu.path[1]) if menu.path[0] in ("out_play", "resignation") else None
        title, change = _agreed_title(menu.path, history.game_at(at), setup), _change(menu.path, history, setup, at)
        refused = _why([refusal((*menu.path, AGREED), history, setup, at)])
        return TablePage(kind, title, change=change, lapses=_lapses(menu.path[0], history, at), refused=refused, about=about)
    if kind is PageKind.CALLED:
        return TablePage(kind, message("table_menu.title.called"), keeps=keeps)
    game = history.game_at(at)
    if menu.path == CHANGE:
        rows = tuple(_changes_of_result(game, at, draft))
    else:
        rows = rows_behind(menu.path, history, setup, at) if menu.path else first_page(history, setup, at)
    chosen = menu.chosen or (RESULT if owed(game, setup) else CALL if game.result is None else RECEIPT)
    cursor = next((place for place, row in enumerate(rows) if row.name == chosen), 0)
    return TablePage(kind, _title(menu.path, game, setup), rows, cursor, keeps=keeps)


def _entry(path: tuple[str, ...], draft: Draft) -> Entry:
    _, what, whose, place = path
    return Entry(what, Side(whose), f"{draft.value(what, Side(whose)):0{DIGITS[what]}d}", int(place))


def kind_of(path: tuple[str, ...]) -> PageKind:
    match path:
        case ("called",):
            return PageKind.CALLED
        case ("result", "sign"):
            return PageKind.SIGN
        case ("result", _, _, _):
            return PageKind.SCORE
        case (name,) if _spec(name).asks_who:
            return PageKind.WHO
        case ("frames", name) if name in DECISIONS:
            return PageKind.WHO
        case ("take_back" | "not_out",) | ("rulebook", _) | ("out_play", _, "late") | ("allowance" | "keep", _, _):
            return PageKind.AGREE
        case (name, _) if _spec(name).agreed:
            return PageKind.AGREE
        case _:
            return PageKind.ROWS


def moved(menu: TableMenu, by: int, shown: TablePage) -> TableMenu:
    return replace(menu, chosen=shown.rows[(shown.cursor + by) % len(shown.rows)].name)


def back(menu: TableMenu) -> TableMenu | None:
    """Return the menu on the page before, at the row that was taken there; None: there is none, so it closes."""
    if menu.path[0] in ("keep", "called"):
        return None
    # The question whether an out play has ended the game has no row of its own.
    path = menu.path[:-1] if menu.path[-1] == "late" else menu.path
    rows = 2 if " ".join(path) in _OF_A_PLAYER and menu.asked is None else 1
    return replace(menu, path=path[:-rows], chosen=" ".join(path[-rows:]))


def outlives_end(menu: TableMenu, history: History, setup: Setup, at: int) -> bool:
    """Return whether the players, who are asked whether they agree while the game ends by itself, still are: its row is there after the end too, and possible."""
    asked = history.game_at(at).end is not None and kind_of(menu.path) is PageKind.AGREE
    return asked and any(row.path == menu.path and row.refused is None for row in first_page(history, setup, at))


def keeping(game: Game) -> tuple[Side, ...]:
    """Return the sides whose own button keeps its meaning in the menu: their clock runs, and no press that stops it is swallowed."""
    return game.absent if game.phase is Phase.LATE else ()


def _agreed_title(path: tuple[str, ...], game: Game, setup: Setup) -> KeyedMessage:
    match path:
        case ("keep", *kept):
            return message("table_menu.agree.keep", reading=reading(max(int(ns) for ns in kept if ns != REGULATION)))
        case ("allowance" | "rulebook", *_) if game.phase is Phase.OVER:
            return _next_game_title(game, setup) or message("table_menu.agree.next_game")
        case ("out_play" | "resignation", *_):
            return message(f"table_menu.agree.{path[0]}_opponent")
        case _:
            return message(f"table_menu.agree.{path[0]}")


def _next_game_title(game: Game, setup: Setup) -> KeyedMessage | None:
    if game.disputed:
        return message("table_menu.title.next_game_disputed")
    return message("table_menu.title.next_game_unsigned") if owed(game, setup) else None


def _title(path: tuple[str, ...], game: Game, setup: Setup) -> KeyedMessage:
    match path:
        case ("next_game",):
            return _next_game_title(game, setup) or message("table_menu.title.next_game")
        case ():
            return message("table_menu.title.first")
        case ("frames", name):
            return message(f"ago.{name}")
        case ("six_zeros",):
            return _zeros_question(game.rulebook)
        case _:
            return message(f"table_menu.title.{path[0]}")


def _zeros_question(rulebook: Rulebook) -> KeyedMessage:
    turns = rulebook.zeros_in_a_row
    if rulebook.six_zeros_at_zero_score:
        return message("table_menu.title.six_zeros" if turns == 6 else "table_menu.title.zeros", turns=turns)
    # The clock does not know the score (general rules, on the end).
    return message("table_menu.title.six_zeros_not_at_zero" if turns == 6 else "table_menu.title.zeros_not_at_zero", turns=turns)


def _change(path: tuple[str, ...], history: History, setup: Setup, at: int) -> AgreedChange | None:
    action = action_of((*path, AGREED), history, setup, at)
    if not isinstance(action, tuple):
        return None
    try:
        after = made(history, action, at)
    except EventNotAllowed:
        return None
    event = after.event
    struck = after.find(event.event) if isinstance(event, Undo) and event.event is not None else None
    return AgreedChange(event if struck is None else struck.event, history.game_at(at), after.game_at(at))
