"""The allowed values of each key of a rulebook file, in words."""

from __future__ import annotations

from collections.abc import Sequence

from appliance.validation import either
from faults.errors import Phrase
from rules.rulebooks.model import MINUTE_NAMES, WINDOW_NAMES

_LINE = "one line of text"
_POINTS = "a whole number of points from 0 to 1000"
_SECONDS = "a whole number of seconds from 1 to 86400"
_YES_NO = "true or false"
_PLAYERS_OR_DIRECTOR = either(("players", "director"))
_WHO_ENDS = either(("players", "director", "never"))
_SECONDS_A_TURN = "a whole number of seconds from 0 to 600"
_SECONDS_FROM_5 = "a whole number of seconds from 5 to 3600"
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
    "regulation.increment_seconds": _SECONDS_A_TURN,
    "regulation.delay_seconds": _SECONDS_A_TURN,
    "turn.seconds": _SECONDS_FROM_5,
    "turn.warnings": "a list of seconds, each below the one before",
    "overtime.count": either(("begun", "completed")),
    "overtime.bands": "a list of tables with from_seconds, points, period_seconds",
    "overtime.from_seconds": "a whole number of seconds from 0 to 86400",
    "overtime.cap": 'a whole number of points from 0 to 10000, or "none"',
    "limit.charge": either(("instead", "beside", "none")),
    "forfeit.minutes_late": "a whole number of minutes from 1 to 120",
    "late.starts": _PLAYERS_OR_DIRECTOR,
    "late.both_absent": either(("owed", "left")),
    "hold.maximum_seconds": _SECONDS_FROM_5,
    "hold.at_maximum": either(("say", "release")),
    "end.six_zeros": _WHO_ENDS,
    "end.resignation": _WHO_ENDS,
    "windows.by": _PLAYERS_OR_DIRECTOR,
    "minutes.by": _PLAYERS_OR_DIRECTOR,
    "zero_reading_free": _YES_NO,
    "limit.recount": _YES_NO,
    "wins_by_one": _YES_NO,
    "starts_clock": _YES_NO,
    "here": _YES_NO,
    "off_centre_comes_off": _YES_NO,
    "points_are": either(("given", "taken")),
    "points_a_challenge": _POINTS,
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
    "at_zero_score": _YES_NO,
    "seated": _YES_NO,
    "uncovered": _YES_NO,
    "blank_erased": _YES_NO,
    "tile_seen": _YES_NO,
    "delay": _YES_NO,
    "by": either(("judges", "appeal")),
    "minutes": Phrase("a table with {keys}", keys=", ".join(MINUTE_NAMES)),
    "windows": Phrase("a table with {keys}", keys=", ".join(WINDOW_NAMES)),
}


def allowed(path: Sequence[str]) -> str | None:
    """Return the allowed values at a key path; None for a table."""
    if not path:
        return None
    # The name of a window, a minute or a band stands between, and does not matter.
    within = _ALLOWED.get(f"{path[0]}.{path[-1]}") if len(path) > 1 else None
    return within or _ALLOWED.get(path[-1])
