"""JSON as a link writes and reads it. Standard library only."""

from __future__ import annotations

import json
from typing import Any

from wire.topics import VERSION


def encoded(value: Any) -> bytes:
    """Return ``value`` as a message: an object gets the version."""
    versioned = {"v": VERSION, **value} if isinstance(value, dict) else value
    return json.dumps(versioned, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")


def decoded(text: str) -> Any:
    """Return what ``text`` says; None: it is no JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
