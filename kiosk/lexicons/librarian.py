"""The librarian: a thread that looks after the lexicon's file, so that the screen stays alive while a list is read whole.

Once a second it asks whether there is still the same file under the path. If not, it reads what is there now and hands it over; whoever takes it decides when.
The list in use stays open and in use until then. What could not be read for a reason that may pass is tried again, whether the file changes or not. Nothing that
goes wrong ends the thread: a file that nobody watches any more would be trusted for ever.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from appliance.errors import Diagnosis, problem_of
from appliance.log import get_logger as logbook
from appliance.phrase import Phrase
from kiosk.challenge.context import Ailment, Trouble
from kiosk.lexicons.shelf import Expected, Loaded, Passing, load
from kiosk.lexicons.stamp import same_file, stamp

LOOK_S: Final = 1.0
"""How often the file is asked for: a stat costs some microseconds."""
AGAIN_LOOKS: Final = 10
"""After so many looks what may have passed is tried again: a machine short of memory is not to be kept busy with that."""
LEAVE_S: Final = 2.0
"""How long the end of the program waits for a list that is being read."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What was found under a path."""

    path: Path
    found: Loaded | Trouble
    asked: bool
    """Somebody asked for it; else the file in use had changed."""
    in_use: bool = False
    """It is the file that is watched: what is wrong with it is wrong with the station."""


class Librarian:
    """Watches one path, and fetches others when asked.

    Args:
        path: the file to watch; read once before this returns, into ``first``.
        wanted: what a list must be.
        heard: takes what is found, in the librarian's thread.
        look_s: seconds between two looks.
    """

    def __init__(self, path: Path, wanted: Expected, heard: Callable[[Fetched], None], look_s: float = LOOK_S) -> None:
        self.wanted = wanted
        self._heard = heard
        self._look_s = look_s
        self._path = path
        # Before the file is read: a change while it is being read shows at the first look.
        self._stamp = stamp(path)
        self.first = self._load(path)
        self._keep(self.first)
        self._asked: list[Path] = []
        self._called = threading.Event()
        self._ends = False
        self._thread = threading.Thread(target=self._work, name="librarian", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends = True
        self._called.set()
        # A list may be in the middle of being read: the end of the program does not wait for that.
        self._thread.join(LEAVE_S)

    def fetch(self, path: Path) -> None:
        """Have the list at ``path`` read, from any thread; if it is sound, it is the one to watch from then on."""
        self._asked.append(path)
        self._called.set()

    def _work(self) -> None:
        while not self._ends:
            self._called.wait(self._look_s)
            self._called.clear()
            try:
                self._turn()
            except Exception:  # noqa: BLE001 - an error of the program's own, whatever it is: the file is watched all the same
                logbook().exception("librarian")

    def _turn(self) -> None:
        while self._asked and not self._ends:
            self._fetch(self._asked.pop(0))
        if not self._ends:
            self._look()

    def _fetch(self, path: Path) -> None:
        before = stamp(path)
        # By whatever name it was asked for, and though it has changed since the last look.
        in_use = path == self._path or same_file(before, stamp(self._path))
        found = self._load(path)
        if isinstance(found, Loaded):
            self._path = path
        if in_use or isinstance(found, Loaded):
            self._stamp = before
            self._keep(found)
        self._heard(Fetched(path, found, asked=True, in_use=in_use))

    def _look(self) -> None:
        now = stamp(self._path)
        if now != self._stamp:
            self._stamp = now
            self._read_again(None)
        elif self._passing is not None:
            self._looked += 1
            if self._looked >= AGAIN_LOOKS:
                self._read_again(self._passing)

    def _read_again(self, told: Trouble | None) -> None:
        """Read the file in use, and hand over what is found unless just that was ``told`` before: it would stand in the log every few seconds."""
        found = self._load(self._path)
        self._keep(found)
        if found != told:
            self._heard(Fetched(self._path, found, asked=False, in_use=True))

    def _load(self, path: Path) -> Loaded | Trouble:
        try:
            return load(path, self.wanted)
        except Exception as error:  # noqa: BLE001 - as above: it is said and tried again, and whoever mends the program finds where it failed
            logbook().exception("lexicon", path=str(path))
            name = type(error).__name__
            return Passing(
                Ailment.LEXICON_MISSING,
                Diagnosis(
                    problem_of(str(path), "to read it whole", Phrase("that the program failed at it ({error})", error=name)),
                    "Choose another file, or start the station again",
                ),
            )

    def _keep(self, found: Loaded | Trouble) -> None:
        """Keep in mind whether what was found under the path in use may pass, and look at it anew from now on."""
        self._passing = found if isinstance(found, Passing) else None
        self._looked = 0
