"""The librarian: a thread that looks after the lexicon's file, so that the screen stays alive while a list is read whole.

Once a second it asks whether there is still the same file under the path. If not, it reads what is there now and hands it over; whoever takes it decides when.
The list in use stays open and in use until then.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from kiosk.challenge.standing import Trouble
from kiosk.lexicons.shelf import Expected, Loaded, load
from kiosk.lexicons.stamp import stamp

LOOK_S: Final = 1.0
"""How often the file is asked for: a stat costs some microseconds."""
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
        self._wanted = wanted
        self._heard = heard
        self._look_s = look_s
        self._path = path
        # Before the file is read: a change while it is being read shows at the first look.
        self._stamp = stamp(path)
        self.first = load(path, wanted)
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
            while self._asked and not self._ends:
                self._fetch(self._asked.pop(0))
            if not self._ends:
                self._look()

    def _fetch(self, path: Path) -> None:
        before = stamp(path)
        # By whatever name it was asked for.
        in_use = before is not None and before == self._stamp
        found = load(path, self._wanted)
        if isinstance(found, Loaded):
            self._path, self._stamp = path, before
        self._heard(Fetched(path, found, asked=True, in_use=in_use))

    def _look(self) -> None:
        now = stamp(self._path)
        if now != self._stamp:
            self._stamp = now
            self._heard(Fetched(self._path, load(self._path, self._wanted), asked=False, in_use=True))
