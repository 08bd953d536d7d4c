"""``tilehall account`` and ``https``, as a director types them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hall.cli.main import main
from hall.desk.access.accounts import Accounts, password_fits, unwrapped
from hall.keys.files import HallFiles
from hall.keys.pages import PageFiles, hosts_of
from tests.errors import refused

PASSPHRASE, PASSWORD = "correct horse", "nine racks of tiles"


def tilehall(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(main, words, input=typed)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "hall"
    assert tilehall("init", "club", "--folder", str(folder), "--host", "hall-pc.local", typed=f"{PASSPHRASE}\n").exit_code == 0
    return folder


def test_a_directors_account_opens_the_key_that_signs_orders(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "accounts.json"
    done = tilehall(
        "account",
        "add",
        "ruth",
        "--role",
        "director",
        "--folder",
        str(folder),
        "--accounts",
        str(path),
        typed=f"{PASSPHRASE}\n{PASSWORD}\n",
    )
    assert (done.exit_code, done.stdout) == (0, "ruth is a director now.\n")
    found = Accounts(path).find("ruth")
    assert found is not None
    assert found.key is not None
    assert password_fits(PASSWORD, found.password)
    assert unwrapped(found.key, PASSWORD, "ruth").public == HallFiles.load(folder).director_public()


def test_a_deputy_needs_no_passphrase_and_can_be_removed(tmp_path: Path) -> None:
    path = tmp_path / "accounts.json"
    tilehall("account", "add", "jo", "--role", "deputy", "--accounts", str(path), typed=f"{PASSWORD}\n")
    assert tilehall("account", "list", "--accounts", str(path)).stdout.split() == ["jo", "deputy"]
    assert tilehall("account", "remove", "jo", "--accounts", str(path)).exit_code == 0
    assert tilehall("account", "list", "--accounts", str(path)).stdout == ""


@pytest.mark.parametrize(
    ("typed", "role", "found"),
    [
        (f"wrong\n{PASSWORD}\n", "director", "another one"),
        (f"{PASSPHRASE}\nshort\n", "director", "5"),
        ("short\n", "deputy", "5"),
        ("", "deputy", "0"),
    ],
)
def test_a_wrong_passphrase_or_a_weak_password_makes_no_account(folder: Path, tmp_path: Path, typed: str, role: str, found: str) -> None:
    path = tmp_path / "accounts.json"
    done = tilehall("account", "add", "ruth", "--role", role, "--folder", str(folder), "--accounts", str(path), typed=typed)
    refused(done, found=found)
    assert not path.exists()


def test_no_password_is_an_argument() -> None:
    words = tilehall("account", "add", "--help").stdout
    assert "--password" not in words
    assert tilehall("account", "add", "ruth", PASSWORD, "--role", "deputy").exit_code == 2


def test_init_issues_the_certificate_of_the_desks_pages_and_https_a_later_one(folder: Path) -> None:
    files = PageFiles.beside(HallFiles.load(folder).identity("desk-1").key.parent)
    assert hosts_of(files.certificate) == ("hall-pc.local", "localhost", "127.0.0.1")
    done = tilehall("https", "--folder", str(folder), "--host", "10.1.2.3")
    assert done.exit_code == 0
    assert str(folder / "pages" / "ca.pem") in done.stdout
    assert hosts_of(files.certificate) == ("10.1.2.3", "localhost", "127.0.0.1")


@pytest.mark.parametrize("words", [("--desk", "desk-9"), ("--desk", "listener"), ("--host", "bank.example")])
def test_https_for_another_name_is_refused(folder: Path, words: tuple[str, str]) -> None:
    done = tilehall("https", "--folder", str(folder), *words)
    refused(done, found=re.compile(re.escape(words[1])))


@pytest.mark.needs_root
def test_a_desk_that_runs_as_another_user_reads_accounts_that_root_makes(tmp_path: Path) -> None:
    os.chown(tmp_path, 12_345, 12_345)
    path = tmp_path / "accounts.json"
    tilehall("account", "add", "jo", "--role", "deputy", "--accounts", str(path), typed=f"{PASSWORD}\n")
    assert (path.stat().st_uid, path.stat().st_mode & 0o777) == (12_345, 0o600)
