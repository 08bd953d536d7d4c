"""A folder of input devices for tests: named pipes, and the ends into which their events are written."""

from __future__ import annotations

import os
import socket
from pathlib import Path


class Plugged:
    """A folder of devices, and the ends into which their events are written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ends: dict[str, int] = {}
        self.told, self._tells = socket.socketpair(type=socket.SOCK_DGRAM)
        """What hears of each device that comes or goes."""
        self.told.setblocking(False)

    def plug(self, name: str) -> None:
        os.mkfifo(self.folder / name)
        self._ends[name] = os.open(self.folder / name, os.O_RDWR)
        self._tells.send(b"add")

    def event(self, name: str) -> None:
        os.write(self._ends[name], b"an event")

    def unplug(self, name: str) -> None:
        (self.folder / name).unlink()
        os.close(self._ends.pop(name))
        self._tells.send(b"remove")

    def close(self) -> None:
        for end in self._ends.values():
            os.close(end)
        self._tells.close()
        self.told.close()
