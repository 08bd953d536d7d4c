"""What a window sleeps on until somebody does something: the display's connection, the input devices themselves, or nothing but a short while."""

from __future__ import annotations

import errno
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

import pygame

from appliance.display.sdl import is_bare
from appliance.display.wake_pipe import Alarm
from appliance.display.x11 import connection

LOOK_MS: Final = 10
"""Where there is nothing to sleep on, a sleep ends after so long at the latest, so that the window is polled."""
CHUNK: Final = 4096
FOLDER: Final = Path("/dev/input")
_UEVENTS: Final = 15
"""NETLINK_KOBJECT_UEVENT of linux/netlink.h, which Python does not name."""
_FROM_UDEV: Final = 2
"""The group in which udev tells, its rules done and the device ready to be opened; in group 1 the kernel does, before that."""


class Source(Protocol):
    """Where a window's events come from."""

    @property
    def blocks(self) -> bool:
        """Whether ``sleep`` goes on until something happens."""
        ...

    def sleep(self, alarm: Alarm, timeout_ms: int | None) -> bool:
        """Sleep until there may be an event, ``alarm`` rings, or ``timeout_ms`` have passed (None: without limit); or return early.

        Return whether an input device was pulled out: what was held down on it will never be reported as let go.
        """
        ...

    def close(self) -> None:
        """Let go of it. More than once does no harm."""
        ...


class Connection:
    """The open display's own descriptor."""

    blocks = True

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def sleep(self, alarm: Alarm, timeout_ms: int | None) -> bool:
        """Sleep on it; the display itself lets go of what was held down on a device that is gone."""
        alarm.sleep([self._descriptor], timeout_ms)
        return False

    def close(self) -> None:
        """It is SDL's to close."""


class Looking:
    """Nothing to sleep on: look again and again."""

    blocks = False

    def sleep(self, alarm: Alarm, timeout_ms: int | None) -> bool:
        """Sleep until the next look."""
        alarm.sleep([], LOOK_MS if timeout_ms is None else min(timeout_ms, LOOK_MS))
        return False

    def close(self) -> None:
        """There is nothing to close."""


class Devices:
    """The kernel's input devices, beside SDL, which reads them without letting anyone sleep on it (KMSDRM).

    Each opening of a device has a queue of its own: what is read here and thrown away is still there for SDL. udev's events reach every listener alike: the one
    that wakes this sleep has told SDL of the device, and SDL opens it when it is asked for events next.

    Args:
        folder: where the devices are.
        plugged: hears something whenever a device comes or goes; closed with the devices.
    """

    blocks = True

    def __init__(self, folder: Path, plugged: socket.socket) -> None:
        self._folder = folder
        self._plugged = plugged
        self._opened: dict[Path, int] = {}
        self._heard = False
        self._refresh()

    def sleep(self, alarm: Alarm, timeout_ms: int | None) -> bool:
        """Sleep on all of them; after an event only shortly, once: SDL's queue may have got it a moment later than ours."""
        if self._heard:
            timeout_ms = LOOK_MS if timeout_ms is None else min(timeout_ms, LOOK_MS)
        self._heard = alarm.sleep([self._plugged.fileno(), *self._opened.values()], timeout_ms)
        if not self._heard:
            return False
        gone = [path for path, descriptor in self._opened.items() if not _emptied(descriptor)]
        for path in gone:
            # It would be ready for ever.
            os.close(self._opened.pop(path))
        if self._plugs():
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

    def _plugs(self) -> bool:
        """Take all that was heard of devices; return whether there was anything."""
        heard = False
        while True:
            try:
                self._plugged.recv(CHUNK)
            except BlockingIOError:
                return heard
            except OSError as error:
                if error.errno != errno.ENOBUFS:  # more than the kernel keeps for us: something came
                    raise
            heard = True


def _emptied(descriptor: int) -> bool:
    """Read a device's events and throw them away; return whether it is still there."""
    try:
        while os.read(descriptor, CHUNK):
            pass
    except BlockingIOError:
        return True
    except OSError:
        pass  # unplugged (ENODEV)
    return False


def udev_events() -> socket.socket:
    """Return what hears of each device that udev has set up or taken away, as SDL does.

    Raises:
        OSError: the program may not listen to the kernel.
    """
    heard = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, _UEVENTS)
    try:
        heard.bind((0, _FROM_UDEV))
    except OSError:
        heard.close()
        raise
    return heard


def sources() -> Source:
    """Return what the open display's events can be slept on."""
    descriptor = connection()
    if descriptor is not None:
        return Connection(descriptor)
    if is_bare(pygame.display.get_driver()):
        with suppress(OSError):
            return Devices(FOLDER, udev_events())
    return Looking()
