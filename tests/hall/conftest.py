"""A hall of one's own for the tests: a clock, another clock, a station, a desk, and a real mosquitto with TLS."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from msgspec import Struct

from hall.keys.files import HallFiles
from tests.hall.reporting import Rig
from tests.hall.reporting import rig as made
from tests.hall.store.postgresql import Cluster, cluster
from tests.installed import require
from tools.trial_broker import Broker, complete_hall, running_broker

_NUMBERS = count()


class TrialHall(Struct, frozen=True, dict=True):
    files: HallFiles
    clock: str
    other_clock: str
    station: str
    other_station: str
    desk: str = "desk-1"


def new_hall(folder: Path) -> TrialHall:
    made = complete_hall(folder, clocks=2, stations=2)
    (clock, other_clock), (station, other_station) = made.clocks, made.stations
    return TrialHall(made.files, clock.id, other_clock.id, station.id, other_station.id)


@pytest.fixture(scope="session")
def trial_hall(tmp_path_factory: pytest.TempPathFactory) -> TrialHall:
    return new_hall(tmp_path_factory.mktemp("hall"))


@pytest.fixture
def broker(trial_hall: TrialHall, tmp_path: Path) -> Iterator[Broker]:
    require("mosquitto")
    with running_broker(tmp_path / "broker", trial_hall.files) as running:
        yield running


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with made(tmp_path) as found:
        yield found


@pytest.fixture(scope="session")
def server() -> Iterator[Cluster]:
    with cluster() as found:
        yield found


@pytest.fixture
def database(server: Cluster) -> str:
    return server.new_database(f"hall_{next(_NUMBERS)}")
