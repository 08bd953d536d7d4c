"""The errors of the log."""

from __future__ import annotations

from pathlib import Path

from appliance.errors import TileclockError


class LogError(TileclockError):
    """The log cannot be used as asked; the message says what was expected, found, and what to do."""


class NotLogged(LogError, OSError):
    """A row could not be written; the next one is tried afresh."""

    # OSError would write an errno that there is none of.
    __str__ = Exception.__str__


class NoLog(LogError, FileNotFoundError):
    """There is no log at that path."""

    def __init__(self, path: Path, advice: str = "Check the path") -> None:
        super().__init__(f"{path}: expected a log; there is no such file. {advice}.")

    __str__ = Exception.__str__


class DamagedLog(LogError, ValueError):
    """The file is there and is not a readable log, or a row of it is none."""
