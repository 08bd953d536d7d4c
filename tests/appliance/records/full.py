"""A disk that is full for one program: a real small file system in a mount namespace of its own, or, where none may be made, a limit of two to four KiB that no file outgrows."""

import os
import resource
import shutil
import subprocess
from pathlib import Path
from typing import Final

from appliance.records.files import UNFINISHED

_UNSHARE: Final = ("unshare", "--mount", *(() if os.geteuid() == 0 else ("--map-root-user",)))
_FILLED: Final = 'mount -t tmpfs -o size=256k none "$0" && { cat /dev/zero > "$0/filler" 2> /dev/null; exec "$@"; }'
_LIMITED: Final = 'ulimit -S -f 4; exec "$@"'


class FullDisk:
    """A folder that is full for the program that is started with ``command``, until there is ``room``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        probe = [*_UNSHARE, "mount", "-t", "tmpfs", "none", str(folder)]
        self._mounts = subprocess.run(probe, capture_output=True, check=False).returncode == 0

    def command(self, *words: str) -> list[str]:
        return [*_UNSHARE, "sh", "-c", _FILLED, str(self._folder), *words] if self._mounts else ["sh", "-c", _LIMITED, "sh", *words]

    def copied(self, pid: int, to: Path) -> Path:
        """Return a copy, at ``to``, of what that program has in the folder: SQLite opens nothing in another's mounts."""
        shutil.rmtree(to, ignore_errors=True)
        # A file in the making may go meanwhile: its program renames it once it is whole.
        return Path(shutil.copytree(self._seen_by(pid), to, ignore=shutil.ignore_patterns("filler", f"*{UNFINISHED}*")))

    def _seen_by(self, pid: int) -> Path:
        return Path(f"/proc/{pid}/root{self._folder}") if self._mounts else self._folder

    def room(self, pid: int) -> None:
        if self._mounts:
            (self._seen_by(pid) / "filler").unlink()
        else:
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
