"""Wall times for readers, on slips and in the desk's log; with a note if the machine's date was not set."""

from __future__ import annotations

from appliance.clocks import is_dated
from appliance.texts import Texts

MINUTES = 16
SECONDS = 19


def wall_time_text(wall: str, texts: Texts, length: int = SECONDS) -> str:
    """Return a wall time (ISO 8601) for readers, cut to ``length`` characters; or a note that the date was not set."""
    return wall[:length].replace("T", " ") if is_dated(wall) else texts.say("wall.unset")
