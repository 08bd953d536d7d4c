"""Input devices that are plugged in or removed, as udev's database shows it.

SDL hears of them by udev's netlink events. Those reach only the host's network namespace, and the services have one of their own.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

READY: Final = Path("/run/udev/data")
"""udev's database has a file for each device whose rules are done: then its permissions are set, and SDL finds it."""
_INPUT: Final = b"c13:"
"""Begins the names of input devices' files: character devices of major number 13."""
_MOVED_HERE: Final = 0x80
_DELETED: Final = 0x200
"""IN_MOVED_TO and IN_DELETE of linux/inotify.h: udev renames a new file into the folder."""
_CHUNK: Final = 4096


class Hotplug:
    """An inotify watch on udev's database.

    Args:
        folder: the database.

    Raises:
        OSError: there is none.
    """

    def __init__(self, folder: Path = READY) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.descriptor < 0 or libc.inotify_add_watch(self.descriptor, os.fsencode(folder), _MOVED_HERE | _DELETED) < 0:
            error = ctypes.get_errno()
            self.close()
            raise OSError(error, os.strerror(error), str(folder))

    def changed(self) -> bool:
        """Discard the events so far; return whether one was of an input device."""
        found = False
        with suppress(BlockingIOError):
            while told := os.read(self.descriptor, _CHUNK):
                found = found or _INPUT in told
        return found

    def close(self) -> None:
        """Close it. Idempotent."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def hotplug() -> Hotplug | None:
    """Return a watch; None without udev."""
    with suppress(OSError):
        return Hotplug()
    return None
