"""What a window sleeps on until the next event: the display's connection, the input devices, or a short interval."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, Protocol

import pygame

from appliance.display.hotplug import Hotplug
from appliance.display.sdl import is_bare
from appliance.display.wake_pipe import WakePipe
from appliance.display.x11 import connection

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
        """Sleep until the next poll."""
        alarm.sleep([], POLL_MS if timeout_ms is None else min(timeout_ms, POLL_MS))
        return False

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


class Devices:
    """The kernel's input devices, opened in addition to SDL, which under KMSDRM offers nothing to sleep on.

    Each open descriptor has its own event queue: events read and discarded here still reach SDL.

    Args:
        folder: the folder of the devices.
        hotplug: reports added and removed devices; closed with the devices.
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
        """Close the devices."""
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
