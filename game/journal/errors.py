"""The errors of the journal."""

from __future__ import annotations

from appliance.errors import TileclockError


class JournalError(TileclockError):
    """The journal cannot be used as requested."""


class NoJournal(JournalError, FileNotFoundError):
    """No journal exists at that path."""


class DamagedJournal(JournalError, ValueError):
    """The file exists but is not a readable journal."""


class AnotherEdition(JournalError, ValueError):
    """The journal has a game that was recorded under another edition of the events, or under none."""


class NoSuchGame(JournalError, LookupError):
    """The journal has no game of that number."""
