"""A device on a real local socket, with the real process ``tilehall link`` beside it."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from hall.keys.files import LISTENER, Identity
from tests.hall.client import TestClient, connected
from tests.hall.conftest import TrialHall
from tests.hall.listener.listening import TILEHALL, command
from tests.processes import running
from tests.wire.local.served import HASH, Device
from tools.trial_broker import Broker
from wire.local.server import DeviceServer
from wire.topics import Topics

EPOCH = "0011223344556677"


class _Value(BaseModel):
    model_config = ConfigDict(extra="allow")


def value(**fields: object) -> BaseModel:
    return _Value.model_validate(fields)


class LinkedDevice(Device):
    def __init__(self, device: str, last: int = 0) -> None:
        super().__init__(last=last)
        self.device = device

    def hello(self) -> dict[str, object]:
        return super().hello() | {"id": self.device, "kind": "clock" if self.device.startswith("c") else "station"}

    def beat(self) -> dict[str, object]:
        return super().beat() | {"boot": "b", "epoch": EPOCH if self.last else None, "seq": self.last, "head": HASH}


@contextmanager
def served(device: LinkedDevice, socket: Path) -> Iterator[DeviceServer]:
    server = DeviceServer(socket, device, frozenset((os.getuid(),)))
    server.put("up", value(v=1, up=True, kind="clock" if device.device.startswith("c") else "station", table=12))
    server.put("state", value(v=1, phase="ready"))
    try:
        yield server
    finally:
        server.close()


@contextmanager
def link(identity: Identity, broker: Broker, socket: Path) -> Iterator[subprocess.Popen[str]]:
    words = command("link", folder=identity.key.parent, host=broker.host, port=broker.port, socket=socket)
    with running(TILEHALL, *words) as process:
        yield process


@contextmanager
def listening(broker: Broker, hall: TrialHall, *topics: str) -> Iterator[TestClient]:
    with connected(broker, hall.files.identity(LISTENER)) as listener:
        listener.subscribe(*(topics or (f"tc/1/{hall.files.authority.hall}/dev/#",)))
        yield listener


def payloads(client: TestClient, device: str, what: str) -> list[Any]:
    """Return the messages of a device's topic so far; None: an empty one."""
    end = f"/dev/{device}/{what}"
    return [json.loads(payload) if payload else None for topic, payload, _ in tuple(client.messages) if topic.endswith(end)]


def seqs(client: TestClient, device: str) -> list[int]:
    return [row[1][0] for batch in payloads(client, device, "rows") for row in batch["rows"]]


@dataclass
class LinkedClock:
    hall: TrialHall
    device: LinkedDevice
    server: DeviceServer
    listener: TestClient
    process: subprocess.Popen[str]

    def got(self, what: str) -> list[Any]:
        return payloads(self.listener, self.device.device, what)

    def seqs(self) -> list[int]:
        return seqs(self.listener, self.device.device)

    def until(self, condition: Callable[[], object], what: str) -> None:
        self.listener.wait(condition, what)

    def send(self, what: str, **fields: object) -> None:
        topic = Topics(self.hall.files.authority.hall).to_device(self.device.device, what)
        self.listener.publish(topic, json.dumps({"v": 1, **fields}).encode())
