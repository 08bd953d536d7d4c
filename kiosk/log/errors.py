"""The errors of the log."""

from __future__ import annotations

from appliance.errors import TileclockError


class LogError(TileclockError):
    """The log cannot be used as asked."""


class NotLogged(LogError, OSError):
    """A row could not be written; the next one is tried afresh."""

    @property
    def problem(self) -> str:
        """What is wrong, in the words of the screen."""
        return f"The log cannot be written: {self.where}: {self.found}"


class NoLog(LogError, FileNotFoundError):
    """There is no log at that path."""


class DamagedLog(LogError, ValueError):
    """The file is there and is not a readable log, or a row of it is none."""
