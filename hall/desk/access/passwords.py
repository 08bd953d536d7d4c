"""An account's password (Argon2id), and the director's signing key that it encrypts."""

from __future__ import annotations

import base64
import binascii
import os
import secrets
import unicodedata
from functools import cache
from typing import Annotated, Final

from cryptography.exceptions import InvalidKey, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from pydantic import BaseModel, ConfigDict, Field

from hall.desk.access.roles import BadPassword, LockedKey
from hall.keys.authority import public_text
from hall.keys.director import DirectorKey

SHORTEST: Final = 10
LONGEST: Final = 200


class Costs(BaseModel):
    """What one try costs."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
    passes: Annotated[int, Field(ge=1, le=20)] = 3
    lanes: Annotated[int, Field(ge=1, le=16)] = 4
    memory_kib: Annotated[int, Field(ge=1024, le=1024 * 1024)] = 64 * 1024


COSTS: Final = Costs()
_SALT_BYTES: Final = 16
_KEY_BYTES: Final = 32


def require_password(password: str) -> None:
    """Check a new password.

    Raises:
        BadPassword: it is too short or too long.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        expected = f"a password of {SHORTEST} to {LONGEST} characters"
        raise BadPassword(expected=expected, found=f"{len(password)}", remedy="Choose another: several words are long and easy to remember")


def new_salt() -> bytes:
    """Return a random salt."""
    return secrets.token_bytes(_SALT_BYTES)


def password_hash(password: str, costs: Costs = COSTS) -> str:
    """Return the hash of ``password`` with its costs and salt (PHC string); different each time."""
    return _argon2id(new_salt(), costs).derive_phc_encoded(_as_bytes(password))


def password_fits(password: str, stored: str | None) -> bool:
    """Return whether ``password`` is the one whose hash is ``stored``; None: there is no such account, which takes the same time."""
    try:
        Argon2id.verify_phc_encoded(_as_bytes(password), stored or _of_no_account())
    except InvalidKey:
        return False
    return stored is not None


def key_from_password(password: str, salt: bytes, costs: Costs) -> bytes:
    """Return the 32 bytes that encrypt what only this password opens."""
    return _argon2id(salt, costs).derive(_as_bytes(password))


@cache
def _of_no_account() -> str:
    return password_hash(secrets.token_hex())


def _argon2id(salt: bytes, costs: Costs) -> Argon2id:
    return Argon2id(salt=salt, length=_KEY_BYTES, iterations=costs.passes, lanes=costs.lanes, memory_cost=costs.memory_kib)


def _as_bytes(password: str) -> bytes:
    # One keyboard composes an accent, another does not (RFC 8265, OpaqueString). A lone surrogate of a forged form is no character.
    return unicodedata.normalize("NFC", password).encode("utf-8", "replace")


_NONCE_BYTES: Final = 12
_Base64 = Annotated[str, Field(pattern=r"^[A-Za-z0-9+/]{16,}={0,2}$")]


class WrappedKey(BaseModel):
    """The encrypted key."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")
    costs: Costs
    salt: _Base64
    nonce: _Base64
    sealed: _Base64


def wrapped(key: DirectorKey, password: str, account: str, costs: Costs = COSTS) -> WrappedKey:
    """Return ``key`` encrypted with ``password``; it opens for the account of that name only."""
    salt, nonce = new_salt(), os.urandom(_NONCE_BYTES)
    sealed = AESGCM(key_from_password(password, salt, costs)).encrypt(nonce, key.private.private_bytes_raw(), account.encode())
    return WrappedKey(costs=costs, salt=_text(salt), nonce=_text(nonce), sealed=_text(sealed))


def unwrapped(key: WrappedKey, password: str, account: str) -> DirectorKey:
    """Return the key.

    Raises:
        LockedKey: password or account is another.
    """
    opened = bytearray(_KEY_BYTES)
    try:
        salt, nonce, sealed = (base64.b64decode(each, validate=True) for each in (key.salt, key.nonce, key.sealed))
        AESGCM(key_from_password(password, salt, key.costs)).decrypt_into(nonce, sealed, account.encode(), opened)
        private = Ed25519PrivateKey.from_private_bytes(opened)
        return DirectorKey(public_text(private), private)
    except (InvalidTag, ValueError, binascii.Error) as error:
        remedy = f"Make the account anew: tilehall account add {account} --role director"
        raise LockedKey(where=account, expected="a key that this password opens", found="another", remedy=remedy) from error
    finally:
        # OpenSSL wipes its own copy when the key is freed; this is ours.
        opened[:] = bytes(_KEY_BYTES)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
