"""Sessions: who is logged in. They live in the memory of the desk that runs; a cookie holds nothing but a random id."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, field
from typing import Final

from hall.desk.access.accounts import DeskRole, UserAccount
from rules.duration import NS
from wire.keys import SigningKey

IDLE_NS: Final = 2 * 3600 * NS
"""Without a request for so long a session ends. An open event stream is none: it goes on without a person."""
LONGEST_NS: Final = 16 * 3600 * NS
"""A session ends after a tournament's day."""
MAX_PER_ACCOUNT: Final = 8
"""The oldest session of an account ends where one more begins."""
_ID_BYTES: Final = 32


@dataclass(slots=True, eq=False)
class Session:
    """Somebody at one browser."""

    id: str = field(repr=False)
    account: str
    role: DeskRole
    password: str = field(repr=False)
    """The hash that the account had at login: another one now ends the session."""
    since: int
    """In ns of CLOCK_MONOTONIC."""
    seen: int
    """The last request, in ns."""
    key: SigningKey | None = field(repr=False)
    """The director's signing key; None: a deputy, or the session has ended."""
    ended: bool = False


class Sessions:
    """All sessions; used from any thread."""

    def __init__(self) -> None:
        self._open: dict[str, Session] = {}
        self._lock = threading.Lock()

    def begin(self, account: UserAccount, key: SigningKey | None, now: int) -> Session:
        """Return a new session; its id was never seen before, so one that an attacker has planted is worth nothing."""
        session = Session(secrets.token_urlsafe(_ID_BYTES), account.name, account.may, account.password, now, now, key)
        with self._lock:
            own = [each for each in self._open.values() if each.account == account.name]
            for oldest in sorted(own, key=lambda each: each.since)[: max(0, len(own) + 1 - MAX_PER_ACCOUNT)]:
                self._end(oldest)
            self._open[session.id] = session
        return session

    def find(self, session_id: str, account_now: str | None, now: int, *, counts: bool = True) -> Session | None:
        """Return the session with that id if it is still good; else it ends.

        Args:
            account_now: the password's hash in the account's file now; None: the account is gone.
            now: in ns.
            counts: this request shows that somebody is there.
        """
        with self._lock:
            session = self._open.get(session_id)
            if session is None:
                return None
            if account_now != session.password or _is_over(session, now):
                self._end(session)
                return None
            if counts:
                session.seen = now
            return session

    def account_of(self, session_id: str) -> str | None:
        session = self._open.get(session_id)
        return None if session is None else session.account

    def open_ids(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(self._open)

    def sweep(self, now: int) -> None:
        """End the sessions that are over, so that no key stays in memory because no request comes."""
        with self._lock:
            for session in tuple(self._open.values()):
                if _is_over(session, now):
                    self._end(session)

    def end(self, session_id: str) -> None:
        with self._lock:
            if (session := self._open.get(session_id)) is not None:
                self._end(session)

    def _end(self, session: Session) -> None:
        self._open.pop(session.id, None)
        session.key = None
        session.ended = True


def _is_over(session: Session, now: int) -> bool:
    return now - session.seen > IDLE_NS or now - session.since > LONGEST_NS
