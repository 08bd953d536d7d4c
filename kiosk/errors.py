"""The root of the errors of the challenge station: what a person can put right, said in one sentence."""

from __future__ import annotations


class StationError(Exception):
    """Something from outside is not as it must be.

    The message is written for the director: what was expected, what was found, what to do. Each part of the package has its own leaf, which is a builtin
    error as well where one fits. Programs turn it into that sentence and exit code 2, never into a traceback; the station's screen says it.
    """


class KeyboardError(StationError, ValueError):
    """A keyboard layout that is unknown, or whose file cannot be used."""
