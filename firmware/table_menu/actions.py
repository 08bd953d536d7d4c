"""The table menu as a value, the draft of a result, and what a row does in the end: the players' events at one instant, or why the game refuses them.

The draft is what the players have entered on the pages of the row Result, and who of them has signed it (docs/spec/result.md). It is neither in the game nor
in the journal: one signature is not two, and a power cut may lose a draft.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from faults.errors import Phrase
from firmware.menu.actions import AGO
from firmware.menu.setup import Setup
from firmware.texts import KeyedMessage
from game import events
from game.event_table import usual_maker
from game.events import By, Event, Result
from game.game import RECOUNT, EventNotAllowed, Game, Phase, Window, zeros_reason
from game.history import History, OutPlayTooLate, accept, declare
from game.rulings import LATE_START, MISSED_PRESS, RESIGNATION, counted, is_forfeit
from game.table import next_game, own_allowances
from rules.duration import NS
from rules.rulebooks.model import DECISIONS, Rulebook
from rules.side import BySide, Side


class TableMenu(Struct, frozen=True):
    """Where the players are in the menu."""

    seen: tuple[Phase, Side | None]
    """Phase and running clock when it opened: it closes when the game leaves them."""
    path: tuple[str, ...] = ()
    """The names of the rows taken so far; empty: the first page."""
    chosen: str | None = None
    """The name of the chosen row; None: the page's own."""
    asked: Side | None = None


def opened(game: Game, path: tuple[str, ...] = (), chosen: str | None = None, asked: Side | None = None) -> TableMenu:
    return TableMenu((game.phase, game.running), path, chosen, asked)


class PageKind(Enum):
    """How a page is answered."""

    ROWS = "rows"
    """Up and down move, the bar takes."""
    WHO = "who"
    """Each player's own button answers with that player; the bar goes back."""
    AGREE = "agree"
    """Both players hold their buttons for 1 s; a short press of anything goes back."""
    SCORE = "score"
    """A digit of a result: left turns it up, right down, the bar takes it."""
    SIGN = "sign"
    """Each player signs by the own button, held for 1 s; the bar leads to what can be changed."""
    CALLED = "called"
    """The director is called: an own button held for 1 s takes the call back, the bar closes the page."""


class TableRow(Struct, frozen=True):
    name: str
    message: KeyedMessage
    refused: KeyedMessage | None = None
    lapses: int | None = None
    """In how many ns it can be taken no more, or 0: it has lapsed. None: it does not lapse."""
    side: Side | None = None
    """The player whom it is about, who reads another text than the opponent."""

    @property
    def path(self) -> tuple[str, ...]:
        return (self.name,) if self.side is None else (self.name.removesuffix(f" {self.side}"), str(self.side))


class AgreedChange(Struct, frozen=True):
    """What both players are asked to agree on: an event, and the game before and after it."""

    event: Event
    """The event to be made; for ``Undo`` the event that it strikes."""
    before: Game
    after: Game


class Entry(Struct, frozen=True):
    """A value of a result while it is entered."""

    what: str
    side: Side
    digits: str
    place: int


class TablePage(Struct, frozen=True):
    """One page of the menu at one instant."""

    kind: PageKind
    title: KeyedMessage
    rows: tuple[TableRow, ...] = ()
    """The rows of a ``ROWS`` page, the last one ``close`` on the first page; none on the other kinds."""
    cursor: int = 0
    change: AgreedChange | None = None
    entry: Entry | None = None
    lapses: int | None = None
    """On an ``AGREE`` page: in how many ns it can be agreed no more; None: it does not lapse."""
    refused: KeyedMessage | None = None
    """On an ``AGREE`` page: why the game refuses now what both would agree on."""
    keeps: tuple[Side, ...] = ()
    """The players whose own button keeps its meaning, because their clock runs: it closes the menu."""
    about: Side | None = None
    """Whose out play or resignation a page asks about, who reads another title than the opponent; None: it asks whose, or nothing of the kind."""


