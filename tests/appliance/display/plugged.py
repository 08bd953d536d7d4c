"""A folder of input devices for tests: named pipes, the ends into which their events are written, and udev's database of them."""

import os
from pathlib import Path

from appliance.display.pane import Hotplug


class Plugged:
    """Devices of ``folder`` that are plugged in and removed as the kernel and udev do it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "input"
        self.folder.mkdir()
        self._database = folder / "data"
        self._database.mkdir()
        self.hotplug = Hotplug(self._database)
        """What reports each device that comes or goes."""
        self._ends: dict[str, int] = {}

    def plug(self, name: str) -> None:
        os.mkfifo(self.folder / name)
        self._ends[name] = os.open(self.folder / name, os.O_RDWR)
        self.settle(_entry(name))

    def settle(self, entry: str) -> None:
        """Write into the database that a device's rules are done."""
        part = self._database / f".#{entry}a1b2c3"
        part.touch()
        part.rename(self._database / entry)

    def event(self, name: str) -> None:
        os.write(self._ends[name], b"an event")

    def unplug(self, name: str) -> None:
        (self.folder / name).unlink()
        os.close(self._ends.pop(name))
        (self._database / _entry(name)).unlink()

    def close(self) -> None:
        for end in self._ends.values():
            os.close(end)
        self.hotplug.close()


def _entry(name: str) -> str:
    return f"c13:{64 + int(name.removeprefix('event'))}"
