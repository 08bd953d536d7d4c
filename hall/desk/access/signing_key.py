"""The director's signing key as a director's account holds it: encrypted with that account's password (Argon2id, AES-256-GCM)."""

from __future__ import annotations

import base64
import binascii
import os
from typing import Annotated, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from pydantic import BaseModel, ConfigDict, Field

from hall.desk.access.errors import LockedKey
from hall.desk.access.passwords import COSTS, Costs, key_from_password, new_salt
from hall.keys.authority import public_text
from hall.keys.director import DirectorKey

_NONCE_BYTES: Final = 12
_KEY_BYTES: Final = 32
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
