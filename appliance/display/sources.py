"""What a window sleeps on until the next event: the display's connection, the input devices, or a short interval.

pygame's ``event.wait`` polls every millisecond under every driver instead of using SDL's sleeping wait: a thousand wake-ups a second for a clock that changes
once. Sleeping on the descriptor of SDL's connection to the X server needs none.

SDL hears of devices that are plugged in or removed by udev's netlink events. Those reach only the host's network namespace, and the services have one of their
own: here udev's database shows it.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

import pygame

from appliance.display.screen import WakePipe
from appliance.display.sdl import is_bare

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
    """An inotify watch on udev's database; raises ``OSError`` if there is none."""

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


LIBRARY = "libX11.so.6"


def connection() -> int | None:
    """Return the descriptor of the open display's connection; None if the driver is not X11 or libX11 is missing."""
    if pygame.display.get_driver() != "x11":
        return None
    try:
        library = ctypes.CDLL(LIBRARY)
    except OSError:
        return None
    number = library.XConnectionNumber
    number.argtypes, number.restype = [ctypes.c_void_p], ctypes.c_int
    return int(number(_pointer(pygame.display.get_wm_info()["display"])))


def _pointer(capsule: object) -> int:
    """Return the ``Display *`` from pygame's capsule."""
    taken = ctypes.pythonapi.PyCapsule_GetPointer
    taken.argtypes, taken.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    return int(taken(capsule, b"display"))


POLL_MS: Final = 10
"""Poll interval where there is nothing to sleep on, in ms."""
CHUNK: Final = 4096
FOLDER: Final = Path("/dev/input")


class EventSource(Protocol):
    """A source of window events to sleep on."""

    @property
    def blocks(self) -> bool:
        """Whether ``sleep`` blocks until an event."""
        ...

    def sleep(self, alarm: WakePipe, timeout_ms: int | None) -> bool:
        """Sleep until there may be an event, ``alarm`` wakes it, or ``timeout_ms`` pass (None: no limit). May return early.

        Return whether input devices were added or removed, which SDL must look for again.
        """
        ...

    def close(self) -> None:
        """Close it. Idempotent."""
        ...


class Connection:
    """The descriptor of the open display."""

    blocks = True

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def sleep(self, alarm: WakePipe, timeout_ms: int | None) -> bool:
        """Sleep on it; the display itself has the devices."""
        alarm.sleep([self._descriptor], timeout_ms)
        return False

    def close(self) -> None:
        """Do nothing: SDL closes it."""


class Polling:
    """Nothing to sleep on: poll."""

    blocks = False

    def sleep(self, alarm: WakePipe, timeout_ms: int | None) -> bool:
        alarm.sleep([], POLL_MS if timeout_ms is None else min(timeout_ms, POLL_MS))
        return False

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class Devices:
    """The kernel's input devices, opened in addition to SDL, which under KMSDRM offers nothing to sleep on.

    Each open descriptor has its own event queue: events read and discarded here still reach SDL. ``hotplug`` is closed with the devices.
    """

    blocks = True

    def __init__(self, folder: Path, hotplug: Hotplug) -> None:
        self._folder = folder
        self._hotplug = hotplug
        self._opened: dict[Path, int] = {}
        self._had_event = False
        self._refresh()

    def sleep(self, alarm: WakePipe, timeout_ms: int | None) -> bool:
        """Sleep on all devices; right after an event only briefly, since SDL's queue may get it a moment later than ours."""
        if self._had_event:
            timeout_ms = POLL_MS if timeout_ms is None else min(timeout_ms, POLL_MS)
        self._had_event = alarm.sleep([self._hotplug.descriptor, *self._opened.values()], timeout_ms)
        if not self._had_event:
            return False
        for path in [path for path, descriptor in self._opened.items() if not _emptied(descriptor)]:
            # It would stay readable for ever.
            os.close(self._opened.pop(path))
        changed = self._hotplug.changed()
        if changed:
            self._refresh()
        return changed

    def close(self) -> None:
        self._hotplug.close()
        while self._opened:
            os.close(self._opened.popitem()[1])

    def _refresh(self) -> None:
        for path in self._folder.glob("event*"):
            if path not in self._opened:
                try:
                    self._opened[path] = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                except OSError:
                    continue  # not ours to read, or unplugged meanwhile


def _emptied(descriptor: int) -> bool:
    """Read and discard a device's events; return whether it is still there."""
    try:
        while os.read(descriptor, CHUNK):
            pass
    except BlockingIOError:
        return True
    except OSError:
        pass  # unplugged (ENODEV)
    return False


def sources(hotplug: Hotplug | None) -> EventSource:
    """Return the source of the open display's events, which owns ``hotplug``."""
    if hotplug is not None and is_bare(pygame.display.get_driver()):
        return Devices(FOLDER, hotplug)
    if hotplug is not None:
        hotplug.close()
    descriptor = connection()
    return Polling() if descriptor is None else Connection(descriptor)
