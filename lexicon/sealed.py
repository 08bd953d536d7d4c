"""A sealed copy of a file in memory that no one, including us, can change: for look-ups that must not depend on the disk.

The copy is anonymous memory (memfd_create(2)), sealed (fcntl(2), F_ADD_SEALS): a map of it is always fully readable. A map of the file itself changes when
someone writes to the file, and kills the process when the file is truncated or the disk cannot read a page again.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from faults.errors import Phrase, reason
from lexicon.errors import Damaged, Unreadable

_AT_ONCE: Final = 1 << 18
"""Buffer size in bytes: all the extra memory copying needs."""


def sealed(descriptor: int, size: int) -> int:
    """Return the descriptor of a sealed copy of a file's first ``size`` bytes; the caller closes it.

    Raises ``Damaged``: the file is shorter now; ``Unreadable``: not enough memory, or it cannot be sealed; ``OSError``: the disk fails.
    """
    with _memory():
        copy = os.memfd_create("lexicon", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        _fill(copy, descriptor, size)
        with _memory():
            fcntl.fcntl(copy, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    except BaseException:
        os.close(copy)
        raise
    return copy


def _fill(copy: int, descriptor: int, size: int) -> None:
    at = 0
    while at < size:
        some = os.pread(descriptor, min(_AT_ONCE, size - at), at)
        if not some:
            raise Damaged(
                expected=Phrase("{size} bytes", size=size),
                found=Phrase("{size}: the file was cut while it was read", size=at),
                remedy="Copy it again",
            )
        with _memory():
            at += os.write(copy, some)


@contextmanager
def _memory() -> Iterator[None]:
    """Report memory errors as such, not as the file's."""
    try:
        yield
    except (OSError, AttributeError) as error:
        # AttributeError: Python was built without memfd_create.
        raise Unreadable(
            expected="memory for a copy that can be sealed",
            found=reason(error),
            remedy="Close other programs; Linux 3.17 or later is needed",
        ) from error
