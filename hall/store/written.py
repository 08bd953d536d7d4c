"""A folder that follows the store: results are written for another program as they come (``hall.results.folder``), by the desk or by command."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from appliance.clocks import wall_time
from faults.errors import TileclockError
from hall.errors import ResultsError
from hall.results.book import applied, book_of
from hall.results.folder import About, write_results
from hall.store.database import FAULTS, StorePlace
from hall.store.events import changes_of, kept_game_results, read_stored

_EVERY_S: Final = 2.0


class ResultsFolder:
    """Writes a hall's results into a folder whenever they change; of one thread. Others may read how it stands."""

    def __init__(self, place: StorePlace, hall: str, folder: Path, kind: str, about: About) -> None:
        self.folder, self.kind = folder, kind
        self.written_at = ""
        """When the folder last got the results as they stand, as wall time; empty: not yet."""
        self.said: list[str] = []
        """What was written then, and what is left to do at the other program, in sentences."""
        self.trouble = ""
        """Why nothing can be written now; empty: it is written."""
        self.writes: Callable[[], bool] = lambda: True
        """Whether this program is the one that writes now; of several desks it is the one that gives the orders."""
        self._place, self._hall, self._about = place, hall, about
        self._seen: tuple[int, int] | None = None
        """The changes of the event and the row of results that are written."""
        self._end = threading.Event()

    def stop(self) -> None:
        """End ``run``; any thread."""
        self._end.set()

    def run(self, say: Callable[[str], None], warn: Callable[[str], None]) -> None:
        """Write until ``stop``; ``say`` gets what ``look`` returns, ``warn`` a trouble, once."""
        while True:
            trouble = ""
            try:
                for each in self.look():
                    say(each)
            except (TileclockError, *FAULTS) as error:
                trouble = str(error)
                if trouble != self.trouble:
                    warn(trouble)
            self.trouble = trouble
            if self._end.wait(_EVERY_S):
                return

    def look(self) -> list[str]:
        """Write what has changed; return what there is to say since the last look, in sentences.

        Raises ``RecordError``, and ``ResultsError`` as ``write_results`` or while another desk writes; the next look tries again.
        """
        if not self.writes():
            self._seen = None
            found, remedy = "that another one does, and writes here", "Take over on the Log page, if that one has failed"
            raise ResultsError(where=self.folder, expected="that this desk gives the orders", found=found, remedy=remedy)
        # Before the event is read: what changes meanwhile is seen at the next look.
        changes = changes_of(self._place, self._hall)
        if self._seen is not None and self._seen[0] == changes and not kept_game_results(self._place, self._hall, self._seen[1]):
            return []
        self._seen = None
        book = book_of(kept_game_results(self._place, self._hall))
        said = write_results(self.folder, self.kind, applied(read_stored(self._place, self._hall).event, book), self._about)
        self._seen, self.written_at = (changes, book.newest), wall_time()
        new, self.said = [each for each in said if each not in self.said], said
        return new
