"""What takes long to make is kept: Debian roots, kernels, images, each named by a checksum of what it was made from.

Under everything here: whoever needs a thing asks for it by its inputs, gets it made once, and from then on finds it. Nothing of it lies in the tree.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

KEPT: Final = 4
"""So many of a kind stay, however old."""
UNUSED_S: Final = 6 * 3600
"""Older entries are deleted after this time without use: no test runs that long."""


def folder() -> Path:
    """Return the cache's folder, which exists: TILECLOCK_CACHE, or tileclock in the user's own cache."""
    named = os.environ.get("TILECLOCK_CACHE")
    own = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tileclock"
    cache = Path(named) if named else own
    cache.mkdir(parents=True, exist_ok=True)
    return cache


def made(kind: str, suffix: str, inputs: Iterable[str | bytes], make: Callable[[Path], None]) -> Path:
    """Return the file or folder that was made from ``inputs``, made now if it does not exist.

    Two who want the same wait for each other: the second finds what the first has made. What is half made never has the name.

    Args:
        kind: begins the name, such as ``root-bookworm-amd64``.
        suffix: ends it, such as ``.tar``.
        inputs: everything that would make another thing of it; of a thing that is itself cached, its name says it all.
        make: makes it at the path it is given, where nothing is yet.
    """
    wanted = folder() / f"{kind}-{checksum(inputs)[:16]}{suffix}"
    with (folder() / f"{wanted.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not wanted.exists():
            with scratch(folder()) as work:
                make(work / wanted.name)
                (work / wanted.name).rename(wanted)
            _forget(kind, suffix)
        # When it was last asked for.
        os.utime(wanted)
    return wanted


def _forget(kind: str, suffix: str) -> None:
    """Remove what was made of other inputs and is no longer asked for: every change of the tree makes another image."""
    there = sorted(folder().glob(f"{kind}-{'[0-9a-f]' * 16}{suffix}"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in there[KEPT:]:
        if old.stat().st_mtime < time.time() - UNUSED_S:
            shutil.rmtree(old) if old.is_dir() else old.unlink()
            (folder() / f"{old.name}.lock").unlink(missing_ok=True)


def checksum(inputs: Iterable[str | bytes]) -> str:
    """Return one checksum of several inputs, of which none can pass for two."""
    digest = hashlib.sha256()
    for each in inputs:
        raw = each.encode() if isinstance(each, str) else each
        digest.update(len(raw).to_bytes(8, "little") + raw)
    return digest.hexdigest()


def of_files(files: Iterable[Path]) -> str:
    """Return a checksum of names and contents; a folder stands for all files in it but compiled ones."""
    inputs: list[str | bytes] = []
    for file in files:
        below = sorted(each for each in file.rglob("*") if each.is_file() and "__pycache__" not in each.parts) if file.is_dir() else [file]
        for each in below:
            inputs += [str(each), each.read_bytes()]
    return checksum(inputs)


@contextlib.contextmanager
def scratch(within: Path | None = None) -> Iterator[Path]:
    """Give a folder that is gone afterwards; in the cache by default, where there is room for images."""
    work = Path(tempfile.mkdtemp(prefix=".making-", dir=within or folder()))
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)
