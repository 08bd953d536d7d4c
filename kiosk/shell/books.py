"""The lexicons that are open: the one in force, and the next until nobody is in a challenge. Each play is judged by the list it was begun with."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from appliance.errors import Diagnosis, problem_of
from kiosk.challenge.context import Ailment, LexiconName, Trouble
from kiosk.lexicons.shelf import Loaded, diagnosis
from kiosk.shell.judging import judge, warm
from lexicon import LexiconError


class Books:
    """Lexicons that were read whole, by the hash of their words."""

    def __init__(self) -> None:
        self._by_hash: dict[str, Loaded] = {}

    def add(self, loaded: Loaded) -> None:
        """Take in a lexicon; of the same list in another file the older is closed."""
        before = self._by_hash.get(loaded.name.sha256)
        self._by_hash[loaded.name.sha256] = loaded
        if before is not None and before is not loaded:
            before.close()
        warm(loaded.lexicon)

    def keep(self, needed: Collection[str]) -> None:
        """Close all but those whose hash is ``needed``."""
        for sha256 in self._by_hash.keys() - set(needed):
            self._by_hash.pop(sha256).close()

    def judge(self, name: LexiconName | None, words: Sequence[str]) -> bool | Trouble:
        """Return the play's verdict by that list; or the trouble with it, and nothing was judged."""
        loaded = None if name is None else self._by_hash.get(name.sha256)
        if loaded is None:
            return Trouble(
                Ailment.LEXICON_MISSING, Diagnosis(problem_of("", "an open lexicon", "none"), "Choose one at the director's desk")
            )
        try:
            return judge(loaded.lexicon, words)
        except LexiconError as error:
            # It was closed: what becomes of the file cannot reach a copy. Whatever it is, it ends no program.
            return Trouble(Ailment.LEXICON_MISSING, diagnosis(error))

    def close(self) -> None:
        """Close them all."""
        self.keep(())
