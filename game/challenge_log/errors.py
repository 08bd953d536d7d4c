"""The errors of the log."""

from __future__ import annotations

from appliance.errors import TileclockError
from appliance.phrase import Phrase, as_phrase


class LogError(TileclockError):
    """The log cannot be used as requested."""


class NotLogged(LogError, OSError):
    """A row could not be written; the next attempt starts anew."""

    @property
    def problem(self) -> Phrase:
        """The problem, worded for the screen."""
        return Phrase("The log cannot be written: {file}: {why}", file=self.where, why=as_phrase(self.found))


class NoLog(LogError, FileNotFoundError):
    """No log exists at that path."""


class BadEntry(LogError, ValueError):
    """The body of a row is not one that this program writes."""


class DamagedLog(LogError, ValueError):
    """The file exists but is not a readable log, or has an unreadable row."""
