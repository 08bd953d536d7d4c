"""The errors of the journal."""

from __future__ import annotations

from pathlib import Path

from appliance.errors import TileclockError


class JournalError(TileclockError):
    """The journal cannot be used as asked; the message says what was expected, found, and what to do."""


class NoJournal(JournalError, FileNotFoundError):
    """There is no journal at that path."""

    def __init__(self, path: Path, advice: str = "Check the path") -> None:
        super().__init__(f"{path}: expected a journal; there is no such file. {advice}.")

    def __str__(self) -> str:
        # OSError would write an errno that there is none of.
        return str(self.args[0])


class DamagedJournal(JournalError, ValueError):
    """The file is there and is not a readable journal."""


class NoSuchGame(JournalError, LookupError):
    """The journal holds no game of that number."""
