from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from tests.hall.store.postgresql import Cluster, cluster

_NUMBERS = count()


@pytest.fixture(scope="session")
def server() -> Iterator[Cluster]:
    with cluster() as running:
        yield running


@pytest.fixture
def database(server: Cluster) -> str:
    """The URL of an empty database."""
    return server.new_database(f"hall_{next(_NUMBERS)}")
