"""How many cases a run takes: enough for each change, all of them before a release."""

import os
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")

THOROUGH = bool(os.environ.get("TILECLOCK_THOROUGH"))


def examples(most: int) -> int:
    """Return how many of at ``most`` so many random cases this run takes: an eighth, or all with ``TILECLOCK_THOROUGH=1``."""
    return most if THOROUGH else -(-most // 8)


def sampled(cells: Iterable[T], every: int) -> Iterator[T]:
    """Yield one of ``every`` cells on average, the same ones in each run; or all with ``TILECLOCK_THOROUGH=1``."""
    chosen = Random(7)  # noqa: S311 - no secret
    return (cell for cell in cells if THOROUGH or chosen.randrange(every) == 0)


def in_turn(rows: Sequence[T], columns: Sequence[U], start: int) -> Iterator[tuple[T, U]]:
    """Yield each of ``columns`` with one of ``rows``, which take turns from number ``start`` on; or with all of them with ``TILECLOCK_THOROUGH=1``."""
    for number, row in enumerate(rows):
        for place, column in enumerate(columns, start):
            if THOROUGH or place % len(rows) == number:
                yield row, column
