"""Files by their names: what SQLite keeps beside one, which file stands at a path, and how a damaged one makes room without being lost."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeAlias

SIDECARS: Final = ("-wal", "-shm")
"""What SQLite keeps beside the file, by suffix."""
Identity: TypeAlias = tuple[int, int] | None
"""Device and inode of a file; None: there is none."""


def beside(path: Path, suffix: str) -> Path:
    """Return the path of a file that is kept beside ``path``, as SQLite names its own."""
    return path.with_name(f"{path.name}{suffix}")


def identity(path: Path) -> Identity:
    """Return which file stands at ``path``.

    Raises:
        OSError: it cannot be looked at.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def no_file(path: Path) -> str | None:
    """Return why what stands at ``path`` can be no file of record, and what to do; None: it is a file, or nothing is there."""
    if path.is_dir():
        return "it is a folder. Name a file in it"
    return "it is no file. Name one that can be kept" if path.exists() and not path.is_file() else None


def set_aside(path: Path, now: datetime, suffixes: Sequence[str] = ("", *SIDECARS)) -> Path:
    """Rename the file and (by ``suffixes``) what SQLite keeps beside it, never onto an existing file, and return the new name.

    Raises:
        OSError: it cannot be renamed.
    """
    stem = f"{path.name}.{now.astimezone(UTC):%Y-%m-%dT%H-%M-%SZ}.damaged"
    target, count = path.with_name(stem), 1
    while any(beside(target, suffix).exists() for suffix in ("", *SIDECARS)):
        count += 1
        target = path.with_name(f"{stem}.{count}")
    for suffix in suffixes:
        if beside(path, suffix).exists():
            beside(path, suffix).rename(beside(target, suffix))
    return target


def sync(path: Path) -> None:
    """Return when the file, or the names in the folder, are on the disk.

    Raises:
        OSError: they cannot be written.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
