"""The real ``tilehall listen`` beside a real broker, and devices that publish to it."""

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hall.keys.files import LISTENER, Identity
from hall.status import HallPicture, read_picture
from tests.hall.client import TestClient, connected
from tests.hall.conftest import TrialHall
from tests.hall.reporting import TOPICS, Device
from tests.processes import PATIENCE_S, running, until
from tools.trial_broker import Broker

TILEHALL = (sys.executable, "-m", "hall.cli")


def command(verb: str, **options: object) -> tuple[str, ...]:
    """Return the words of a command of the hall, with its options; one that is True has no value."""
    said = ((f"--{name.replace('_', '-')}", *(() if value is True else (str(value),))) for name, value in options.items())
    return (verb, *(word for pair in said for word in pair))


class RunningProgram:
    """A program of the hall that logs where it listens, by a pattern with a group."""

    def __init__(self, process: subprocess.Popen[str], pattern: str) -> None:
        self.process, self.log = process, list[str]()
        self._pattern, self._listens, self._where = pattern, threading.Event(), ""
        threading.Thread(target=self._read, daemon=True).start()
        assert self._listens.wait(PATIENCE_S), self.log
        self.where = self._where

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.log.append(line)
            if (found := re.search(self._pattern, line)) is not None:
                self._where = found[1]
                self._listens.set()


class Listening(RunningProgram):
    def __init__(self, process: subprocess.Popen[str]) -> None:
        super().__init__(process, r"http=(\d+)")
        self.port = int(self.where)

    def picture(self) -> HallPicture:
        return read_picture(self.port)

    def device(self, device: Device) -> dict[str, Any]:
        return next((each for each in self.picture().devices if each["id"] == device.id), {})

    def until(self, condition: Callable[[HallPicture], bool]) -> HallPicture:
        until(lambda: condition(self.picture()), str(self.log))
        return self.picture()


def listen(broker: Broker, identity: Identity, store: Path, http: int = 0) -> tuple[str, ...]:
    return command("listen", folder=identity.key.parent, host=broker.host, port=broker.port, store=store, http=http)


@contextmanager
def listening(broker: Broker, hall: TrialHall, store: Path) -> Iterator[Listening]:
    with running(TILEHALL, *listen(broker, hall.files.identity(LISTENER), store)) as process:
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
        topic = TOPICS.to_device(self.device.id, what)
        return [json.loads(payload) for found, payload, _ in tuple(self.client.messages) if found == topic]


@contextmanager
def publishing(broker: Broker, hall: TrialHall, device: Device) -> Iterator[Publisher]:
    device.id = hall.clock
    with connected(broker, hall.files.identity(hall.clock)) as client:
        yield Publisher(client, device)
