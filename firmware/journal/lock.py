"""One writer a journal: two clocks on one file would put rows of two games into one chain.

The lock is the kernel's own (flock): it is gone with the process that held it, however that ended.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.journal.errors import JournalError
from firmware.journal.schema import beside

LOCK = "-lock"


class JournalInUse(JournalError):
    """Another clock writes to the journal."""


@contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Hold the journal at ``path`` for this process.

    Where no lock can be made (a read-only disk), nothing can be written either: that is said elsewhere, and the game goes on.

    Raises:
        JournalInUse: another process holds it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(beside(path, LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    except OSError:
        yield
        return
    try:
        _hold(descriptor, path)
        yield
    finally:
        os.close(descriptor)


def _hold(descriptor: int, path: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip() or "unknown"
        raise JournalInUse(
            f"{path}: expected a journal that no other clock writes to, found it in use by process {holder}; end that one, or name another file with --journal"
        ) from error
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
