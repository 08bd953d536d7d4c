"""What a word file of another program turns out to be before anybody says in which alphabet to read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from lexicon.errors import BadWordFile
from lexicon.formats.siblings import Siblings


class Format(Enum):
    """The kinds of files that hold words; the value is what the command line calls them."""

    TILECLOCK = "tileclock"
    TEXT = "text"
    KWG = "kwg"
    ZYZZYVA = "zyzzyva"
    QUACKLE = "quackle"
    QUACKLE0 = "quackle0"


@dataclass(frozen=True, slots=True)
class Found:
    """A file whose edges were checked.

    ``letters`` has the text of each of its letters where the file says so; where not, its letters are tile numbers of an alphabet that it does not name.
    ``whole``: ``letters`` is the whole alphabet, not only what occurs. ``doubts``: what the file could be as well, each as a sentence's "found".
    """

    format: Format
    siblings: Siblings
    letters: Mapping[int, str] | None = None
    whole: bool = False
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def no_words() -> BadWordFile:
    """The refusal of a file that is sound but empty: a lexicon without words is a mistake wherever it comes from."""
    return BadWordFile(expected="words", found="a file that holds none", remedy="Give another")
