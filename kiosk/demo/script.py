"""Three visits to the station as a script of touches: an acceptable play, one that is not, and the same again since a word was mistyped; last, words left standing.

Each step is what a finger touches, or how long nobody does anything; pictures are taken where a step has a name for one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kiosk.demo.words import Tiles, Words
from rules.duration import NS

TAP_NS: Final = 700_000_000
"""From one touch to the next: nobody is quicker, and no key counts in the first half second."""


@dataclass(frozen=True, slots=True)
class Step:
    """A touch, or a while."""

    target: str | None
    """The name of what is touched; None: nobody touches anything."""
    ns: int = TAP_NS
    """How long after the step before."""
    picture: str | None = None
    """Taken of what stands there then."""
    says: str = ""
    """What a bystander would say; empty for a step within something."""


def steps(language: str | None, words: Words) -> Iterator[Step]:
    """Yield the steps, in which ``words`` are typed; ``language`` is chosen first by everybody, where it is not None: the station goes back to its own."""
    yield Step(None, picture="idle", says="The station waits")
    yield from _chosen(language, "They choose their language")
    yield from _asked(12, "left", 2, "Table 12: the player on the left challenges two words", pictures=True)
    yield from _typed(words.first, "words")
    yield Step("next")
    yield from _typed(words.second)
    yield Step("finish", picture="checking", says="Both check the words")
    yield Step("adjudicate", picture="acceptable", says="The challenged player touches the key")
    yield Step("done")
    yield from _chosen(language)
    yield from _asked(7, "right", 1, "Table 7: the player on the right challenges one word")
    yield from _typed(words.mistyped)
    yield Step("finish")
    yield Step("adjudicate", picture="unacceptable", says="The challenged player touches the key")
    yield Step("mistyped", picture="repeat", says="A word was mistyped: the challenge is repeated")
    yield from _typed(words.meant)
    yield Step("finish")
    yield Step("adjudicate", picture="repeated", says="The challenged player touches the key again")
    yield Step("done")
    yield from _chosen(language)
    yield from _asked(3, "left", 1, "Table 3: somebody begins, and leaves")
    yield from _typed(words.left)
    yield Step(None, 40 * NS, picture="leaving", says="Nobody touches anything")
    yield Step(None, 10 * NS, picture="cleared", says="The screen has cleared itself")


def _chosen(language: str | None, says: str = "") -> Iterator[Step]:
    if language is not None:
        yield Step(f"language.{language}", says=says)


def _asked(table: int, challenger: str, count: int, says: str, *, pictures: bool = False) -> Iterator[Step]:
    yield Step("begin", picture="clock" if pictures else None, says=says)
    yield Step("clock.stopped", picture="table" if pictures else None)
    yield from (Step(f"tile.{digit}") for digit in str(table))
    yield Step("next", picture="challenger" if pictures else None)
    yield Step(f"challenger.{challenger}", picture="count" if pictures else None)
    yield Step(f"count.{count}")


def _typed(word: Tiles, picture: str | None = None) -> Iterator[Step]:
    before, last = word[:-1], word[-1]
    yield from (Step(f"tile.{tile}") for tile in before)
    yield Step(f"tile.{last}", picture=picture)
