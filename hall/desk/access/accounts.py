"""The desk's accounts: one JSON file for its owner alone, with each account's role, password (Argon2id) and, encrypted by it, signing key.

Each role may do what the one before may. A running desk sees a changed file at once. Sessions live in the memory of the desk that runs; a cookie holds
nothing but a random id.
"""

import base64
import binascii
import re
import secrets
import threading
import unicodedata
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from cryptography.exceptions import InvalidKey, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from appliance.records.files import OWNER_ONLY, write_whole
from faults.errors import Phrase, TileclockError
from faults.small_file import open_regular
from hall.errors import HallError, explained
from rules.duration import NS
from wire.keys import SigningKey


class DeskRole(IntEnum):
    SPECTATOR = 0
    """Anybody, without an account: the public board and the overlay."""
    DEPUTY = 1
    """Sees every page and takes calls; has no signing key, so no order comes from a deputy."""
    DIRECTOR = 2
    """Sends orders to tables and stations, and takes the desk over."""

    @property
    def word(self) -> Phrase:
        return {DeskRole.DEPUTY: Phrase("deputy"), DeskRole.DIRECTOR: Phrase("director")}[self]


class AccountError(TileclockError, ValueError):
    """The accounts' file is unusable, or the account is not what was expected."""


SHORTEST: Final = 10
LONGEST: Final = 200


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Costs(_Part):
    passes: Annotated[int, Field(ge=1, le=20)] = 3
    lanes: Annotated[int, Field(ge=1, le=16)] = 4
    memory_kib: Annotated[int, Field(ge=1024, le=1024 * 1024)] = 64 * 1024


COSTS: Final = Costs()
_SALT_BYTES: Final = 16
_KEY_BYTES: Final = 32


def require_password(password: str) -> None:
    if not SHORTEST <= len(password) <= LONGEST:
        raise HallError(
            expected=Phrase("a password of {shortest} to {longest} characters", shortest=SHORTEST, longest=LONGEST),
            found=f"{len(password)}",
            remedy=Phrase("Choose another: several words are long and easy to remember"),
        )


def password_hash(password: str, costs: Costs = COSTS) -> str:
    """Return the hash of ``password`` with its costs and salt (PHC string); different each time."""
    return _argon2id(secrets.token_bytes(_SALT_BYTES), costs).derive_phc_encoded(_as_bytes(password))


def password_fits(password: str, stored: str | None) -> bool:
    """Return whether ``password`` is the one whose hash is ``stored``; None: there is no such account, which takes the same time."""
    try:
        Argon2id.verify_phc_encoded(_as_bytes(password), stored or _of_no_account())
    except InvalidKey:
        return False
    return stored is not None


def key_from_password(password: str, salt: bytes, costs: Costs) -> bytes:
    return _argon2id(salt, costs).derive(_as_bytes(password))


@cache
def _of_no_account() -> str:
    return password_hash(secrets.token_hex())


def _argon2id(salt: bytes, costs: Costs) -> Argon2id:
    return Argon2id(salt=salt, length=_KEY_BYTES, iterations=costs.passes, lanes=costs.lanes, memory_cost=costs.memory_kib)


def _as_bytes(password: str) -> bytes:
    # One keyboard composes an accent, another does not (RFC 8265, OpaqueString). A lone surrogate of a forged form is no character.
    return unicodedata.normalize("NFC", password).encode("utf-8", "replace")


_Base64 = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{16,}={0,2}$")]


class WrappedKey(_Part):
    costs: Costs
    salt: _Base64
    nonce: _Base64
    sealed: _Base64


def wrapped(key: SigningKey, password: str, account: str, costs: Costs = COSTS) -> WrappedKey:
    """Return ``key`` encrypted with ``password``; it opens for the account of that name only."""
    salt, nonce = secrets.token_bytes(_SALT_BYTES), secrets.token_bytes(12)
    sealed = AESGCM(key_from_password(password, salt, costs)).encrypt(nonce, key.private.private_bytes_raw(), account.encode())
    return WrappedKey(costs=costs, salt=_text(salt), nonce=_text(nonce), sealed=_text(sealed))


