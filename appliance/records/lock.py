"""One writer per file: two programs on one file would mix two histories in one chain.

The lock is the kernel's (flock): it ends with the process that holds it, however that ends.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from appliance.errors import InUse
from appliance.records.files import LOCK, PRIVATE, beside, is_foreign
from faults.errors import Phrase

EXPECTED: Final = "a file that no other program writes to"
REMEDY: Final = "End that program, or name another file"


@contextmanager
def only_writer(path: Path, expected: str = EXPECTED, remedy: str = REMEDY, application_id: int | None = None) -> Iterator[bool]:
    """Lock the file at ``path`` for this process; yield whether it is locked.

    Without a lock file (a read-only disk) nothing can be written either; other code reports that, and the program goes on. It also goes on, without a lock file,
    if a foreign file stands at ``path``.

    Args:
        path: of the file, not of the lock file.
        expected: for the error's sentence.
        remedy: for the error's sentence.
        application_id: of the database, to recognise foreign files; None: accept any database.

    Raises:
        InUse: another process has locked it.
    """
    descriptor = _opened(path, application_id)
    if descriptor is None:
        yield False
        return
    try:
        _hold(descriptor, path, expected, remedy)
        yield True
    finally:
        os.close(descriptor)


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of ``folder`` within the block; wait while another process holds it.

    Raises:
        OSError: there is no such folder.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _opened(path: Path, application_id: int | None) -> int | None:
    with suppress(OSError):
        if not is_foreign(path, application_id):
            path.parent.mkdir(parents=True, exist_ok=True)
            return os.open(beside(path, LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    return None


def _hold(descriptor: int, path: Path, expected: str, remedy: str) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip() or "unknown"
        raise InUse(Phrase("it is in use by process {process}", process=holder), expected=expected, remedy=remedy, where=path) from error
    # Only so that another program can say who: it is held on a full disk too.
    with suppress(OSError):
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
