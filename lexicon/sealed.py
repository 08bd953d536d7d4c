"""A file's bytes copied to where nobody can change them, its maker included: what a program looks words up in that must not depend on the disk any more.

The copy lies in memory without a name (memfd_create(2)), sealed (fcntl(2), F_ADD_SEALS): whoever maps it can always read all of it. A map of the file itself
changes when somebody writes into the file, and ends the process when the file is cut, or when the disk does not give back a page that memory ran short of.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from lexicon.errors import Damaged, Unreadable, reason

_AT_ONCE: Final = 1 << 18
"""Bytes: all that the copying itself takes of memory."""


def sealed(descriptor: int, size: int) -> int:
    """Return the descriptor of a sealed copy of a file's first ``size`` bytes; it is the caller's to close.

    Raises:
        Damaged: there are no longer so many.
        Unreadable: there is no memory for it, or none that can be sealed.
        OSError: the disk fails.
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
            raise Damaged(expected=f"{size} bytes", found=f"{at}: the file was cut while it was read", remedy="Copy it anew")
        with _memory():
            at += os.write(copy, some)


@contextmanager
def _memory() -> Iterator[None]:
    """Say of what the memory could not do that it was the memory: the file is not to blame."""
    try:
        yield
    except (OSError, AttributeError) as error:
        # The attribute is missing where Python was built without the call.
        raise Unreadable(
            expected="memory for a copy that can be sealed",
            found=reason(error),
            remedy="Close other programs; it takes Linux 3.17 or later",
        ) from error
