"""One writer a file: two programs on one file would put rows of two histories into one chain.

The lock is the kernel's own (flock): it is gone with the process that held it, however that ended.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from appliance.errors import InUse
from appliance.phrase import Phrase
from appliance.records.files import LOCK, PRIVATE, beside, is_strange

EXPECTED: Final = "a file that no other program writes to"
REMEDY: Final = "End that one, or name another file"


@contextmanager
def only_writer(path: Path, expected: str = EXPECTED, remedy: str = REMEDY, application_id: int | None = None) -> Iterator[bool]:
    """Hold the file at ``path`` for this process, and give whether it is held.

    Where no lock can be made (a read-only disk), nothing can be written either: that is said elsewhere, and the program goes on. So it does where somebody
    else's file stands at ``path``: nothing is left beside that.

    Args:
        path: of the file, not of the lock beside it.
        expected: what should have been found, for the error's sentence.
        remedy: what to do instead.
        application_id: what the file has as a database, by which it is told from somebody else's; None: any database will do.

    Raises:
        InUse: another process holds it.
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


def _opened(path: Path, application_id: int | None) -> int | None:
    with suppress(OSError):
        if not is_strange(path, application_id):
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
