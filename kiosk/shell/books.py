"""The open lexicons: the one in force, and the next until no challenge is in progress. Each play is judged by the list of its challenge's start."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from appliance.errors import Diagnosis
from faults.errors import problem_of
from game.challenge_log.entry import LexiconName
from kiosk.challenge.context import Ailment, Trouble
from kiosk.lexicons.shelf import Loaded
from kiosk.shell.judging import judge, warm
from lexicon import LexiconError


class Books:
    """Completely read lexicons, by the hash of their words."""

    def __init__(self) -> None:
        self._by_hash: dict[str, Loaded] = {}

    def add(self, loaded: Loaded) -> None:
        """Add a lexicon; an older one with the same list is closed."""
        before = self._by_hash.get(loaded.name.sha256)
        self._by_hash[loaded.name.sha256] = loaded
        if before is not None and before is not loaded:
            before.close()
        warm(loaded.lexicon)

    def retain(self, needed: Collection[str]) -> None:
        """Close all whose hash is not in ``needed``."""
        for sha256 in self._by_hash.keys() - set(needed):
            self._by_hash.pop(sha256).close()

    def judge(self, name: LexiconName | None, words: Sequence[str]) -> bool | Trouble:
        """Return the play's verdict by that list, or the trouble that prevents one."""
        loaded = None if name is None else self._by_hash.get(name.sha256)
        if loaded is None:
            return Trouble(
                Ailment.LEXICON_MISSING, Diagnosis(problem_of("", "an open lexicon", "none"), "Choose one at the director's desk")
            )
        try:
            return judge(loaded.lexicon, words)
        except LexiconError as error:
            # The lexicon was closed. Whatever the error, it must not end the program.
            return Trouble(Ailment.LEXICON_MISSING, Diagnosis.of(error))

    def close(self) -> None:
        """Close all."""
        self.retain(())
