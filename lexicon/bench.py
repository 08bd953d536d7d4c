"""What a lexicon file costs on the machine it is on: nanoseconds a look-up, bytes a word, memory taken by opening.

Measured through the public face alone, so that anybody who uses it gets these figures.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from lexicon.reader import Lexicon

_SAMPLE = 10_000
"""Words that are looked up in a round."""

_ROUNDS = 5
_ROLLUP = Path("/proc/self/smaps_rollup")


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured: times in nanoseconds, a look-up's with the loop around it; sizes in bytes."""

    words: int
    size: int
    open_ns: int
    """Of the first opening in this process."""
    anonymous_bytes: int | None
    """By how much opening made this process's own memory grow, in whole pages; None where the system does not tell."""
    first_ns: int
    """Of the first look-up after it."""
    verify_ns: int
    hits: int
    hit_ns: int
    misses: int
    miss_ns: int


def measure(path: Path) -> Figures:
    """Measure the lexicon at ``path``.

    Raises:
        Unreadable, NotALexicon, Damaged: as ``Lexicon.open`` and ``Lexicon.verify``.
    """
    anonymous()  # what reading it takes must not count
    before = anonymous()
    start = time.perf_counter_ns()
    lexicon = Lexicon.open(path)
    open_ns = time.perf_counter_ns() - start
    after = anonymous()
    with lexicon:
        first_ns = _look_up_ns(lexicon, list(islice(lexicon, 1)))
        start = time.perf_counter_ns()
        lexicon.verify()
        verify_ns = time.perf_counter_ns() - start
        hits = list(islice(lexicon, 0, None, -(-len(lexicon) // _SAMPLE)))
        misses = changed(lexicon, hits)
        return Figures(
            words=len(lexicon),
            size=lexicon.header.size + 4 * lexicon.header.units,
            open_ns=open_ns,
            anonymous_bytes=None if before is None or after is None else after - before,
            first_ns=first_ns,
            verify_ns=verify_ns,
            hits=len(hits),
            hit_ns=_middle_ns(lexicon, hits),
            misses=len(misses),
            miss_ns=_middle_ns(lexicon, misses),
        )


def changed(lexicon: Lexicon, words: Sequence[str]) -> list[str]:
    """Return ``words`` with one tile changed, each at another place; without those that are words of the list themselves whatever they are changed to."""
    spelling, found = lexicon.spelling, []
    tiles = len(spelling.tiles)
    for number, word in enumerate(words):
        codes = spelling.codes(word)
        at = number % len(codes)
        others = (codes[:at] + bytes([(codes[at] + by - 1) % tiles + 1]) + codes[at + 1 :] for by in range(1, tiles))
        other = next((each for each in others if spelling.can_lay(each) and not lexicon.holds(each)), None)
        if other is not None:
            found.append(spelling.text(other))
    return found


def anonymous() -> int | None:
    """Return how many bytes of memory this process has that are of no file; None where the system does not tell (only Linux does)."""
    try:
        lines = _ROLLUP.read_bytes().splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(b"Anonymous:")), None)


def _middle_ns(lexicon: Lexicon, words: Sequence[str]) -> int:
    rounds = sorted(_look_up_ns(lexicon, words) for _ in range(_ROUNDS))
    return rounds[_ROUNDS // 2]


def _look_up_ns(lexicon: Lexicon, words: Sequence[str]) -> int:
    """What looking up ``words`` takes, for one of them."""
    start = time.perf_counter_ns()
    for word in words:
        word in lexicon  # noqa: B015 - what is timed is the question, not the answer
    return (time.perf_counter_ns() - start) // max(len(words), 1)
