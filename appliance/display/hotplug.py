"""Input devices that are plugged in or removed, as udev's database shows it.

SDL hears of them by udev's netlink events. Those reach only the host's network namespace, and the services have one of their own.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

READY: Final = Path("/run/udev/data")
"""udev's database has a file for each device whose rules are done: then its permissions are set, and SDL finds it."""
_EVENT_MINORS: Final = frozenset({*range(64, 96), *range(256, 1024)})
"""The minor numbers of /dev/input/event* (Linux, drivers/input/input.c); the others have those from 256 on too where their own are used up.

A touch panel also has a mouse* file, with an entry of its own in the database, a moment earlier or later. SDL uses only event* files.
"""
_ENTRY: Final = re.compile(rb"c13:(\d+)")
"""The name of an input device's entry: a character device of major number 13."""
_HEADER: Final = struct.Struct("iIII")
"""struct inotify_event: watch, mask, cookie, and the length of the name that follows."""
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
        """Discard the events so far; return whether one was of an /dev/input/event* device."""
        found = False
        with suppress(BlockingIOError):
            while events := os.read(self.descriptor, _CHUNK):
                found = any(map(_is_event_device, _names(events))) or found
        return found

    def close(self) -> None:
        """Close it. Idempotent."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor = -1


def _names(events: bytes) -> Iterator[bytes]:
    """Yield the name of the entry in each of inotify's events."""
    place = 0
    while place < len(events):
        length = _HEADER.unpack_from(events, place)[-1]
        place += _HEADER.size + length
        yield events[place - length : place].rstrip(b"\0")


def _is_event_device(entry: bytes) -> bool:
    found = _ENTRY.fullmatch(entry)
    return found is not None and int(found[1]) in _EVENT_MINORS


def hotplug() -> Hotplug | None:
    """Return a watch; None without udev."""
    with suppress(OSError):
        return Hotplug()
    return None
