"""The errors of the journal."""

from __future__ import annotations

from appliance.errors import TileclockError


class JournalError(TileclockError):
    """The journal cannot be used as asked."""


class NoJournal(JournalError, FileNotFoundError):
    """There is no journal at that path."""


class DamagedJournal(JournalError, ValueError):
    """The file is there and is not a readable journal."""


class NoSuchGame(JournalError, LookupError):
    """The journal holds no game of that number."""
