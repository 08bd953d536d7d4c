"""The words of the lexicon's benchmarks: a long list of English from Debian's SCOWL, or a made-up one where that cannot be fetched; and words that are none.

No part of it is kept: Debian's package is fetched for the run, by the same steps as for the practice lexicon.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import ascii_lowercase

from tools import practice as make

COUNT = 270_000
_SEED = 3
_PLAYABLE = re.compile(r"[a-z]{2,15}")
_FULL = 80
"""Up to this size SCOWL is taken whole; the largest, 95, fills up what is missing."""


def long_list(scratch: Path) -> tuple[list[str], str]:
    """Return ``COUNT`` words of 2 to 15 letters a to z, sorted, and what list it is.

    Args:
        scratch: an empty folder for what is fetched.
    """
    try:
        unpacked = make._unpacked(make._fetched(scratch), scratch / "unpacked")
    except make.NoScowl:
        return made_up(), "made-up syllables, because SCOWL could not be fetched"
    return from_scowl(unpacked / make._WORD_FILES), f"SCOWL {make.VERSION} to size {_FULL}, filled up from size 95"


def from_scowl(folder: Path) -> list[str]:
    files = sorted(folder.glob("*-words.*"))
    words = set(_playable(file for file in files if int(file.suffix[1:]) <= _FULL))
    more = sorted(set(_playable(file for file in files if int(file.suffix[1:]) > _FULL)) - words)
    return sorted([*words, *more[: COUNT - len(words)]])


def made_up() -> list[str]:
    """Words of a few syllables and at times an ending: they share beginnings and ends as a language's words do."""
    chance = random.Random(_SEED)  # noqa: S311 - it has to be the same again
    onsets, nuclei, codas = (
        [
            "b",
            "bl",
            "br",
            "c",
            "ch",
            "d",
            "dr",
            "f",
            "g",
            "gr",
            "h",
            "j",
            "l",
            "m",
            "n",
            "p",
            "pr",
            "qu",
            "r",
            "s",
            "st",
            "t",
            "tr",
            "v",
            "w",
        ],
        ["a", "e", "i", "o", "u", "ea", "ou"],
        ["", "", "n", "r", "st"],
    )
    syllables = ["".join(parts) for parts in itertools.product(onsets, nuclei, codas)]
    words: set[str] = set()
    while len(words) < COUNT:
        stem = "".join(chance.choices(syllables, k=chance.randrange(1, 4)))
        words.update(word for ending in ("", "s", "ed", "ing", "er") if 2 <= len(word := stem + ending) <= 15)
    return sorted(words)[:COUNT]


def hits(words: list[str], count: int) -> list[str]:
    """Return some of the words, in no order."""
    return random.Random(_SEED).sample(words, count)  # noqa: S311 - as above


def misses(words: list[str], count: int) -> list[str]:
    """Return texts that are no words, in no order: half of them words with one letter changed, half letters at random."""
    chance, known = random.Random(_SEED), frozenset(words)  # noqa: S311 - as above
    changed, random_ones = _changed(words, chance), _at_random(words, chance)
    both = (text for pair in zip(changed, random_ones, strict=False) for text in pair)
    return list(itertools.islice((text for text in both if text not in known), count))


def _changed(words: list[str], chance: random.Random) -> Iterator[str]:
    while True:
        word = chance.choice(words)
        at = chance.randrange(len(word))
        yield word[:at] + chance.choice(ascii_lowercase) + word[at + 1 :]


def _at_random(words: list[str], chance: random.Random) -> Iterator[str]:
    while True:
        yield "".join(chance.choices(ascii_lowercase, k=len(chance.choice(words))))


def _playable(files: Iterable[Path]) -> Iterator[str]:
    for file in files:
        yield from filter(_PLAYABLE.fullmatch, file.read_text(encoding="utf-8").split("\n"))
