"""Disks that take nothing more, and folders that may not be written to."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def no_file_larger(than: int) -> Iterator[None]:
    """Let no file of this process grow beyond so many bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (than, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def as_nobody() -> Iterator[None]:
    """Give up root's rights, which permission bits do not bind; an ordinary user has none to give up."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    for folder in (tmp_path, *tmp_path.parents):
        # What pytest made for this run, however deep its workers nest it; nothing of the machine's own.
        if folder.name.startswith(("test_", "popen-", "pytest-")):
            folder.chmod(0o755)
    return tmp_path
