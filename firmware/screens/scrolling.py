"""Which rows of a long page are shown, on any screen. Pure."""

from __future__ import annotations


def shown_rows(count: int, chosen: int | None, room: int) -> range:
    """Return which of ``count`` rows are shown where ``room`` fit: the chosen one is among them, in the middle where that can be."""
    if count <= room:
        return range(count)
    first = min(max(0, (chosen or 0) - room // 2), count - room)
    return range(first, first + room)
