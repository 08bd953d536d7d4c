"""Atomic file writes: into a draft beside the target, flushed to disk, then renamed.

Never in place: truncation would kill processes that map the old file, and a power cut must not leave half a word list.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from faults.errors import reason
from lexicon.errors import LexiconError, Unwritable

_PERMISSIONS = 0o666
"""Before the umask, which the kernel applies: reading the umask means changing it briefly for all threads. A ``tempfile`` would be readable by its owner only."""


@contextmanager
def atomic_write(path: Path, permissions: int = _PERMISSIONS) -> Iterator[BinaryIO]:
    """Open a file that replaces ``path`` when the block ends without error, and otherwise leaves no trace.

    The draft and the new file have ``permissions``, less the umask. A killed process leaves its draft, ``.NAME.*.part``, which can be deleted. Raises
    ``Unwritable``: no such folder, no permission, no room, or ``path`` is not a regular file.
    """
    # Keep a link and replace its target.
    place = Path(os.path.realpath(path))
    _require_file(path, place)
    draft: Path | None = None
    folder = _folder(path, place.parent)
    try:
        unfinished = place.with_name(f".{place.name[:50]}.{secrets.token_hex(4)}.part")
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, permissions)
        draft = unfinished
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(place)
        draft = None
        _sync(path, folder)
    except OSError as error:
        # An error of the block's own reading is not about this file.
        if isinstance(error, LexiconError) or (draft and error.filename not in (None, *map(str, (draft, place, place.parent)))):
            raise
        raise Unwritable(
            where=path, expected="to write the file", found=reason(error), remedy="Nothing was changed; choose another place or make room"
        ) from error
    finally:
        os.close(folder)
        if draft is not None:
            draft.unlink(missing_ok=True)


def _require_file(path: Path, place: Path) -> None:
    try:
        mode = place.stat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode):
        found = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise Unwritable(where=path, expected="a file to write", found=found, remedy="Give the name of a file")


def _folder(path: Path, folder: Path) -> int:
    """Open the folder before writing, since it must be flushed at the end."""
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise Unwritable(
            where=path, expected="a folder to write into", found=reason(error), remedy="Nothing was changed; choose another place"
        ) from error


def _sync(path: Path, folder: int) -> None:
    """Flush the folder, so that the new name survives a power cut."""
    try:
        os.fsync(folder)
    except OSError as error:
        raise Unwritable(
            where=path, expected="the disk to keep the new file's name", found=reason(error), remedy="The file is there; check the disk"
        ) from error
