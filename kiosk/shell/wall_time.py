"""Wall times as people read them at the station: on slips, and in the log at the desk. Where the machine had no date, that is said in its place."""

from __future__ import annotations

from appliance.clocks import is_dated
from appliance.texts import Texts

MINUTES = 16
SECONDS = 19


def wall_time_text(wall: str, texts: Texts, length: int = SECONDS) -> str:
    """Return a wall time (ISO 8601) as it is to be read, cut to so many characters; or that the date was not set."""
    return wall[:length].replace("T", " ") if is_dated(wall) else texts.say("wall.unset")
