"""What a window sleeps on until somebody does something: the display's connection, the input devices themselves, or nothing but a short while."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Protocol

import pygame

from hardware.display.alarm import Alarm
from hardware.display.sdl import is_bare
from hardware.display.x11 import connection

LOOK_MS: Final = 10
"""Where there is nothing to sleep on, a sleep ends after so long at the latest, so that the window is polled."""
PLUGGED_MS: Final = 1000
"""A device that is plugged in is slept on after so long at the latest."""
CHUNK: Final = 4096
FOLDER: Final = Path("/dev/input")


class Source(Protocol):
    """Where a window's events come from."""

    @property
    def blocks(self) -> bool:
        """Whether ``sleep`` goes on until something happens."""
        ...

    def sleep(self, alarm: Alarm, timeout_ms: int | None) -> None:
        """Sleep until there may be an event, ``alarm`` rings, or ``timeout_ms`` have passed (None: without limit); or return early."""
        ...

    def close(self) -> None:
        """Let go of it. More than once does no harm."""
        ...


class Connection:
    """The open display's own descriptor."""

    blocks = True

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def sleep(self, alarm: Alarm, timeout_ms: int | None) -> None:
        """Sleep on it."""
        alarm.sleep([self._descriptor], timeout_ms)

    def close(self) -> None:
        """It is SDL's to close."""


class Looking:
    """Nothing to sleep on: look again and again."""

    blocks = False

    def sleep(self, alarm: Alarm, timeout_ms: int | None) -> None:
        """Sleep until the next look."""
        alarm.sleep([], LOOK_MS if timeout_ms is None else min(timeout_ms, LOOK_MS))

    def close(self) -> None:
        """There is nothing to close."""


class Devices:
    """The kernel's input devices, beside SDL, which reads them without letting anyone sleep on it (KMSDRM).

    Each opening of a device has a queue of its own: what is read here and thrown away is still there for SDL. Tested with pipes in the devices' place; untried
    on a panel.
    """

    def __init__(self, folder: Path) -> None:
        """Open the devices in ``folder`` that may be opened."""
        self._folder = folder
        self._opened: dict[Path, int] = {}
        self._heard = False
        self._refresh()
        self.blocks = bool(self._opened)

    def sleep(self, alarm: Alarm, timeout_ms: int | None) -> None:
        """Sleep on all of them; after an event only shortly, once: SDL's queue may have got it a moment later than ours."""
        self._refresh()
        longest = LOOK_MS if self._heard else PLUGGED_MS
        self._heard = alarm.sleep(self._opened.values(), longest if timeout_ms is None else min(timeout_ms, longest))
        if self._heard:
            for path, descriptor in list(self._opened.items()):
                self._empty(path, descriptor)

    def close(self) -> None:
        """Close the devices."""
        while self._opened:
            os.close(self._opened.popitem()[1])

    def _refresh(self) -> None:
        for path in self._folder.glob("event*"):
            if path not in self._opened:
                try:
                    self._opened[path] = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                except OSError:
                    continue  # not ours to read, or unplugged meanwhile

    def _empty(self, path: Path, descriptor: int) -> None:
        try:
            while os.read(descriptor, CHUNK):
                pass
        except BlockingIOError:
            return
        except OSError:
            pass
        # At its end, or unplugged (ENODEV): it would be ready for ever.
        os.close(self._opened.pop(path))


def sources() -> Source:
    """Return what the open display's events can be slept on."""
    descriptor = connection()
    if descriptor is not None:
        return Connection(descriptor)
    if is_bare(pygame.display.get_driver()):
        devices = Devices(FOLDER)
        if devices.blocks:
            return devices
    return Looking()
