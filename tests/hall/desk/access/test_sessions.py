from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from hall.desk.access.accounts import UserAccount
from hall.desk.access.sessions import IDLE_NS, LONGEST_NS, MAX_PER_ACCOUNT, Session, Sessions
from hall.keys.authority import public_text
from hall.keys.director import DirectorKey
from rules.duration import NS

RUTH = UserAccount(name="ruth", role="director", password="$argon2id$1", key=None)  # noqa: S106 - no password has this hash


@pytest.fixture
def sessions() -> Sessions:
    return Sessions()


def begun(sessions: Sessions, at: int = 0) -> Session:
    private = Ed25519PrivateKey.generate()
    return sessions.begin(RUTH, DirectorKey(public_text(private), private), at)


def test_every_login_has_an_id_of_its_own(sessions: Sessions) -> None:
    first, second = begun(sessions), begun(sessions)
    assert first.id != second.id
    assert len(first.id) >= 43
    assert sessions.find(first.id, RUTH.password, NS) is first


def test_the_key_is_forgotten_at_logout(sessions: Sessions) -> None:
    session = begun(sessions)
    sessions.end(session.id)
    assert sessions.find(session.id, RUTH.password, 1) is None
    assert session.key is None


@pytest.mark.parametrize("password", ["$argon2id$2", None])
def test_another_password_or_no_account_ends_the_session(sessions: Sessions, password: str | None) -> None:
    session = begun(sessions)
    assert sessions.find(session.id, password, 1) is None
    assert session.key is None
    # Also for good.
    assert sessions.find(session.id, RUTH.password, 2) is None


def test_a_session_ends_after_idle_time_and_an_open_stream_does_not_prolong_it(sessions: Sessions) -> None:
    session = begun(sessions)
    assert sessions.find(session.id, RUTH.password, IDLE_NS) is session
    assert sessions.find(session.id, RUTH.password, 2 * IDLE_NS, counts=False) is session
    assert sessions.find(session.id, RUTH.password, 2 * IDLE_NS + 1) is None


def test_a_session_ends_after_the_day_whatever_comes(sessions: Sessions) -> None:
    session = begun(sessions)
    for at in range(0, LONGEST_NS + 1, IDLE_NS):
        assert sessions.find(session.id, RUTH.password, at) is session
    assert sessions.find(session.id, RUTH.password, LONGEST_NS + 1) is None


def test_no_request_is_needed_for_a_session_to_end(sessions: Sessions) -> None:
    session = begun(sessions)
    sessions.sweep(IDLE_NS)
    assert session.key is not None
    sessions.sweep(IDLE_NS + 1)
    assert session.key is None


def test_the_oldest_session_of_an_account_goes(sessions: Sessions) -> None:
    opened = [begun(sessions, at) for at in range(MAX_PER_ACCOUNT + 1)]
    assert [each.key is None for each in opened] == [True] + [False] * MAX_PER_ACCOUNT
