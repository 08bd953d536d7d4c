"""Limits that clock, station and hall share."""

from __future__ import annotations

from typing import Final

WORDS_IN_CHALLENGE: Final = 8
"""The most words one play can make: its own and one across each of seven tiles."""
