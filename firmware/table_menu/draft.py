"""The table menu as a value, a page of it as the face reads it, and the draft of a result.

The draft is what the players have entered on the pages of the row Result, and who of them has signed it (docs/spec/result.md). It is neither in the game nor
in the journal: one signature is not two, and a power cut may lose a draft.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from firmware.menu.setup import Setup
from firmware.texts import KeyedMessage
from game.events import Event, Result
from game.game import Game, Phase
from game.rulings import counted, is_forfeit
from rules.rulebooks.model import Rulebook
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
