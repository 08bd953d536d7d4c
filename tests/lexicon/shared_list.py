"""A list of words, another one of the same words backwards, and what tells which of them a lexicon answers from."""

from lexicon import Lexicon

WORDS = [f"{first}{middle}{last}" for first in "ABCDEFGH" for middle in "EIOU" for last in "LMNRST"]
OTHERS = [word[::-1] for word in WORDS]


def right(lexicon: Lexicon) -> bool:
    """Whether every word of the list is in it, and none of the reversed ones."""
    return all(word in lexicon for word in WORDS) and not any(word in lexicon for word in OTHERS)
