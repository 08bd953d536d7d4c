"""The real ``tilehall listen`` beside a real broker, and devices that publish to it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hall.keys.files import LISTENER
from hall.watch.status import HallPicture, read_picture
from tests.hall.client import TestClient, connected
from tests.hall.conftest import TrialHall
from tests.hall.reporting import TOPICS, Device
from tests.processes import PATIENCE_S, running, until
from tools.trial_broker import Broker

TILEHALL = (sys.executable, "-m", "hall.cli")


class Listening:
    """A running listener."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.log: list[str] = []
        self._port = threading.Event()
        self.port = 0
        threading.Thread(target=self._read, daemon=True).start()
        assert self._port.wait(PATIENCE_S), self.log

    def picture(self) -> HallPicture:
        return read_picture(self.port)

    def device(self, device: Device) -> dict[str, Any]:
        """Return what is shown of a device; nothing if it is not known."""
        return next((each for each in self.picture().devices if each["id"] == device.id), {})

    def until(self, condition: Callable[[HallPicture], bool]) -> HallPicture:
        """Look until the picture is so."""
        until(lambda: condition(self.picture()), str(self.log))
        return self.picture()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.log.append(line)
            if (found := re.search(r"http=(\d+)", line)) is not None:
                self.port = int(found[1])
                self._port.set()


def words(broker: Broker, hall: TrialHall, store: Path, http: int = 0) -> Sequence[str]:
    """Return the command line of a listener."""
    folder = hall.files.identity(LISTENER).key.parent
    return (
        "listen",
        "--folder",
        str(folder),
        "--host",
        broker.host,
        "--port",
        str(broker.port),
        "--store",
        str(store),
        "--http",
        str(http),
    )


@contextmanager
def listening(broker: Broker, hall: TrialHall, store: Path) -> Iterator[Listening]:
    """Run ``tilehall listen``."""
    with running(TILEHALL, *words(broker, hall, store)) as process:
        yield Listening(process)


class Publisher:
    """A device that publishes, answers what it is asked, and is the clock of the trial hall."""

    def __init__(self, client: TestClient, device: Device) -> None:
        self.client, self.device = client, device
        client.subscribe(TOPICS.to_device(device.id, "#"))

    def publish(self, what: str, message: dict[str, Any] | None, *, retain: bool = False) -> int:
        payload = b"" if message is None else json.dumps(message).encode()
        return self.client.publish(TOPICS.of_device(self.device.id, what), payload, retain=retain)

    def asked(self, what: str) -> list[dict[str, Any]]:
        """Return what came for this device."""
        topic = TOPICS.to_device(self.device.id, what)
        return [json.loads(payload) for found, payload, _ in tuple(self.client.messages) if found == topic]


@contextmanager
def publishing(broker: Broker, hall: TrialHall, device: Device) -> Iterator[Publisher]:
    """Connect as the first clock of the hall."""
    device.id = hall.clock
    with connected(broker, hall.files.identity(hall.clock)) as client:
        yield Publisher(client, device)
