"""A hall of one's own for the tests: a clock, another clock, a station, a desk, and a real mosquitto with TLS."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hall.broker.config import HallPlan
from hall.broker.run import Broker, running_broker, temporary_hall
from hall.keys.authority import public_text
from hall.keys.files import HallFiles
from tests.hall.reporting import Rig
from tests.hall.reporting import rig as made
from tests.installed import require
from wire.topics import CLOCK, STATION, device_id


@dataclass(frozen=True)
class TrialHall:
    files: HallFiles
    plan: HallPlan
    clock: str
    other_clock: str
    station: str
    other_station: str
    desk: str = "desk-1"


def new_hall(folder: Path) -> TrialHall:
    devices = [_new(kind) for kind in (CLOCK, CLOCK, STATION, STATION)]
    files, plan = temporary_hall(folder, devices)
    clock, other_clock, station, other_station = (device for device, _ in devices)
    return TrialHall(files, plan, clock, other_clock, station, other_station)


@pytest.fixture(scope="session")
def trial_hall(tmp_path_factory: pytest.TempPathFactory) -> TrialHall:
    return new_hall(tmp_path_factory.mktemp("hall"))


@pytest.fixture
def broker(trial_hall: TrialHall, tmp_path: Path) -> Iterator[Broker]:
    require("mosquitto")
    with running_broker(tmp_path / "broker", trial_hall.plan) as running:
        yield running


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with made(tmp_path) as found:
        yield found


def _new(kind: str) -> tuple[str, str]:
    key = Ed25519PrivateKey.generate()
    return device_id(kind, key.public_key().public_bytes_raw()), public_text(key)
