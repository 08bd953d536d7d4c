"""The result of recognising another program's word file, before its alphabet is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from lexicon.errors import BadWordFile
from lexicon.formats.siblings import Siblings


class Format(Enum):
    """The word file formats; the values are their names on the command line."""

    TILECLOCK = "tileclock"
    TEXT = "text"
    KWG = "kwg"
    ZYZZYVA = "zyzzyva"
    QUACKLE = "quackle"
    QUACKLE0 = "quackle0"


@dataclass(frozen=True, slots=True)
class Found:
    """A file with checked edges.

    ``letters`` maps letters to texts if the file contains them; otherwise letters are tile numbers of an unnamed alphabet. ``whole``: ``letters`` is the whole
    alphabet, not only the used letters. ``doubts``: what else the file could be, each to follow "found" in a sentence.
    """

    format: Format
    siblings: Siblings
    letters: Mapping[int, str] | None = None
    whole: bool = False
    doubts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def no_words() -> BadWordFile:
    """Return the error for a sound file without words, which is always a mistake."""
    return BadWordFile(expected="words", found="a file that holds none", remedy="Give another")
