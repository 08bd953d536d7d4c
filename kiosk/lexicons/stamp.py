"""What tells a file from another, and from itself after a change."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

Stamp: TypeAlias = tuple[int, int, int, int, int]
"""Device, inode, size, and the times of the last change of content and of anything, in ns: whoever sets the first of them back cannot set back the second."""


def stamp(path: str | Path) -> Stamp | None:
    """Return the stamp of the file at ``path``; None where there is none."""
    try:
        there = Path(path).stat()
    except (OSError, ValueError):
        return None
    return there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns


def same_file(one: Stamp | None, other: Stamp | None) -> bool:
    """Tell whether both are stamps of one file, which may have changed between them; where there is none, there is not the same."""
    return one is not None and other is not None and one[:2] == other[:2]
