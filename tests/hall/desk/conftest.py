from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import Browser

from hall.desk.access.accounts import Accounts, new_account
from tests.hall.desk.web.browsing import chromium
from tests.hall.desk.web.serving import CHEAP, DEPUTY, DIRECTOR, PASSWORD, ServedDesk, served_desk
from wire.keys import SigningKey


@pytest.fixture(scope="session")
def accounts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A director's and a deputy's account, made once for many desks: each takes time on purpose."""
    private = Ed25519PrivateKey.generate()
    accounts = Accounts(tmp_path_factory.mktemp("accounts") / "accounts.json")
    accounts.put(new_account(DIRECTOR, PASSWORD, SigningKey(private), CHEAP))
    accounts.put(new_account(DEPUTY, PASSWORD, None, CHEAP))
    return accounts.path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, accounts: Path) -> Iterator[ServedDesk]:
    """A desk for the tests of a module: each uses devices and addresses of its own."""
    with served_desk(tmp_path_factory.mktemp("desk"), accounts) as desk:
        yield desk


@pytest.fixture
def client(served: ServedDesk) -> httpx.Client:
    """The director's, logged in."""
    return served.logged_in()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started