RESULT: Final = "result"
RECEIPT, DISPUTE = "receipt", "dispute"
SCORE, WORDS = "score", "words"
SIGN: Final = (RESULT, "sign")
CHANGE: Final = (*SIGN, "change")
TAKEN_OFF: Final = "taken_off"
DIGITS: Final[Mapping[str, int]] = {SCORE: 3, WORDS: 1}
FIRST_SCORE: Final = 455
"""Where a score's digits begin: most need few presses from there."""
BASE: Final = 10


class Signature(Struct, frozen=True):
    at: int
    """The game's instant of the press's first edge (ns)."""
    final: BySide[int]
    """The final scores that the player has read: it counts for no others."""


class Draft(Struct, frozen=True):
    """What is entered of a result."""

    scores: BySide[int] = BySide(FIRST_SCORE, FIRST_SCORE)
    words: BySide[int] = BySide(0, 0)
    taken_off: bool = False
    entered: bool = False
    signatures: BySide[Signature | None] = BySide(None, None)

    def value(self, what: str, side: Side) -> int:
        return (self.scores if what == SCORE else self.words).of(side)

    @property
    def page(self) -> tuple[str, ...]:
        """The path of the page that the row Result leads to."""
        return SIGN if self.entered else entry(SCORE, Side.LEFT)

    def turned(self, path: tuple[str, ...], by: int) -> Draft:
        return self.with_digit(path, self._digit(path) + by)

    def with_digit(self, path: tuple[str, ...], digit: int) -> Draft:
        """Return the draft with that digit at ``path``; any change takes both signatures back."""
        _, what, whose, place = path
        side, more = Side(whose), digit % BASE - self._digit(path)
        value = self.value(what, side) + more * _unit(what, place)
        if not more:
            return self
        if what == SCORE:
            return self.changed(scores=self.scores.replace(side, value))
        return self.changed(words=self.words.replace(side, value))

    def _digit(self, path: tuple[str, ...]) -> int:
        _, what, whose, place = path
        return self.value(what, Side(whose)) // _unit(what, place) % BASE

    def changed(self, **values: object) -> Draft:
        return replace(self, signatures=BySide(None, None), **values)

    def final(self, game: Game, at: int) -> BySide[int]:
        return counted(game, self.scores, at, taken_off=self.taken_off)

    def signed(self, game: Game, at: int) -> tuple[Side, ...]:
        """Return who has signed what the game gives at ``at`` (ns, the game's time)."""
        final = self.final(game, at)
        return tuple(side for side, each in self.signatures.items() if each is not None and each.final == final)

    def signed_by(self, side: Side, game: Game, at: int) -> Draft:
        return replace(self, signatures=self.signatures.replace(side, Signature(at, self.final(game, at))))

    def result(self, game: Game, setup: Setup, at: int) -> Result | None:
        """Return what both have signed, the later one at ``at`` (ns, the game's time); None: not both have."""
        left, right = self.signatures.left, self.signatures.right
        if left is None or right is None or len(self.signed(game, at)) < len(Side):
            return None
        words = self.words if game.rulebook.result.bonus_words else None
        waited = BySide(at - left.at, at - right.at)
        return Result(self.scores, self.taken_off, self.final(game, at), waited, setup.seats.names, words, setup.seats.table)


EMPTY: Final = Draft()


def _unit(what: str, place: str) -> int:
    return int(BASE ** (DIGITS[what] - 1 - int(place)))


def owed(game: Game, setup: Setup) -> bool:
    """Return whether the players sign the result of this game here, and have not yet: it was played, and is no forfeit."""
    ended = game.end is not None and game.result is None
    return setup.results and ended and game.turn is not None and not is_forfeit(game)


def entry(what: str, side: Side, place: int = 0) -> tuple[str, ...]:
    return RESULT, what, str(side), str(place)


