"""A folder that follows the store: results are written for another program as they come (``hall.results.folder``)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from hall.event.model import Event
from hall.results.book import applied
from hall.results.folder import About, write_results
from hall.results.model import Applied
from hall.store.database import StorePlace
from hall.store.events import changes_of, read_stored
from hall.store.results import kept_book, kept_game_results

EVERY_S: Final = 2.0
"""Between two looks."""


class _Following:
    """A hall's event with its results, read again only where something was added."""

    def __init__(self, place: StorePlace, hall: str) -> None:
        self._place, self._hall = place, hall
        self._seen: tuple[int, int] | None = None
        self._results = Applied(Event())

    def look(self) -> tuple[Applied, bool]:
        """Return the results, and whether they may differ from those of the last look."""
        # Before the event is read: what changes meanwhile is seen at the next look.
        changes = changes_of(self._place, self._hall)
        if self._seen is not None and self._seen[0] == changes and not kept_game_results(self._place, self._hall, self._seen[1]):
            return self._results, False
        book = kept_book(self._place, self._hall)
        self._results, self._seen = applied(read_stored(self._place, self._hall).event, book), (changes, book.newest)
        return self._results, True


class ResultsFolder:
    """Writes a hall's results into a folder whenever they change; of one thread."""

    def __init__(self, place: StorePlace, hall: str, folder: Path, kind: str, about: About) -> None:
        self._following = _Following(place, hall)
        self._folder, self._kind, self._about = folder, kind, about
        self._is_written, self._said = False, list[str]()

    def look(self) -> list[str]:
        """Write what has changed; return what there is to say since the last look, in sentences.

        Raises ``RecordError``, and ``ResultsError`` as ``write_results``; the next look tries again.
        """
        results, changed = self._following.look()
        if not changed and self._is_written:
            return []
        self._is_written = False
        said = write_results(self._folder, self._kind, results, self._about)
        self._is_written = True
        new, self._said = [each for each in said if each not in self._said], said
        return new
