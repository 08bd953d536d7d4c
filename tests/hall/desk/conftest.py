from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.hall.desk.web.browsing import chromium
from tests.hall.desk.web.serving import ServedDesk, accounts_made, served_desk


@pytest.fixture(scope="session")
def accounts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with accounts_made(tmp_path_factory.mktemp("accounts")) as path:
        yield path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, accounts: Path) -> Iterator[ServedDesk]:
    """A desk for the tests of a module: each uses devices and addresses of its own."""
    with served_desk(tmp_path_factory.mktemp("desk"), accounts) as desk:
        yield desk


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started
