"""The error of the rulebooks."""

from __future__ import annotations

from appliance.errors import TileclockError


class RulebookError(TileclockError, ValueError):
    """A rulebook is unknown, unreadable or invalid; the message names file, key, value and allowed values."""
