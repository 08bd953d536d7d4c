"""Which rows of the journal the clock's key signs (docs/spec/wire.md, "Signed heads")."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_SIGNED_EVENTS: Final = frozenset({"end", "verdict", "new_game"})
"""A new game signs the one before, which may have ended without an event."""
_EVENT: Final = "event"
_STOPPED: Final = "stopped"


def wants_signature(kind: str, body: Mapping[str, Any]) -> bool:
    """Return whether the head of the journal is signed at such a row: the end of a game, a verdict, a stop in order."""
    return kind == _STOPPED or (kind == _EVENT and body.get("do") in _SIGNED_EVENTS)
