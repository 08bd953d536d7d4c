"""Disks that take nothing more, and files and folders that permissions close."""

import ctypes
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

_OWNER: Final = Path(__file__).stat().st_uid
"""Of the checkout."""
_VERSION_3: Final = 0x20080522
_libc: Final = ctypes.CDLL(None, use_errno=True)


@contextmanager
def no_file_larger(than: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (than, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def bound_by_permissions() -> Iterator[None]:
    """Have permission bits bind this thread, as they bind any ordinary user: a file of mode 0 is closed even to its owner.

    Root is not bound by them. It becomes the owner of the checkout, or, where that is root, gives up its capabilities: the code must stay readable, in a
    private home too.
    """
    if os.geteuid() != 0:
        yield
        return
    before = _capabilities()
    if _OWNER != 0:
        os.seteuid(_OWNER)
    else:
        _set_effective(before, (0, 0))
    try:
        yield
    finally:
        os.seteuid(0)
        _set_effective(before, (before[0].effective, before[1].effective))


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    """A folder that every user may enter: root may become another one to be ``bound_by_permissions``."""
    for folder in (tmp_path, *tmp_path.parents):
        # What pytest made for this run, however deep its workers nest it; nothing of the machine's own.
        if folder.name.startswith(("test_", "popen-", "pytest-")):
            folder.chmod(0o755)
    return tmp_path


class _Header(ctypes.Structure):
    """``struct __user_cap_header_struct`` (capget(2)); pid 0 is this thread."""

    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


class _Sets(ctypes.Structure):
    """``struct __user_cap_data_struct``: 32 capabilities."""

    _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))


def _capabilities() -> ctypes.Array[_Sets]:
    sets = (_Sets * 2)()
    _called(_libc.capget(ctypes.byref(_Header(_VERSION_3, 0)), sets))
    return sets


def _set_effective(sets: ctypes.Array[_Sets], effective: tuple[int, int]) -> None:
    changed = (_Sets * 2)(*(_Sets(bits, each.permitted, each.inheritable) for each, bits in zip(sets, effective, strict=True)))
    _called(_libc.capset(ctypes.byref(_Header(_VERSION_3, 0)), changed))


def _called(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
