"""Plays of eight words of one length, good in every way in which they can be bad: none fails, the first, the fourth, the last, two, all."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Final

LENGTH: Final = 7
WAYS: Final[dict[str, tuple[int, ...]]] = {
    "none fails": (),
    "word 1 fails": (0,),
    "word 4 fails": (3,),
    "word 8 fails": (7,),
    "two fail": (2, 5),
    "all fail": tuple(range(8)),
}


def plays(words: Sequence[str], misses: Sequence[str], each: int, ways: Sequence[str], seed: int = 9) -> list[tuple[str, tuple[str, ...]]]:
    """Return ``each`` plays of every way, shuffled together: a busy moment of the machine meets all of them.

    Args:
        words: of the list.
        misses: no words.
        each: plays of one way.
        ways: keys of ``WAYS``.
        seed: the same plays for the same.
    """
    chance = random.Random(seed)  # noqa: S311 - it has to be the same again
    good, bad = ([word.upper() for word in those if len(word) == LENGTH] for those in (words, misses))
    # As many of either kind, or what is drawn and kept ready of words would tell the kinds apart, not the look-up.
    alike = min(len(good), len(bad))
    good, bad = chance.sample(good, alike), chance.sample(bad, alike)
    order = [way for way in ways for _ in range(each)]
    # Shuffled before they are made: plays of one way side by side in memory would be quicker or slower than others for that alone.
    chance.shuffle(order)
    return [(way, tuple(chance.choice(bad if place in WAYS[way] else good) for place in range(8))) for way in order]