def unwrapped(key: WrappedKey, password: str, account: str) -> SigningKey:
    """Return the key.

    Raises:
        HallError: password or account is another.
    """
    opened = bytearray(_KEY_BYTES)
    try:
        salt, nonce, sealed = (base64.b64decode(each, validate=True) for each in (key.salt, key.nonce, key.sealed))
        AESGCM(key_from_password(password, salt, key.costs)).decrypt_into(nonce, sealed, account.encode(), opened)
        private = Ed25519PrivateKey.from_private_bytes(opened)
        return SigningKey(private)
    except (InvalidTag, ValueError, binascii.Error) as error:
        raise HallError(
            where=account,
            expected="a key that this password opens",
            found="another",
            remedy=Phrase("Create the account again: tilehall account add {account} --role director", account=account),
        ) from error
    finally:
        # OpenSSL wipes its own copy when the key is freed; this is ours.
        opened[:] = bytes(_KEY_BYTES)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


NAME: Final = r"^[a-z0-9][a-z0-9._-]{0,31}$"
_ByName: TypeAlias = dict[str, "UserAccount"]


class UserAccount(_Part):
    name: Annotated[str, Field(pattern=NAME)]
    role: Literal["deputy", "director"]
    password: Annotated[str, Field(pattern=r"^\$argon2id\$")]
    key: WrappedKey | None
    """The director's signing key, for this password; None: a deputy."""

    @property
    def may(self) -> DeskRole:
        return DeskRole[self.role.upper()]


class _File(_Part):
    v: Literal[1] = 1
    accounts: tuple[UserAccount, ...] = ()


def is_name(text: str) -> bool:
    return re.fullmatch(NAME, text, re.ASCII) is not None


def new_account(name: str, password: str, key: SigningKey | None, costs: Costs = COSTS) -> UserAccount:
    sealed = None if key is None else wrapped(key, password, name, costs)
    role: Literal["deputy", "director"] = "deputy" if key is None else "director"
    with explained(
        AccountError,
        "1 to 32 small letters, digits, dots and hyphens, a letter or digit first",
        where="NAME",
        found=f'"{name}"',
        remedy="Choose another name",
    ):
        return UserAccount(name=name, role=role, password=password_hash(password, costs), key=sealed)


class Accounts(Struct, frozen=True):
    """Used from any thread."""

    path: Path

    def find(self, name: str) -> UserAccount | None:
        return self.all().get(name)

    def put(self, account: UserAccount) -> None:
        self._write({**self.all(), account.name: account})

    def remove(self, name: str) -> None:
        accounts = self.all()
        if name not in accounts:
            known = ", ".join(sorted(accounts))
            raise AccountError(
                where=self.path,
                expected="the name of an account",
                found=f'"{name}"',
                remedy=(f"Choose one of {known}" if known else "There is none yet: tilehall account add NAME"),
            )
        self._write({each: account for each, account in accounts.items() if each != name})

    def all(self) -> _ByName:
        with _usable(self.path), suppress(FileNotFoundError), open_regular(self.path) as file:
            return {each.name: each for each in _File.model_validate_json(file.read()).accounts}
        return {}

    def _write(self, accounts: _ByName) -> None:
        content = _File(accounts=tuple(accounts[name] for name in sorted(accounts)))
        with _usable(self.path):
            write_whole(self.path, content.model_dump_json(indent=1).encode(), OWNER_ONLY, for_owner=True)


UNREADABLE: Final = Phrase("The desk's accounts cannot be read now. The desk's service log says why.")
"""For a browser: the error itself names files of this machine."""


def _usable(path: Path) -> AbstractContextManager[None]:
    return explained(
        AccountError,
        "the desk's accounts",
        where=path,
        found="other content",
        remedy="Check the file and its permissions; or rename it, and create the accounts again with tilehall account add",
    )


IDLE_NS: Final = 2 * 3600 * NS
"""Without a request for so long a session ends. An open event stream is none: it goes on without a person."""
LONGEST_NS: Final = 16 * 3600 * NS
"""A session ends after a tournament's day."""


@dataclass(slots=True, eq=False)
class Session:
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


class Sessions:
    """Used from any thread."""

    def __init__(self) -> None:
        self._open: dict[str, Session] = {}
        self._lock = threading.Lock()

    def begin(self, account: UserAccount, key: SigningKey | None, now: int) -> Session:
        """Return a new session; its id was never seen before, so one that an attacker has planted is worth nothing."""
        session = Session(secrets.token_urlsafe(32), account.name, account.may, account.password, now, now, key)
        with self._lock:
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


def _is_over(session: Session, now: int) -> bool:
    return now - session.seen > IDLE_NS or now - session.since > LONGEST_NS
