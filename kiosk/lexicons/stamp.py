"""Stamps that tell files, and versions of a file, apart."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

FileStamp: TypeAlias = tuple[int, int, int, int, int]
"""Device, inode, size, and the times of the last change of content and of anything, in ns: the former can be set back, the latter cannot."""


def stamp(path: str | Path) -> FileStamp | None:
    """Return the stamp of the file at ``path``; None if it is missing."""
    try:
        there = Path(path).stat()
    except (OSError, ValueError):
        return None
    return there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns


def same_file(one: FileStamp | None, other: FileStamp | None) -> bool:
    """Return whether both are stamps of one file, which may have changed in between; False if either is None."""
    return one is not None and other is not None and one[:2] == other[:2]
