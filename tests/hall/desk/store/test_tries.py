from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Engine

from hall.desk.access.tries import FIRST_NS, FREE, LONGEST_FOR_ACCOUNT_NS, LONGEST_FROM_ADDRESS_NS, Tries
from hall.desk.store import open_store
from rules.duration import NS

HERE, THERE = "10.0.0.7", "10.0.0.8"


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return open_store(str(tmp_path / "desk.db"))


def wrong(tries: Tries, account: str, address: str, count: int, at: int = 0) -> int:
    """Type ``count`` wrong passwords as early as possible; return when the last one was typed."""
    for _ in range(count):
        if wait := tries.begin(account, address, at):
            at += wait
            assert tries.begin(account, address, at) == 0
    return at


def test_each_further_wrong_password_waits_twice_as_long(engine: Engine) -> None:
    tries = Tries(engine, 0)
    at = wrong(tries, "ruth", HERE, FREE)
    assert at == 0
    waits = []
    for _ in range(4):
        at = wrong(tries, "ruth", HERE, 1, at)
        waits.append(tries.begin("ruth", HERE, at))
    assert waits == [FIRST_NS, 2 * FIRST_NS, 4 * FIRST_NS, 8 * FIRST_NS]


def test_waiting_tries_are_not_counted(engine: Engine) -> None:
    tries = Tries(engine, 0)
    at = wrong(tries, "ruth", HERE, FREE + 1)
    assert [tries.begin("ruth", HERE, at) for _ in range(100)] == [FIRST_NS] * 100


def test_the_right_password_begins_anew(engine: Engine) -> None:
    tries = Tries(engine, 0)
    at = wrong(tries, "ruth", HERE, FREE + 3)
    assert tries.begin("ruth", HERE, at) > 0
    tries.right("ruth", HERE)
    assert wrong(tries, "ruth", HERE, FREE, at) == at


def test_many_addresses_against_one_account_wait_too(engine: Engine) -> None:
    tries = Tries(engine, 0)
    for each in range(FREE + 1):
        assert tries.begin("ruth", f"10.0.1.{each}", 0) == 0
    assert tries.begin("ruth", THERE, 0) == FIRST_NS


def test_one_address_against_many_accounts_waits_too_and_a_login_with_an_account_of_its_own_does_not_help(engine: Engine) -> None:
    tries = Tries(engine, 0)
    for each in range(FREE):
        assert tries.begin(f"account{each}", HERE, 0) == 0
    assert tries.begin("jo", HERE, 0) == 0
    tries.right("jo", HERE)
    assert tries.begin("account9", HERE, 0) == 0
    assert tries.begin("account10", HERE, 0) == FIRST_NS


def test_a_director_is_not_locked_out_by_others(engine: Engine) -> None:
    tries = Tries(engine, 0)
    assert tries.begin("ruth", HERE, 0) == 0
    tries.right("ruth", HERE)
    at = wrong(tries, "ruth", THERE, 30)
    assert tries.begin("ruth", "10.0.0.9", at) == LONGEST_FOR_ACCOUNT_NS
    assert tries.begin("ruth", THERE, at) == LONGEST_FROM_ADDRESS_NS
    assert tries.begin("ruth", HERE, at) == 0


def test_the_count_survives_a_restart_and_the_wait_begins_again(engine: Engine) -> None:
    wrong(Tries(engine, 0), "ruth", HERE, FREE + 2)
    restarted = Tries(engine, 1_000 * NS)
    assert restarted.begin("ruth", HERE, 1_000 * NS) == 2 * FIRST_NS
    assert restarted.begin("ruth", HERE, 1_000 * NS + 2 * FIRST_NS) == 0
