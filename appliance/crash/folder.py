"""The folder in memory for a program's crash record: private to the user, and preserved when the program restarts."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from appliance.errors import NoCrashFolder
from faults.errors import reason

SHARED: Final = Path("/dev/shm")  # noqa: S108 - we create a private folder in it and check it
_PRIVATE: Final = 0o700


def crash_folder(name: str, environment: Mapping[str, str], shared: Path = SHARED) -> Path:
    """Return the folder; create it if missing.

    The first usable one of: systemd's folder for the service (``RUNTIME_DIRECTORY``), one in the user's ``XDG_RUNTIME_DIR``, one in ``shared`` with the user id in
    its name.

    Args:
        name: of the program.
        environment: of the process.
        shared: the folder in memory that all users share.

    Raises:
        NoCrashFolder: none is usable; the message says why.
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
    # systemd separates several with colons; ours is the first.
    if runtime := environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]:
        yield Path(runtime) / "crash"
    if session := environment.get("XDG_RUNTIME_DIR"):
        yield Path(session) / name
    yield shared / f"{name}-{os.geteuid()}"


def _own(folder: Path) -> None:
    """Create the folder; reject one that another user created or can write to.

    Raises:
        OSError: it cannot be created or is not private.
    """
    if not folder.is_absolute():
        raise NotADirectoryError("expected an absolute path")
    try:
        folder.mkdir(_PRIVATE)
    except FileExistsError:
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise PermissionError("it exists and is not a private folder of this user") from None
    if not os.access(folder, os.W_OK | os.X_OK, effective_ids=True):
        raise PermissionError("it is not writable")
