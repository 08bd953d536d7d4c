"""The draft of a result: what the players have entered on the pages of the row Result, and who of them has signed it (docs/spec/result.md).

It is neither in the game nor in the journal: one signature is not two, and a power cut may lose a draft.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from firmware.menu.setup import Setup
from game.events import Result
from game.game import Game
from game.rulings import counted, is_forfeit
from rules.rulebooks.model import Rulebook
from rules.side import BySide, Side

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
    """That a player has signed."""

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

    def digit(self, what: str, side: Side, place: int) -> int:
        return self.value(what, side) // _unit(what, place) % BASE

    def turned(self, what: str, side: Side, place: int, by: int) -> Draft:
        """Return the draft with one digit of a value ``by`` further, which wraps round; any change takes both signatures back."""
        unit, digit = _unit(what, place), self.digit(what, side, place)
        value = self.value(what, side) + ((digit + by) % BASE - digit) * unit
        if what == SCORE:
            return self.changed(scores=self.scores.replace(side, value))
        return self.changed(words=self.words.replace(side, value))

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


def _unit(what: str, place: int) -> int:
    return int(BASE ** (DIGITS[what] - 1 - place))


def owed(game: Game, setup: Setup) -> bool:
    """Return whether the players sign the result of this game here, and have not yet: it was played, and is no forfeit."""
    ended = game.end is not None and game.result is None
    return setup.results and ended and game.turn is not None and not is_forfeit(game)


def entry(what: str, side: Side, place: int = 0) -> tuple[str, ...]:
    return RESULT, what, str(side), str(place)


def after_entry(path: tuple[str, ...], draft: Draft, rulebook: Rulebook) -> tuple[str, ...]:
    """Return the path of the page after the digit of ``path``: the next digit, the next value while they are first entered, else the page to sign."""
    _, what, side, place = path
    if int(place) + 1 < DIGITS[what]:
        return entry(what, Side(side), int(place) + 1)
    values = [entry(each, whose) for each in (SCORE, *((WORDS,) if rulebook.result.bonus_words else ())) for whose in Side]
    following = values[values.index(entry(what, Side(side))) + 1 :]
    return following[0] if following and not draft.entered else SIGN