def followed(path: tuple[str, ...], draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """Return the draft, and the path of the page, after the rows of ``path`` have been taken: Result, or one of what can be changed."""
    match path:
        case (*_, "change", what, side):
            return draft, entry(what, Side(side))
        case (*_, "change", "taken_off"):
            return draft.changed(taken_off=not draft.taken_off), SIGN
        case _:
            return draft, draft.page


def after_entry(path: tuple[str, ...], draft: Draft, rulebook: Rulebook) -> tuple[Draft, tuple[str, ...]]:
    """Return the draft, and the path of the page, after the digit of ``path``: the next digit, the next value while they are first entered, else the page to sign."""
    _, what, side, place = path
    if int(place) + 1 < DIGITS[what]:
        return draft, entry(what, Side(side), int(place) + 1)
    values = [entry(each, whose) for each in (SCORE, *((WORDS,) if rulebook.result.bonus_words else ())) for whose in Side]
    following = values[values.index(entry(what, Side(side))) + 1 :]
    return (draft, following[0]) if following and not draft.entered else (replace(draft, entered=True), SIGN)


MINUTE_ROWS: Final = {"clock_hit_in_error": "clock started in error", "wrong_board": "wrong board after a challenge"}
REGULATION: Final = "-"
"""In the path of the page that asks whether extra time is kept: a side that had none."""
RESUMING: Final = ("return_to_table", "mixing")
"""The time frames that the rules stop no clock for: the clock starts again with them."""


class DeclareOutPlay(Struct, frozen=True):
    side: Side
    even_if_over: bool = False
    """The players have agreed that the game ends by it."""


Action: TypeAlias = tuple[events.Event, ...] | DeclareOutPlay


_AT_ONCE: Final[Mapping[str, Callable[[Game], Action]]] = {
    "challenge": lambda _: (events.Challenge(),),
    "recount": lambda _: (events.StartWindow(RECOUNT),),
    "hold": lambda _: (events.Hold(),),
    "call": lambda game: (events.Call(on=not game.called),),
    "dispute": lambda _: (events.Call(on=True, disputes=True),),
}
_ANSWERED: Final[Mapping[str, Callable[[str], Action]]] = {
    "reason": lambda reason: (events.Reason(reason),),
    "words": lambda words: (events.Verdict(acceptable=True, words=int(words)),),
    "infraction": lambda side: (events.Infraction(Side(side)),),
    "out_play": lambda side: DeclareOutPlay(Side(side)),
    # Only the player who is there can answer: the other one is absent.
    "late_clock": lambda side: (events.LateStart(Side(side).other),),
}
_AGREED: Final[Mapping[tuple[str, ...], Callable[[History, Setup], Action]]] = {
    ("six_zeros", "yes"): lambda history, _: (events.End(zeros_reason(history.game.rulebook)),),
    ("next_game", "yes"): lambda history, setup: (next_game(history, setup.offered),),
    ("take_back", "agreed"): lambda *_: (events.Undo("taken back by both players"),),
    ("not_out", "agreed"): lambda *_: (events.NotOut(),),
}


def action_of(path: tuple[str, ...], history: History, setup: Setup, at: int) -> Action | None:
    """Return what the rows of ``path`` do at ``at`` (ns, the game's time), or None where a page comes first."""
    game = history.game_at(at)
    match path:
        case (name,):
            return _AT_ONCE[name](game) if name in _AT_ONCE else None
        case ("frames", name, *rest):
            known = round_ago(game, setup, at) if name == LATE_START else None
            return _frame(game, name, rest[0] if rest else None if known is None else str(known))
        case (name, answer) if name in _ANSWERED:
            return _ANSWERED[name](answer)
        case ("rulebook", named, "agreed"):
            rulebook = next(rulebook for name, rulebook in setup.rulebooks if name == named)
            return (events.NewGame(rulebook, named, BySide.both(None), game.called),)
        case ("out_play", side, "late", "agreed"):
            return DeclareOutPlay(Side(side), even_if_over=True)
        case ("resignation", side, "agreed"):
            return (events.End(RESIGNATION, Side(side)),)
        case (minute, side, "agreed"):
            return (events.Adjust(Side(side), game.rulebook.minutes[minute].ns, events.When.NOW, MINUTE_ROWS[minute]),)
        case ("allowance", side, ns, "agreed"):
            return (_with_allowance(history, setup, Side(side), int(ns), at),)
        case ("keep", *kept, "agreed"):
            begun = next_game(history)
            return (replace(begun, allowed=BySide(*(None if ns == REGULATION else int(ns) for ns in kept))),)
        case _:
            agreed = _AGREED.get(path)
            return None if agreed is None else agreed(history, setup)


def refusal(path: tuple[str, ...], history: History, setup: Setup, at: int) -> Phrase | None:
    """Return why the game refuses what the rows of ``path`` do at ``at`` (ns, the game's time); None: it does not, or would ask once more."""
    try:
        done(history, action_of(path, history, setup, at) or (), at)
    except OutPlayTooLate:
        return None
    except EventNotAllowed as refused:
        return refused.why
    return None


def done(history: History, action: Action, at: int) -> History:
    """Return the history with ``action`` at ``at`` (ns). Raises EventNotAllowed, and OutPlayTooLate."""
    if isinstance(action, DeclareOutPlay):
        return declare(history, action.side, at, even_if_over=action.even_if_over)
    return made(history, action, at)


def made(history: History, action: tuple[events.Event, ...], at: int) -> History:
    """Return the history with the players' events of ``action`` at ``at`` (ns). Raises EventNotAllowed: one is refused, nothing has changed."""
    for event in action:
        counting = history.game_at(at).window_at(at)
        if isinstance(event, events.StartWindow) and counting is not None and _repeats(event, counting, at):
            raise EventNotAllowed("this time frame runs already")
        by = None if usual_maker(event) is By.PLAYERS else By.PLAYERS
        history = accept(history, event, at, by=by)
    return history


def _repeats(event: events.StartWindow, counting: Window, at: int) -> bool:
    """Return whether the window would only begin anew; another instant of its beginning, or another player who decides, corrects it."""
    return (event.name, event.side) == (counting.name, counting.side) and at < counting.ends and event.name not in AGO


def round_ago(game: Game, setup: Setup, at: int) -> int | None:
    """Return how long ago (ns, whole seconds) the round began at ``at`` (ns, the game's time).

    None: the desk has sent no start, or it lies ahead, or a late start is over and may be that of a round before.
    """
    length, began = game.rulebook.windows.get(LATE_START), setup.round_began
    if length is None or began is None or not 0 <= at - began < length:
        return None
    # Cut: the absent player's clock starts no earlier than 5 minutes after the start (2017 III.C).
    return (at - began) // NS * NS


def _frame(game: Game, name: str, answer: str | None) -> tuple[events.Event, ...] | None:
    if answer is None and (name in DECISIONS or name in AGO):
        return None
    if name in DECISIONS:
        return (events.StartWindow(name, Side(answer)),)
    stands = game.phase is Phase.NEUTRAL and game.turn is not None
    if name in AGO:
        window = events.StartWindow(name, ago=int(answer or 0) or None)
        if name != MISSED_PRESS:
            return (window,)
        # The turn had ended at the draw: the clock is pressed for that player (2017 IV.G.2.a).
        return (events.Press(game.turn), window) if stands and game.turn is not None else None
    if name in RESUMING:
        return (events.Resume(game.turn), events.StartWindow(name)) if stands and game.turn is not None else None
    return (events.StartWindow(name),)


def _with_allowance(history: History, setup: Setup, side: Side, ns: int, at: int) -> events.NewGame:
    following = next_game(history, setup.offered)
    # A game that was set up and not begun keeps the other player's time.
    allowed = following.allowed if history.game_at(at).phase is Phase.OVER else own_allowances(history)
    own = None if ns == following.rulebook.regulation_ns else ns
    return replace(following, allowed=allowed.replace(side, own))
