"""Files by their names: what is kept beside one, which file stands at a path, who may read it, and how a damaged one is set aside without being lost."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeAlias

from appliance.errors import NoFile

SIDECARS: Final = ("-wal", "-shm")
"""What SQLite keeps beside the file, by suffix."""
LOCK: Final = "-lock"
"""What keeps other writers from it (``lock``), by suffix. It stays there, and shows that a file of record was kept under that name."""
UNFINISHED: Final = ".new"
"""A new one until it is whole (``sqlite.create``), by suffix."""
KEPT: Final = ("", *SIDECARS, "-journal", LOCK, UNFINISHED)
"""The file of record and all that is kept beside it, by suffix."""
PRIVATE: Final = 0o640
"""Who may read and write a new file that is not for every user of the machine, less what the umask takes."""
MAGIC: Final = b"SQLite format 3\0"
"""What SQLite's files begin with."""
_ID_BYTES: Final = 4
_APPLICATION_ID: Final = slice(68, 68 + _ID_BYTES)
"""Where they say which program's they are (SQLite's file format, 1.3)."""
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


def is_missing(path: Path) -> bool:
    """Tell whether nothing stands at ``path``; where nobody lets us look, we do not know it of anything."""
    try:
        path.lstat()
    except PermissionError:
        return False
    except OSError:
        return True
    return False


def is_closed(path: Path) -> bool:
    """Tell whether permissions keep us from looking at what stands at ``path``, or from reading the file there.

    Raises:
        OSError: it cannot be looked at for another reason.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return False
    except PermissionError:
        return True
    # Not opened: what is no file may wait for somebody to write to it.
    return stat.S_ISREG(found.st_mode) and not os.access(path, os.R_OK, effective_ids=True)


def require_file(path: Path, expected: str) -> None:
    """Require that what stands at ``path`` can be a file of record, or that nothing is there.

    Raises:
        NoFile: it is a folder, a device or a pipe.
        OSError: it cannot be looked at.
    """
    if path.is_dir():
        raise NoFile("it is a folder", expected=expected, remedy="Name a file in it", where=path)
    if path.exists() and not path.is_file():
        raise NoFile("it is no file", expected=expected, remedy="Name one that can be kept", where=path)


def belongs(target: Path, record: Path, suffixes: Sequence[str] = KEPT) -> bool:
    """Tell whether ``target`` is the file of record, or (by ``suffixes``) one that is kept beside it, there or yet to be made, by whatever name.

    Raises:
        OSError: they cannot be looked at.
    """
    found, place = identity(target), os.path.realpath(target)
    # SQLite keeps its own beside the file that a link leads to, others are beside the link.
    kept = {beside(each, suffix) for each in (record, Path(os.path.realpath(record))) for suffix in suffixes}
    return any(os.path.realpath(own) == place or (found is not None and identity(own) == found) for own in kept)


def is_strange(path: Path, application_id: int | None = None) -> bool:
    """Tell whether what stands at ``path`` was never a file of record: by its beginning it is none, and nothing that would be kept with one is beside it.

    An empty file may have been one, and so may one that begins with zeros: that is what a cut of power leaves. A database is not opened for this, which would
    leave files beside it.

    Args:
        path: of the file.
        application_id: what a file of record has there; None: it may be any SQLite file.

    Raises:
        OSError: it cannot be looked at.
    """
    if not path.is_file() or any(beside(path, suffix).exists() for suffix in (*SIDECARS, LOCK)):
        return False
    with path.open("rb") as file:
        head = file.read(_APPLICATION_ID.stop)
    if head.startswith(MAGIC):
        said = head[_APPLICATION_ID]
        return application_id is not None and len(said) == _ID_BYTES and int.from_bytes(said, "big") != application_id
    return any(head[: len(MAGIC)])


def keep_from_others(path: Path) -> None:
    """Take from users who are neither its owner nor of its group all rights to the file at ``path``, where it is a file, and ours to say so."""
    with suppress(OSError):
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & stat.S_IRWXO:
            path.chmod(stat.S_IMODE(mode) & ~stat.S_IRWXO)


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


def write_whole(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path``, for its owner and group alone: the file is there whole at any instant, the old or the new.

    Raises:
        OSError: it cannot be written; the old one is as it was.
    """
    unfinished = beside(path, UNFINISHED)
    try:
        unfinished.unlink(missing_ok=True)
        with open(unfinished, "xb", opener=_private) as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise
    sync(path.parent)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE)


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
