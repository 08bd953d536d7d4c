"""What these tests need: packages as built, the roots they are installed in, an album for each test, and machines that show their first picture."""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.glass.boot import ready
from tests.glass.machine import Appliance, Machine
from tests.glass.panels import LANDSCAPE
from tests.glass.pictures import Album
from tests.machine.figures import told
from tests.packaged.packages import packages

_HAS_FAILED: Final = pytest.StashKey[bool]()


pytest_configure, figures = told("the emulated panel")


@pytest.fixture
def album(request: pytest.FixtureRequest) -> Album:
    return Album(request.node.name)


@pytest.fixture(scope="session")
def debs() -> Path:
    return packages("trixie")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note for the fixtures whether their test has failed: pytest does not raise its error in them."""
    report = yield
    if report.when == "call":
        item.stash[_HAS_FAILED] = report.failed
    return report


@pytest.fixture
def clock(debs: Path, album: Album, request: pytest.FixtureRequest) -> Iterator[Machine]:
    yield from _lent(Appliance("tileclock", debs, LANDSCAPE), album, request)


@pytest.fixture
def kiosk(debs: Path, album: Album, request: pytest.FixtureRequest) -> Iterator[Machine]:
    yield from _lent(Appliance("tilekiosk", debs, LANDSCAPE), album, request)


def _lent(appliance: Appliance, album: Album, request: pytest.FixtureRequest) -> Iterator[Machine]:
    with ready(appliance, album) as machine:
        yield machine
        if request.node.stash.get(_HAS_FAILED, False):
            machine.keep_evidence()
