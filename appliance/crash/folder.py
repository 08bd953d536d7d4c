"""Where in memory a program's crash record stands: a folder of the user's own, on a file system that a restart of the program does not empty."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from appliance.errors import NoCrashFolder, reason

SHARED: Final = Path("/dev/shm")  # noqa: S108 - in it a folder of our own is made, and checked to be that
_PRIVATE: Final = 0o700


def crash_folder(name: str, environment: Mapping[str, str], shared: Path = SHARED) -> Path:
    """Return the folder, made if it is not there.

    The first that can be used of: what systemd has made for the service (``RUNTIME_DIRECTORY``), one in the user's own (``XDG_RUNTIME_DIR``), one in the memory
    that all users share, with the user's number in its name.

    Args:
        name: of the program.
        environment: of the process.
        shared: the folder that all users share.

    Raises:
        NoCrashFolder: there is none; the message says why.
    """
    why = []
    for folder in _candidates(name, environment, shared):
        try:
            _own(folder)
        except OSError as error:
            why.append(f"{folder}: {reason(error)}")
        else:
            return folder
    raise NoCrashFolder(
        expected="a folder in memory for a record",
        found="; ".join(why),
        remedy="Start the program as a service, or as a user who is logged in",
    )


def _candidates(name: str, environment: Mapping[str, str], shared: Path) -> Iterator[Path]:
    # systemd separates several by colons; ours is the first.
    if runtime := environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        yield Path(runtime) / "crash"
    if session := environment.get("XDG_RUNTIME_DIR"):
        yield Path(session) / name
    yield shared / f"{name}-{os.geteuid()}"


def _own(folder: Path) -> None:
    """Make the folder; refuse one that another user made or can write to, as anybody may in a shared place.

    Raises:
        OSError: it cannot be made or is not ours alone.
    """
    if not folder.is_absolute():
        raise NotADirectoryError("expected an absolute path")
    try:
        folder.mkdir(_PRIVATE)
    except FileExistsError:
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise PermissionError("it is there, and is not a folder of this user alone") from None
    if not os.access(folder, os.W_OK | os.X_OK, effective_ids=True):
        raise PermissionError("it cannot be written to")
