"""The wait after wrong tries at a director's lock. The count survives restarts: a program that is switched off and on waits its whole time again."""

from __future__ import annotations

from typing import Final

_SECOND_NS: Final = 1_000_000_000
FREE_TRIES: Final = 2
"""This many wrong tries in a row have no wait, because anyone may mistype."""
FIRST_WAIT_NS: Final = 30 * _SECOND_NS
"""The wait after the third wrong try; each further one doubles it."""
LONGEST_WAIT_NS: Final = 900 * _SECOND_NS


def wait_ns(tries: int) -> int:
    """Return the wait after ``tries`` wrong tries in a row, in ns: none, then 30 s, doubled by each further one up to 15 min."""
    # Bound the shift: a log of a thousand wrong tries must not give a number of a thousand bits.
    return min(FIRST_WAIT_NS << min(tries - FREE_TRIES - 1, 10), LONGEST_WAIT_NS) if tries > FREE_TRIES else 0
