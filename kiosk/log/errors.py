"""The errors of the log."""

from __future__ import annotations

from appliance.errors import TileclockError
from appliance.phrase import Phrase, as_phrase


class LogError(TileclockError):
    """The log cannot be used as asked."""


class NotLogged(LogError, OSError):
    """A row could not be written; the next one is tried afresh."""

    @property
    def problem(self) -> Phrase:
        """What is wrong, in the words of the screen."""
        return Phrase("The log cannot be written: {file}: {why}", file=self.where, why=as_phrase(self.found))


class NoLog(LogError, FileNotFoundError):
    """There is no log at that path."""


class DamagedLog(LogError, ValueError):
    """The file is there and is not a readable log, or a row of it is none."""
