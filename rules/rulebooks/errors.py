"""The error of the rulebooks."""

from __future__ import annotations

from appliance.errors import TileclockError


class RulebookError(TileclockError, ValueError):
    """A rulebook is unknown, cannot be read, or holds what a rulebook must not: the message names file, key, value and what is allowed."""
