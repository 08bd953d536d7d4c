"""The director's PIN as the settings keep it: never itself, but what scrypt makes of it, so that who reads the file has to try every one for a while."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass, field
from typing import Final

from appliance.errors import TileclockError

_N, _R, _P = 2**14, 8, 1
"""16 MiB and some 50 ms a try, more on a Pi: the memory is what a machine built for guessing has least of."""
_MOST_MEMORY: Final = 64 * 1024 * 1024
_SALT_BYTES: Final = 16
_KEY_BYTES: Final = 32
_PIN: Final = re.compile(r"[0-9]{4,12}", re.ASCII)
_KEPT: Final = re.compile(r"scrypt\$([0-9]{1,7})\$([0-9]{1,2})\$([0-9]{1,2})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)", re.ASCII)


class BadPin(TileclockError, ValueError):
    """A PIN that is none."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """The parts of a kept PIN."""

    n: int
    r: int
    p: int
    salt: bytes = field(repr=False)
    key: bytes = field(repr=False)


def hashed(pin: str) -> str:
    """Return what to keep of ``pin``: ``scrypt$n$r$p$salt$key``, salt and key in base64; another each time.

    Raises:
        BadPin: it is not of 4 to 12 digits.
    """
    if not _PIN.fullmatch(pin):
        raise BadPin(expected="a PIN of 4 to 12 digits", found="something else", remedy="Choose another")
    salt = secrets.token_bytes(_SALT_BYTES)
    key = _scrypt(pin, Parsed(_N, _R, _P, salt, bytes(_KEY_BYTES)))
    return "$".join(("scrypt", str(_N), str(_R), str(_P), base64.b64encode(salt).decode(), base64.b64encode(key).decode()))


def parsed(kept: str) -> Parsed:
    """Return the parts of what ``hashed`` made.

    Raises:
        ValueError: it is not of that form, or cannot be checked against on a small machine.
    """
    found = _KEPT.fullmatch(kept)
    if found is None:
        raise ValueError("expected scrypt$n$r$p$salt$key")
    try:
        salt, key = (base64.b64decode(part, validate=True) for part in found.group(4, 5))
    except binascii.Error as error:
        raise ValueError("expected salt and key in base64") from error
    n, r, p = map(int, found.group(1, 2, 3))
    # As scrypt counts its memory.
    if n < 2 or n & (n - 1) or not (r and p and salt and key) or 128 * r * (n + p + 2) > _MOST_MEMORY:
        raise ValueError("expected costs that scrypt takes, within 64 MiB")
    return Parsed(n, r, p, salt, key)


def matches(pin: str, kept: str) -> bool:
    """Tell whether ``pin`` is the one that ``kept`` was made of, in a time that does not depend on where they differ.

    Raises:
        ValueError: ``kept`` is not what ``hashed`` makes; the settings allow no such thing.
    """
    parts = parsed(kept)
    return hmac.compare_digest(_scrypt(pin, parts), parts.key)


def _scrypt(pin: str, parts: Parsed) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=parts.salt, n=parts.n, r=parts.r, p=parts.p, maxmem=_MOST_MEMORY, dklen=len(parts.key))
