"""What the benchmarks share: the table of figures, a display of their own, and a machine that is busy."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.display.xserver import x_server
from tests.benchmarks.figures import Figures, busy

FIGURES = pytest.StashKey[Figures]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[FIGURES] = Figures()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.stash[FIGURES].rows:
        terminalreporter.section("figures")
        terminalreporter.write_line(config.stash[FIGURES].table())


@pytest.fixture(scope="session")
def figures(pytestconfig: pytest.Config) -> Figures:
    return pytestconfig.stash[FIGURES]


@pytest.fixture(scope="session")
def x_display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the name of a free display with a screen of 1280x720."""
    with x_server(tmp_path_factory.mktemp("x"), "1280x720") as display:
        yield display


@pytest.fixture
def busy_cores() -> Iterator[int]:
    """Keep every core busy with a process that never rests; yield how many."""
    cores = os.cpu_count() or 1
    with busy(cores):
        yield cores


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(__file__).parents[2]
