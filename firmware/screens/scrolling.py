"""Which rows of a long page are visible, on any screen. Pure."""

from __future__ import annotations


def shown_rows(count: int, chosen: int | None, room: int) -> range:
    """Return which of ``count`` rows are visible if ``room`` fit: the chosen one is among them, if possible in the middle."""
    if count <= room:
        return range(count)
    first = min(max(0, (chosen or 0) - room // 2), count - room)
    return range(first, first + room)
