"""A thread that reads and watches the lexicon's file, so that the screen stays responsive.

Once a second it checks whether the path still holds the same file. If not, it reads the new one and passes it on; the receiver decides when to use
it. Until then the old list stays open and in use. Failures that may pass are retried, even if the file does not change. No error ends the thread:
an unwatched file would be trusted for ever.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from msgspec import Struct

from appliance.errors import Diagnosis
from appliance.log import get_logger as logbook
from faults.errors import Phrase, problem_of
from kiosk.context import Trouble, TroubleKind
from kiosk.lexicons.loading import Expected, Loaded, Passing, load, same_file, stamp

LOOK_S: Final = 1.0
"""The interval of checks; a stat takes some microseconds."""
AGAIN_LOOKS: Final = 10
"""Failures that may pass are retried after this many checks, to spare a machine short of memory."""
LEAVE_S: Final = 2.0
"""How long the end of the program waits for the reading of a list."""


class Fetched(Struct, frozen=True):
    """The result for a path."""

    path: Path
    found: Loaded | Trouble
    requested: bool
    """It was requested; otherwise the file in use has changed."""
    in_use: bool = False
    """It is the watched file, so its trouble is the station's."""


class LexiconLoader:
    """Watches one path, read once into ``first`` before this returns, every ``look_s`` seconds; and reads others on request.

    ``wanted``: the requirements for a list. ``on_fetched`` takes results, in the loader's thread.
    """

    def __init__(self, path: Path, wanted: Expected, on_fetched: Callable[[Fetched], None], look_s: float = LOOK_S) -> None:
        self.wanted = wanted
        self._on_fetched = on_fetched
        self._look_s = look_s
        self._path = path
        # Before reading, so that the first check finds a change during reading.
        self._stamp = stamp(path)
        self.first = self._load(path)
        self._note(self.first)
        self._requests: list[Path] = []
        self._called = threading.Event()
        self._ends = False
        self._thread = threading.Thread(target=self._work, name="lexicon loader", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends = True
        self._called.set()
        # A list may be being read: the end of the program does not wait for that.
        self._thread.join(LEAVE_S)

    def fetch(self, path: Path) -> None:
        """Read the list at ``path``, from any thread; if valid, watch it from then on."""
        self._requests.append(path)
        self._called.set()

    def _work(self) -> None:
        while not self._ends:
            self._called.wait(self._look_s)
            self._called.clear()
            try:
                self._turn()
            except Exception:  # noqa: BLE001 - whatever the error, the file must stay watched
                logbook().exception("lexicon loader")

    def _turn(self) -> None:
        while self._requests and not self._ends:
            self._fetch(self._requests.pop(0))
        if not self._ends:
            self._look()

    def _fetch(self, path: Path) -> None:
        before = stamp(path)
        # Under any name, and even if it has changed since the last check.
        in_use = path == self._path or same_file(before, stamp(self._path))
        found = self._load(path)
        if isinstance(found, Loaded):
            self._path = path
        if in_use or isinstance(found, Loaded):
            self._stamp = before
            self._note(found)
        self._on_fetched(Fetched(path, found, requested=True, in_use=in_use))

    def _look(self) -> None:
        now = stamp(self._path)
        if now != self._stamp:
            self._stamp = now
            self._read_again(None)
        elif self._passing is not None:
            self._looked += 1
            if self._looked >= AGAIN_LOOKS:
                self._read_again(self._passing)

    def _read_again(self, reported: Trouble | None) -> None:
        """Read the file in use, and pass the result on unless it equals ``reported``: otherwise the log would repeat it every few seconds."""
        found = self._load(self._path)
        self._note(found)
        if found != reported:
            self._on_fetched(Fetched(self._path, found, requested=False, in_use=True))

    def _load(self, path: Path) -> Loaded | Trouble:
        try:
            return load(path, self.wanted)
        except Exception as error:  # noqa: BLE001 - as above: it is reported and retried, with a traceback for the developer
            logbook().exception("lexicon", path=str(path))
            name = type(error).__name__
            return Passing(
                TroubleKind.LEXICON_MISSING,
                Diagnosis(
                    problem_of(str(path), "to read it whole", Phrase("that the program failed at it ({error})", error=name)),
                    "Choose another file, or start the station again",
                ),
            )

    def _note(self, found: Loaded | Trouble) -> None:
        """Store whether the result for the path in use may pass, and restart its checks."""
        self._passing = found if isinstance(found, Passing) else None
        self._looked = 0
