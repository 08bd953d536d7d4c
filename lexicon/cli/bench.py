"""``tilelexicon bench``: measures a list on this machine: nanoseconds per look-up, bytes per word, memory used by opening.

It uses only the public API, so every caller gets these figures.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import click
from msgspec import Struct

from lexicon.cli.options import lexicon_argument, print_figures
from lexicon.reader import Lexicon

_SAMPLE = 10_000

_ROUNDS = 5
_ROLLUP = Path("/proc/self/smaps_rollup")


class Figures(Struct, frozen=True):
    """The measurements: times in ns, those of look-ups including the loop; sizes in bytes."""

    words: int
    size: int
    open_ns: int
    anonymous_bytes: int | None
    """Growth of this process's own memory by opening, in whole pages; None if the system does not report it."""
    first_ns: int
    verify_ns: int
    hits: int
    hit_ns: int
    misses: int
    miss_ns: int


def measure(path: Path) -> Figures:
    anonymous()  # exclude what this call itself needs
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
    """Return ``words`` with one tile changed, each at another place; drop those where every change gives a word of the list."""
    spelling, found = lexicon.spelling, []
    tiles = len(spelling.tiles)
    for number, word in enumerate(words):
        codes = spelling.codes(word)
        at = number % len(codes)
        others = (codes[:at] + bytes([(codes[at] + by - 1) % tiles + 1]) + codes[at + 1 :] for by in range(1, tiles))
        other = next((each for each in others if spelling.can_spell(each) and not lexicon.holds(each)), None)
        if other is not None:
            found.append(spelling.text(other))
    return found


def anonymous() -> int | None:
    """Return the bytes of anonymous memory of this process; None if the system does not report it (only Linux does)."""
    try:
        lines = _ROLLUP.read_bytes().splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(b"Anonymous:")), None)


def _middle_ns(lexicon: Lexicon, words: Sequence[str]) -> int:
    rounds = sorted(_look_up_ns(lexicon, words) for _ in range(_ROUNDS))
    return rounds[_ROUNDS // 2]


def _look_up_ns(lexicon: Lexicon, words: Sequence[str]) -> int:
    start = time.perf_counter_ns()
    for word in words:
        word in lexicon  # noqa: B015 - only the time matters
    return (time.perf_counter_ns() - start) // max(len(words), 1)


@click.command()
@lexicon_argument
def bench(path: Path) -> None:
    """Measure X.dawg on this machine: opening, look-ups, verifying, memory.

    Hits are words spread over the whole list; misses are the same words with one tile changed. Each figure is the median of five rounds. The file is in the
    system's cache after the first read.
    """
    found = measure(path)
    grown = "not reported by this system" if found.anonymous_bytes is None else f"{found.anonymous_bytes // 1024:,} KiB"
    hundredths = 100 * found.size // found.words
    print_figures(
        [
            ("words", f"{found.words:,}"),
            ("size", f"{found.size:,} bytes, {hundredths // 100}.{hundredths % 100:02d} a word"),
            ("open", f"{found.open_ns // 1000:,} µs"),
            ("memory used by opening", grown),
            ("first look-up", f"{found.first_ns / 1000:,.1f} µs"),
            ("verify", f"{found.verify_ns // 1_000_000:,} ms"),
            ("look-up, a word of the list", f"{found.hit_ns:,} ns, of {found.hits:,}"),
            ("look-up, one tile changed", f"{found.miss_ns:,} ns, of {found.misses:,}" if found.misses else "every change is a word"),
        ]
    )
