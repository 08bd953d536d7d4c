"""Passwords of the desk's accounts: only their Argon2id hashes are stored (RFC 9106, second recommended option: 64 MiB, three passes)."""

from __future__ import annotations

import secrets
import unicodedata
from functools import cache
from typing import Annotated, Final

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from pydantic import BaseModel, ConfigDict, Field

from hall.desk.access.errors import BadPassword

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
