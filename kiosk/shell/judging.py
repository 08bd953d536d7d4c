"""Judge a play in a time that reveals nothing: look up all words, then wait for the end of a fixed quantum, whatever the words are.

A look-up ends at the first letter that no word continues with, and a text without a spelling in tiles takes longer than one with. The difference is
microseconds, but a patient observer with a camera could measure it. So from the key on, every play takes a whole number of quanta. Caches
still cause differences of some ten-millionths of a second; an additional random wait, thousands of times as long, hides those too.
"""

import secrets
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Final

from appliance.errors import Diagnosis
from faults.errors import problem_of
from kiosk.context import Trouble, TroubleKind
from kiosk.lexicons.loading import Loaded
from lexicon import Lexicon
from lexicon.errors import Ambiguous
from records.entry import LexiconName

QUANTUM_NS: Final = 2_000_000
"""More than eight words of any kind need, even on a small machine; an eighth of a frame's time."""
MAX_JITTER_NS: Final = 500_000
SPIN_NS: Final = 600_000
"""The end of the wait is spent spinning, because the kernel wakes a sleeper late and irregularly."""


def judge(
    lexicon: Lexicon,
    words: Sequence[str],
    *,
    now: Callable[[], int] = time.perf_counter_ns,
    sleep: Callable[[float], None] = time.sleep,
    draw: Callable[[int], int] = secrets.randbelow,
) -> bool:
    """Return whether all of ``words`` (at least one, as the log spells them) are in the list, at the end of a quantum plus a random wait.

    A text without a spelling in tiles is no word, and a text with two spellings is none either: for a tile of several letters, players press its key. ``lexicon``
    is a verified copy in memory: nothing is read from the disk after the key. ``now`` (ns), ``sleep`` and ``draw`` are a test's own.
    """
    lot = draw(MAX_JITTER_NS)
    begun = now()
    try:
        acceptable = lexicon.accepts(words)
    except Ambiguous:
        acceptable = False
    end = begun + QUANTUM_NS * (1 + (now() - begun) // QUANTUM_NS) + lot
    if (left := end - now() - SPIN_NS) > 0:
        sleep(left / 1e9)
    while now() < end:
        pass
    return acceptable


class OpenLexicons:
    """Completely read lexicons, by the hash of their words."""

    def __init__(self) -> None:
        self._by_hash: dict[str, Loaded] = {}

    def add(self, loaded: Loaded) -> None:
        self._by_hash[loaded.name.sha256] = loaded
        # In advance, so that the first verdict does not take longer than the others.
        with suppress(Ambiguous):
            loaded.lexicon.accepts(["AA"])

    def retain(self, needed: Collection[str]) -> None:
        for sha256 in self._by_hash.keys() - set(needed):
            del self._by_hash[sha256]

    def judge(self, name: LexiconName | None, words: Sequence[str]) -> bool | Trouble:
        loaded = None if name is None else self._by_hash.get(name.sha256)
        if loaded is None:
            return Trouble(
                TroubleKind.LEXICON_MISSING, Diagnosis(problem_of("", "an open lexicon", "none"), "Choose one at the director's desk")
            )
        return judge(loaded.lexicon, words)
