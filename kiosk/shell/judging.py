"""The verdict, in a time that does not tell: all words looked up, then waited to the end of a fixed quantum, whatever they were.

A look-up ends where no word goes on so, and a text that no tiles spell takes longer than one that they do: microseconds, but a camera and patience would read
them. From the key on, every play of every kind takes the same whole number of quanta. What a longer look-up leaves behind in the machine's caches still makes
some ten-millionths of a second; a wait of its own for each play, drawn by lot, is thousands of times as long, and hides that too.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from lexicon import Lexicon
from lexicon.errors import Ambiguous

QUANTUM_NS: Final = 2_000_000
"""What eight words of any kind need, and more, on a small machine too; an eighth of a picture's time."""
LOT_NS: Final = 500_000
"""The wait that is drawn is shorter than this."""
SPIN_NS: Final = 600_000
"""The last part is not slept through: the kernel wakes late, and never equally late."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Where a verdict's time comes from; a test brings its own."""

    now: Callable[[], int] = time.perf_counter_ns
    """ns of a clock that only goes on."""
    sleep: Callable[[float], None] = time.sleep
    """Sleeps seconds."""
    draw: Callable[[int], int] = secrets.randbelow
    """Draws a number from 0 up to and without the given one."""


REAL: Final = Timing()


def judge(lexicon: Lexicon, words: Sequence[str], timing: Timing = REAL) -> bool:
    """Return the play's one verdict: whether all of ``words`` are in the list, at the end of a quantum from the call and of the wait that was drawn.

    A text that the tiles cannot lay is no word. Nor is one that they can lay in two ways: a player who means a tile of several letters presses its key.

    Args:
        lexicon: read whole and found sound, a copy: nothing is asked of the disk from the key on.
        words: the play's, at least one, as the log keeps them.
        timing: clock, sleep and lot.

    Raises:
        LexiconError: the lexicon is closed: nothing was judged.
    """
    now = timing.now
    lot = timing.draw(LOT_NS)
    begun = now()
    try:
        acceptable = lexicon.accepts(words)
    except Ambiguous:
        acceptable = False
    end = begun + QUANTUM_NS * (1 + (now() - begun) // QUANTUM_NS) + lot
    if (left := end - now() - SPIN_NS) > 0:
        timing.sleep(left / 1e9)
    while now() < end:
        pass
    return acceptable


def warm(lexicon: Lexicon, words: Sequence[str] = ("AA",)) -> None:
    """Look something up that nobody asked for: the first verdict of the day must not take longer than the others."""
    try:
        lexicon.accepts(words)
    except Ambiguous:
        return
