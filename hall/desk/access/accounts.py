"""The desk's accounts: one JSON file for its owner alone. A running desk sees a changed file at once."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from appliance.records.files import write_whole
from faults.errors import reason
from hall.desk.access.passwords import COSTS, Costs, WrappedKey, password_hash, wrapped
from hall.desk.access.roles import AccountError, DeskRole, role_of
from hall.keys.director import DirectorKey

_PERMISSIONS: Final = 0o600
NAME: Final = r"^[a-z0-9][a-z0-9._-]{0,31}$"
_ByName: TypeAlias = dict[str, "UserAccount"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class UserAccount(_Part):
    """Somebody who may log in."""

    name: Annotated[str, Field(pattern=NAME)]
    role: Literal["deputy", "director"]
    password: Annotated[str, Field(pattern=r"^\$argon2id\$")]
    """Its hash (``passwords.password_hash``)."""
    key: WrappedKey | None
    """The director's signing key, for this password; None: a deputy."""

    @property
    def may(self) -> DeskRole:
        return role_of(self.role)


class _File(_Part):
    v: Literal[1] = 1
    accounts: tuple[UserAccount, ...] = ()


def is_name(text: str) -> bool:
    """Return whether ``text`` has the form of an account's name."""
    return re.fullmatch(NAME, text, re.ASCII) is not None


def new_account(name: str, password: str, key: DirectorKey | None, costs: Costs = COSTS) -> UserAccount:
    """Return an account: a director's with the signing key, a deputy's without.

    Raises:
        AccountError: the name has another form.
    """
    sealed = None if key is None else wrapped(key, password, name, costs)
    role: Literal["deputy", "director"] = "deputy" if key is None else "director"
    try:
        return UserAccount(name=name, role=role, password=password_hash(password, costs), key=sealed)
    except ValidationError as error:
        expected = "1 to 32 small letters, digits, dots and hyphens, a letter or digit first"
        raise AccountError(where="NAME", expected=expected, found=f'"{name}"', remedy="Choose another name") from error


@dataclass(slots=True)
class Accounts:
    """The accounts in the file at ``path``; used from any thread."""

    path: Path
    _read: tuple[tuple[int, int, int], _ByName] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def find(self, name: str) -> UserAccount | None:
        """Return the account of that name as it stands in the file now; None: there is none.

        Raises:
            AccountError: the file is unusable.
        """
        return self._all().get(name)

    def names(self) -> tuple[str, ...]:
        """Return the names of all accounts, sorted.

        Raises:
            AccountError: the file is unusable.
        """
        return tuple(sorted(self._all()))

    def put(self, account: UserAccount) -> None:
        """Write an account; one with the same name goes.

        Raises:
            AccountError: the file is unusable.
        """
        self._write({**self._all(), account.name: account})

    def remove(self, name: str) -> None:
        """Delete an account.

        Raises:
            AccountError: there is none of that name, or the file is unusable.
        """
        accounts = self._all()
        if name not in accounts:
            known = ", ".join(sorted(accounts))
            remedy = f"Choose one of {known}" if known else "There is none yet: tilehall account add NAME"
            raise AccountError(where=self.path, expected="the name of an account", found=f'"{name}"', remedy=remedy)
        self._write({each: account for each, account in accounts.items() if each != name})

    def _all(self) -> _ByName:
        with self._lock:
            try:
                found = self.path.stat()
                version = (found.st_ino, found.st_mtime_ns, found.st_size)
                if self._read is None or self._read[0] != version:
                    whole = _File.model_validate_json(self.path.read_bytes())
                    self._read = version, {each.name: each for each in whole.accounts}
                return self._read[1]
            except FileNotFoundError:
                return {}
            except OSError as error:
                raise _unusable(self.path, reason(error)) from error
            except ValidationError as error:
                raise _unusable(self.path, "other content") from error

    def _write(self, accounts: _ByName) -> None:
        content = _File(accounts=tuple(accounts[name] for name in sorted(accounts)))
        try:
            write_whole(self.path, content.model_dump_json(indent=1).encode(), _PERMISSIONS, for_owner=True)
        except OSError as error:
            raise _unusable(self.path, reason(error)) from error


def _unusable(path: Path, found: str) -> AccountError:
    remedy = "Check the file and its permissions; or rename it, and make the accounts anew with tilehall account add"
    return AccountError(where=path, expected="the desk's accounts", found=found, remedy=remedy)
