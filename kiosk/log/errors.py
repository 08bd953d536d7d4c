"""The errors of the log."""

from __future__ import annotations

from appliance.errors import TileclockError


class LogError(TileclockError):
    """The log cannot be used as requested."""


class NotLogged(LogError, OSError):
    """A row could not be written; the next attempt starts anew."""

    @property
    def problem(self) -> str:
        """The problem, worded for the screen."""
        return f"The log cannot be written: {self.where}: {self.found}"


class NoLog(LogError, FileNotFoundError):
    """No log exists at that path."""


class DamagedLog(LogError, ValueError):
    """The file exists but is not a readable log, or has an unreadable row."""
