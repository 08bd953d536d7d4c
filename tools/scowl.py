"""Selects the practice words from SCOWL: the first step from the Debian package to ``practice.dawg``.

SCOWL has one file per spelling, kind and size: ``english-words.10``, ``american-words.70``. A size holds only the words the smaller ones lack.
"""

import re
from pathlib import Path

from faults.errors import reason
from lexicon.errors import Unreadable

SPELLINGS = ("english", "american", "british")
"""``english`` has what all spellings share. SCOWL's others (british_z, canadian, australian) are not used.

Neither are its spelling variants: many are rare, and SCOWL itself doubts the last of them.
"""

SIZES = (10, 20, 35, 40, 50, 55, 60, 70)
"""Up to 70 SCOWL has words found in most dictionaries; 80 and 95 add rarities, word-game lists and mistakes."""

# Of SCOWL's kinds only "words" is playable: "upper" and "proper-names" have capitals, "abbreviations" are not words, "contractions" need an apostrophe. Of its
# special lists, "hacker" is jargon and "roman-numerals" are numbers.
_KIND = "words"

# Bytes, not text: SCOWL uses ISO-8859-1, Debian's package UTF-8 (since 2019.10.06-1), and in neither is an accented letter a byte of a to z.
# 2 to 15: from the shortest play to the width of the board. "words" has capitals too, in units and the like (kHz).
_PLAYABLE = re.compile(rb"[a-z]{2,15}")


def practice_words(scowl: Path) -> list[str]:
    """Read the practice words from SCOWL's word files.

    Args:
        scowl: the folder of the word files; ``usr/share/dict/scowl`` within the unpacked Debian package.

    Returns:
        The words of A to Z, 2 to 15 letters each, in upper case, sorted, each once.

    Raises:
        Unreadable: the folder is missing, or a word file is missing or unreadable.
    """
    if not scowl.is_dir():
        raise Unreadable(
            where=scowl,
            expected="the folder of SCOWL's word files",
            found="no such folder",
            remedy="Give the one that holds english-words.10",
        )
    words = {line for spelling in SPELLINGS for size in SIZES for line in _playable(scowl / f"{spelling}-{_KIND}.{size}")}
    return sorted(word.decode("ascii").upper() for word in words)


def _playable(path: Path) -> list[bytes]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise Unreadable(
            where=path,
            expected="a word file of SCOWL",
            found=reason(error),
            remedy=f"Give the folder of SCOWL's word files, with all sizes up to {SIZES[-1]}",
        ) from error
    return [line for line in lines if _PLAYABLE.fullmatch(line)]
