"""The allowed values of each key of a rulebook file, in words."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.phrase import Phrase
from rules.rulebooks.model import WINDOW_NAMES

_LINE = "one line of text"
_POINTS = "a whole number of points from 0 to 1000"
_SECONDS = "a whole number of seconds from 1 to 86400"
_YES_NO = "true or false"
_ALLOWED = {
    "id": "lower-case letters, digits and hyphens, at most 64",
    "title": _LINE,
    "summary": _LINE,
    "extends": "the id of a shipped rulebook",
    "clause": "one line of text: the value's source",
    "assumed": "the id of the shipped rulebook to follow",
    "regulation.time": 'minutes and seconds like "25:00", from "0:01" to "999:59"',
    "limit.reading": 'a reading in overtime like "-10:01", or "none"',
    "forfeit.reading": '"0:00" or a reading in overtime like "-0:01"',
    "points": _POINTS,
    "penalty": _POINTS,
    "points_a_word": _POINTS,
    "period_seconds": _SECONDS,
    "seconds": _SECONDS,
    "a_minute": "a whole number of infractions from 1 to 100",
    "ends_game": _YES_NO,
    "starts_itself": _YES_NO,
    "acceptable_loses_turn": _YES_NO,
    "allowed": _YES_NO,
    "seated": _YES_NO,
    "uncovered": _YES_NO,
    "blank_erased": _YES_NO,
    "tile_seen": _YES_NO,
    "delay": _YES_NO,
    "by": '"judges" or "appeal"',
    "windows": Phrase("a table with {keys}", keys=", ".join(WINDOW_NAMES)),
}


def allowed(path: Sequence[str]) -> str | None:
    """Return the allowed values at a key path; None for a table."""
    return _ALLOWED.get(".".join(path)) or _ALLOWED.get("".join(path[-1:]))
