"""Four visits to the station as a script of touches: an acceptable play; one that is not; its repeat after a mistyped word; and abandoned words.

A step is a touch or a pause; steps with a picture's name take one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from kiosk.challenge.context import LONGEST_WORD, SHORTEST_WORD
from lexicon import Lexicon
from lexicon.errors import Unspellable
from rules.duration import NS

Tiles: TypeAlias = tuple[str, ...]
"""A word, as the texts of its tiles."""
_LOOKED_AT: Final = 5000
"""The number of words examined, from the list's beginning."""
_LIKED: Final = 5
"""The tiles of a word that is quick to type, and looks like a word."""


@dataclass(frozen=True, slots=True)
class TypedWords:
    """The words to type."""

    first: Tiles
    second: Tiles
    """With the first one, a play of two words, both in the list."""
    mistyped: Tiles
    """Not in the list."""
    meant: Tiles
    """In the list."""
    left: Tiles
    """Abandoned, and never judged."""


def words_of(lexicon: Lexicon) -> TypedWords | None:
    """Return the words for a demo with ``lexicon``; None: it has none for this script.

    Raises:
        LexiconError: the list cannot be read.
    """
    return _familiar(lexicon) or _chosen(lexicon)


def _familiar(lexicon: Lexicon) -> TypedWords | None:
    try:
        first, second, mistyped, meant, left = map(lexicon.spelling.codes, ("TILE", "RACKS", "CHALENGE", "CHALLENGE", "QI"))
    except Unspellable:
        return None
    if not all(map(lexicon.holds, (first, second, meant, left))) or lexicon.holds(mistyped):
        return None
    return _words(lexicon, first, second, mistyped, meant, left)


def _chosen(lexicon: Lexicon) -> TypedWords | None:
    known = sorted(_typeable(lexicon), key=lambda codes: abs(len(codes) - _LIKED))
    for meant in known:
        for mistyped in _slips(meant):
            if _can_be_typed(lexicon, mistyped) and not lexicon.holds(mistyped):
                return _words(lexicon, known[0], known[-1], mistyped, meant, known[0])
    return None


def _typeable(lexicon: Lexicon) -> Iterator[bytes]:
    codes = map(lexicon.spelling.codes, islice(lexicon, _LOOKED_AT))
    return (word for word in codes if _can_be_typed(lexicon, word))


def _can_be_typed(lexicon: Lexicon, codes: bytes) -> bool:
    """Return whether pressing these tiles' keys gives exactly this word."""
    pieces = (f"[{tile}]" if len(tile) > 1 else tile for tile in _tiles(lexicon, codes))
    try:
        return SHORTEST_WORD <= len(codes) <= LONGEST_WORD and lexicon.spelling.codes("".join(pieces)) == codes
    except Unspellable:
        return False


def _slips(codes: bytes) -> Iterator[bytes]:
    """Yield the word with one tile omitted or doubled."""
    for at in range(1, len(codes)):
        yield codes[:at] + codes[at + 1 :]
    for at in range(len(codes)):
        yield codes[: at + 1] + codes[at:]


def _words(lexicon: Lexicon, *codes: bytes) -> TypedWords:
    return TypedWords(*(_tiles(lexicon, each) for each in codes))


def _tiles(lexicon: Lexicon, codes: bytes) -> Tiles:
    return tuple(lexicon.spelling.tiles[code - 1] for code in codes)


TAP_NS: Final = 700_000_000
"""The time between touches: realistic, and longer than the half second in which no key counts."""


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """A touch, or a pause."""

    target: str | None
    """The name of the touched target; None: a pause."""
    ns: int = TAP_NS
    """The time since the previous step."""
    picture: str | None = None
    """The name of the picture to take."""
    description: str = ""
    """A bystander's description; empty for a part of another action."""


def steps(language: str | None, words: TypedWords) -> Iterator[ScriptStep]:
    """Yield the steps for typing ``words``; if ``language`` is not None, each visit first chooses it, because the station returns to its own."""
    yield ScriptStep(None, picture="idle", description="The station waits")
    yield from _choose_language(language, "They choose their language")
    yield from _questions(12, "left", 2, "Table 12: the player on the left challenges two words", pictures=True)
    yield from _typed(words.first, "words")
    yield ScriptStep("next")
    yield from _typed(words.second)
    yield ScriptStep("finish", picture="checking", description="Both check the words")
    yield ScriptStep("adjudicate", picture="acceptable", description="The challenged player touches the key")
    yield ScriptStep("done")
    yield from _choose_language(language)
    yield from _questions(7, "right", 1, "Table 7: the player on the right challenges one word")
    yield from _typed(words.mistyped)
    yield ScriptStep("finish")
    yield ScriptStep("adjudicate", picture="unacceptable", description="The challenged player touches the key")
    yield ScriptStep("mistyped", picture="repeat", description="A word was mistyped: the challenge is repeated")
    yield from _typed(words.meant)
    yield ScriptStep("finish")
    yield ScriptStep("adjudicate", picture="repeated", description="The challenged player touches the key again")
    yield ScriptStep("done")
    yield from _choose_language(language)
    yield from _questions(3, "left", 1, "Table 3: somebody begins, and leaves")
    yield from _typed(words.left)
    yield ScriptStep(None, 125 * NS, picture="still-there", description="The players leave the page untouched: it asks for them")
    yield ScriptStep(None, 60 * NS, picture="cleared", description="The screen has cleared itself")


def _choose_language(language: str | None, description: str = "") -> Iterator[ScriptStep]:
    if language is not None:
        yield ScriptStep(f"language.{language}", description=description)


def _questions(table: int, challenger: str, count: int, description: str, *, pictures: bool = False) -> Iterator[ScriptStep]:
    yield ScriptStep("begin", picture="clock" if pictures else None, description=description)
    yield ScriptStep("clock.stopped", picture="table" if pictures else None)
    yield from (ScriptStep(f"tile.{digit}") for digit in str(table))
    yield ScriptStep("next", picture="challenger" if pictures else None)
    yield ScriptStep(f"challenger.{challenger}", picture="last_play" if pictures else None)
    yield ScriptStep("last_play.no", picture="count" if pictures else None)
    yield ScriptStep(f"count.{count}")


def _typed(word: Tiles, picture: str | None = None) -> Iterator[ScriptStep]:
    before, last = word[:-1], word[-1]
    yield from (ScriptStep(f"tile.{tile}") for tile in before)
    yield ScriptStep(f"tile.{last}", picture=picture)
