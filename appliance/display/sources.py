"""What a window sleeps on until the next event: the display's connection, the input devices, or a short interval."""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

import pygame

from appliance.display.sdl import is_bare
from appliance.display.wake_pipe import WakePipe
from appliance.display.x11 import connection

POLL_MS: Final = 10
"""Poll interval where there is nothing to sleep on, in ms."""
CHUNK: Final = 4096
FOLDER: Final = Path("/dev/input")
_UEVENTS: Final = 15
"""NETLINK_KOBJECT_UEVENT of linux/netlink.h, which Python does not define."""
_FROM_UDEV: Final = 2
"""udev's multicast group: its rules are done and the device is ready. The kernel's own group, 1, is earlier."""


class EventSource(Protocol):
    """A source of window events to sleep on."""

    @property
    def blocks(self) -> bool:
        """Whether ``sleep`` blocks until an event."""
        ...

    def sleep(self, alarm: WakePipe, timeout_ms: int | None) -> bool:
        """Sleep until there may be an event, ``alarm`` wakes it, or ``timeout_ms`` pass (None: no limit). May return early.

        Return whether an input device was removed: its pressed keys will never be reported as released.
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
        """Sleep on it; the display itself releases the keys of a removed device."""
        alarm.sleep([self._descriptor], timeout_ms)
        return False

    def close(self) -> None:
        """Do nothing: SDL closes it."""


class Polling:
    """Nothing to sleep on: poll."""

    blocks = False

    def sleep(self, alarm: WakePipe, timeout_ms: int | None) -> bool:
        """Sleep until the next poll."""
        alarm.sleep([], POLL_MS if timeout_ms is None else min(timeout_ms, POLL_MS))
        return False

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class Devices:
    """The kernel's input devices, opened in addition to SDL, which under KMSDRM offers nothing to sleep on.

    Each open descriptor has its own event queue: events read and discarded here still reach SDL. udev's events reach every listener: SDL gets them too and opens
    the new device when it is next asked for events.

    Args:
        folder: the folder of the devices.
        plugged: a socket with udev's events; closed with the devices.
    """

    blocks = True

    def __init__(self, folder: Path, plugged: socket.socket) -> None:
        self._folder = folder
        self._plugged = plugged
        self._opened: dict[Path, int] = {}
        self._had_event = False
        self._refresh()

    def sleep(self, alarm: WakePipe, timeout_ms: int | None) -> bool:
        """Sleep on all devices; right after an event only briefly, since SDL's queue may get it a moment later than ours."""
        if self._had_event:
            timeout_ms = POLL_MS if timeout_ms is None else min(timeout_ms, POLL_MS)
        self._had_event = alarm.sleep([self._plugged.fileno(), *self._opened.values()], timeout_ms)
        if not self._had_event:
            return False
        gone = [path for path, descriptor in self._opened.items() if not _emptied(descriptor)]
        for path in gone:
            # It would stay readable for ever.
            os.close(self._opened.pop(path))
        if self._drain_uevents():
            self._refresh()
        return bool(gone)

    def close(self) -> None:
        """Close the devices."""
        self._plugged.close()
        while self._opened:
            os.close(self._opened.popitem()[1])

    def _refresh(self) -> None:
        for path in self._folder.glob("event*"):
            if path not in self._opened:
                try:
                    self._opened[path] = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                except OSError:
                    continue  # not ours to read, or unplugged meanwhile

    def _drain_uevents(self) -> bool:
        """Discard udev's events; return whether there were any."""
        found = False
        while True:
            try:
                self._plugged.recv(CHUNK)
            except BlockingIOError:
                return found
            except OSError as error:
                if error.errno != errno.ENOBUFS:  # the socket's buffer overflowed: there were events
                    raise
            found = True


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


def udev_events() -> socket.socket:
    """Return a socket with udev's events for added and removed devices, the same that SDL uses.

    Raises:
        OSError: no permission.
    """
    events = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, _UEVENTS)
    try:
        events.bind((0, _FROM_UDEV))
    except OSError:
        events.close()
        raise
    return events


def sources() -> EventSource:
    """Return the source of the open display's events."""
    descriptor = connection()
    if descriptor is not None:
        return Connection(descriptor)
    if is_bare(pygame.display.get_driver()):
        with suppress(OSError):
            return Devices(FOLDER, udev_events())
    return Polling()
