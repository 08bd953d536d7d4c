"""Files that appear whole or not at all: written beside their place, pressed to disk, then renamed into it.

Never in place: whoever has the old file mapped would be killed by its shrinking, and a power cut must not leave half a word list.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from lexicon.errors import LexiconError, Unwritable, reason

_PERMISSIONS = 0o666
"""Less what the umask takes, which the kernel knows: to ask for it is to change it for a moment, for every thread. A temporary file would be its maker's alone."""


@contextmanager
def appearing(path: Path, permissions: int = _PERMISSIONS) -> Iterator[BinaryIO]:
    """Open a file that takes the place of ``path`` when the block ends without an error, and is gone without trace when it does not.

    Its ``permissions``, less what the umask takes, are those of a new file, from its draft on. Only a process that is killed leaves its draft behind: ``.NAME.*.part``, which can be deleted.

    Raises:
        Unwritable: there is no such folder, no permission or no room, or ``path`` is something other than a file.
    """
    # A link stays, and what it leads to is replaced.
    place = Path(os.path.realpath(path))
    _must_be_file(path, place)
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
        _press(path, folder)
    except OSError as error:
        # What the block itself could not read is no fault of this file.
        if isinstance(error, LexiconError) or (draft and error.filename not in (None, *map(str, (draft, place, place.parent)))):
            raise
        raise Unwritable(
            where=path, expected="to write the file", found=reason(error), remedy="Nothing was changed; choose another place or make room"
        ) from error
    finally:
        os.close(folder)
        if draft is not None:
            draft.unlink(missing_ok=True)


def _must_be_file(path: Path, place: Path) -> None:
    try:
        mode = place.stat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode):
        found = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise Unwritable(where=path, expected="a file to write", found=found, remedy="Give the name of a file")


def _folder(path: Path, folder: Path) -> int:
    """The folder, opened before anything is written: what cannot be opened could not be pressed to disk either."""
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise Unwritable(
            where=path, expected="a folder to write into", found=reason(error), remedy="Nothing was changed; choose another place"
        ) from error


def _press(path: Path, folder: int) -> None:
    """Make the new name itself survive a power cut."""
    try:
        os.fsync(folder)
    except OSError as error:
        raise Unwritable(
            where=path, expected="the disk to keep the new file's name", found=reason(error), remedy="The file is there; check the disk"
        ) from error
