import faulthandler
import gc
import os
import time
from collections.abc import Callable, Generator, Iterator

import pytest
from hypothesis import settings

from tests.early import ordered
from tests.errors import recorded
from tests.examples import examples

# How long an example takes says how busy the machine is, not whether the code is right; each test's own limit ends one that hangs.
settings.register_profile("tileclock", deadline=None, max_examples=examples(400))
settings.load_profile("tileclock")

# Wall times on screens are of the machine's zone; a test that is about zones sets its own (``in_zone``).
os.environ["TZ"] = "UTC"
time.tzset()

# Debian's own: tests look at the rights of files that programs make, whatever the umask of the user.
os.umask(0o022)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Six thousand tests and all modules stay to the end: the garbage collector need not look at them again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # What tests make is mostly gone before it looks: with Python's thresholds it takes a fourteenth of their processor time.
        gc.set_threshold(20_000, 50, 20)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let several workers begin with the tests that wait."""
    if workers := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
        items[:] = ordered(items, workers)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the process if a thread that a failed test has left is still running a minute later, and show where it is."""
    # One of several workers waits for the others here, until the process that started it ends it.
    if not hasattr(config, "workerinput"):
        faulthandler.dump_traceback_later(60, exit=True, file=2)


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("needs_root") and os.geteuid() != 0:
        pytest.skip("needs root: sudo make test-root")


@pytest.fixture
def in_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Put the test into a time zone."""

    def put(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield put
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(scope="session", autouse=True)
def reported_errors() -> Iterator[None]:
    """``tests.errors.refused`` knows what a command line reported."""
    with recorded():
        yield


@pytest.fixture(scope="session", autouse=True)
def session_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a clock that is killed leaves in memory goes with the other files of the tests."""
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(tmp_path_factory.mktemp("session"))
    yield
    del os.environ["XDG_RUNTIME_DIR"]
    if before is not None:
        os.environ["XDG_RUNTIME_DIR"] = before
