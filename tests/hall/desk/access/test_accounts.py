from __future__ import annotations

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hall.desk.access.accounts import (
    AccountError,
    Accounts,
    BadPassword,
    Costs,
    DeskRole,
    LockedKey,
    new_account,
    password_fits,
    password_hash,
    require_password,
    unwrapped,
    wrapped,
)
from hall.keys.authority import public_text
from hall.keys.director import DirectorKey

PASSWORD = "nine racks of tiles"  # noqa: S105 - of accounts that the tests make

CHEAP = Costs(passes=1, lanes=1, memory_kib=1024)


@pytest.fixture(scope="module")
def director_key() -> DirectorKey:
    private = Ed25519PrivateKey.generate()
    return DirectorKey(public_text(private), private)


def test_the_file_holds_hashes_for_its_owner_alone(tmp_path: Path, director_key: DirectorKey) -> None:
    accounts = Accounts(tmp_path / "accounts.json")
    accounts.put(new_account("ruth", PASSWORD, director_key))
    accounts.put(new_account("jo", PASSWORD, None, CHEAP))
    written = accounts.path.read_bytes()
    assert stat.S_IMODE(accounts.path.stat().st_mode) == 0o600
    assert PASSWORD.encode() not in written
    assert director_key.private.private_bytes_raw() not in written
    # Two accounts with one password do not show it.
    assert written.count(b"$argon2id$") == 2
    assert accounts.names() == ("jo", "ruth")
    found = accounts.find("ruth")
    assert found is not None
    assert found.may is DeskRole.DIRECTOR
    assert password_fits(PASSWORD, found.password)
    assert not password_fits(PASSWORD + " ", found.password)


def test_a_password_fits_however_a_keyboard_composes_its_accents() -> None:
    assert password_fits("cafe\N{COMBINING ACUTE ACCENT} scrabble", password_hash("caf\N{LATIN SMALL LETTER E WITH ACUTE} scrabble"))


def test_no_account_has_no_password() -> None:
    assert not password_fits(PASSWORD, None)


@pytest.mark.parametrize("password", ["", "ninechars", "x" * 201])
def test_a_password_that_is_too_short_or_too_long_is_refused(password: str) -> None:
    with pytest.raises(BadPassword) as refused:
        require_password(password)
    assert refused.value.found == str(len(password))


def test_the_signing_key_opens_with_its_password_for_its_account(director_key: DirectorKey) -> None:
    sealed = wrapped(director_key, PASSWORD, "ruth", CHEAP)
    assert unwrapped(sealed, PASSWORD, "ruth").public == director_key.public
    for password, account in ((PASSWORD + "!", "ruth"), (PASSWORD, "jo")):
        with pytest.raises(LockedKey):
            unwrapped(sealed, password, account)


def test_a_running_desk_sees_a_changed_file(tmp_path: Path) -> None:
    running, command = Accounts(tmp_path / "accounts.json"), Accounts(tmp_path / "accounts.json")
    assert running.find("jo") is None
    command.put(new_account("jo", PASSWORD, None, CHEAP))
    assert running.find("jo") is not None
    command.remove("jo")
    assert running.find("jo") is None


@pytest.mark.parametrize("name", ["", "Ruth", "../ruth", "ruth\n", "-r", "r" * 33, "<b>"])
def test_a_name_of_another_form_is_refused(name: str) -> None:
    with pytest.raises(AccountError):
        new_account(name, PASSWORD, None, CHEAP)


def test_an_unknown_account_cannot_be_removed(tmp_path: Path) -> None:
    with pytest.raises(AccountError) as refused:
        Accounts(tmp_path / "accounts.json").remove("jo")
    assert refused.value.found == '"jo"'


@pytest.mark.parametrize("content", [b"", b"[]", b'{"v": 2, "accounts": []}', b'{"v": 1, "accounts": [{}]}', b"\xff"])
def test_a_damaged_file_lets_nobody_in(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "accounts.json"
    path.write_bytes(content)
    with pytest.raises(AccountError) as refused:
        Accounts(path).find("ruth")
    assert refused.value.where == str(path)
