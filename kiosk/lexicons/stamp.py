"""What tells a file from another, and from itself after a change."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

Stamp: TypeAlias = tuple[int, int, int, int, int]
"""Device, inode, size, and the times of the last change of content and of anything, in ns."""


def stamp(path: str | Path) -> Stamp | None:
    """Return the stamp of the file at ``path``; None where there is none."""
    try:
        there = Path(path).stat()
    except (OSError, ValueError):
        return None
    return there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns
