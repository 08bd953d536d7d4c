"""A director's lock: the PIN in the settings, and the wait after wrong tries.

The settings have only the PIN's scrypt hash, so that guessing it from the file takes time. The count of wrong tries survives restarts: a program that is switched
off and on waits its whole time again.
"""

import base64
import binascii
import hashlib
import hmac
import os
import re
from typing import Final

from faults.errors import TileclockError

_N, _R, _P = 2**14, 8, 1
"""16 MiB and about 50 ms for each try, more on a Pi: guessing hardware is short of memory first."""
_MAX_MEMORY: Final = 64 * 1024 * 1024
_SALT_BYTES: Final = 16
_KEY_BYTES: Final = 32
_PIN: Final = re.compile(r"[0-9]{4,12}", re.ASCII)
_CODE: Final = re.compile(r"[LR]{4,12}", re.ASCII)
_FORMAT: Final = re.compile(r"scrypt\$([0-9]{1,7})\$([0-9]{1,2})\$([0-9]{1,2})\$([A-Za-z0-9+/=]+)\$([A-Za-z0-9+/=]+)", re.ASCII)


class BadPin(TileclockError, ValueError):
    """The text is not a valid PIN."""


def pin_of_code(text: str) -> str:
    """Return the PIN of a clock's code written as L and R: 1 for left, 2 for right. Raises ``BadPin`` unless it has 4 to 12 of them."""
    code = text.strip().upper()
    if not _CODE.fullmatch(code):
        raise BadPin(expected="a code of 4 to 12 letters, L for left and R for right", found="something else", remedy="Choose another")
    return code.replace("L", "1").replace("R", "2")


def hashed(pin: str) -> str:
    """Return the hash of ``pin`` for the settings: ``scrypt$n$r$p$salt$key``, salt and key in base64; different each time.

    Raises ``BadPin`` unless it has 4 to 12 digits.
    """
    if not _PIN.fullmatch(pin):
        raise BadPin(expected="a PIN of 4 to 12 digits", found="something else", remedy="Choose another")
    salt = os.urandom(_SALT_BYTES)
    key = _scrypt(pin, (_N, _R, _P), salt, _KEY_BYTES)
    return "$".join(("scrypt", str(_N), str(_R), str(_P), base64.b64encode(salt).decode(), base64.b64encode(key).decode()))


def parsed(pin_hash: str) -> tuple[tuple[int, int, int], bytes, bytes]:
    """Return costs, salt and key of a hash from ``hashed``; raises ``ValueError`` for another format, or costs that are too high for a small machine."""
    found = _FORMAT.fullmatch(pin_hash)
    if found is None:
        raise ValueError("expected scrypt$n$r$p$salt$key")
    try:
        salt, key = (base64.b64decode(part, validate=True) for part in found.group(4, 5))
    except binascii.Error as error:
        raise ValueError("expected salt and key in base64") from error
    n, r, p = map(int, found.group(1, 2, 3))
    # The memory by scrypt's formula.
    if n < 2 or n & (n - 1) or not (r and p and salt and key) or 128 * r * (n + p + 2) > _MAX_MEMORY:
        raise ValueError("expected costs that scrypt takes, within 64 MiB")
    return (n, r, p), salt, key


def is_hash(text: str) -> bool:
    try:
        return bool(parsed(text))
    except ValueError:
        return False


def matches(pin: str, pin_hash: str) -> bool:
    """Return whether ``pin`` matches ``pin_hash``, from ``hashed`` (else ``ValueError``), in a time that does not depend on where they differ."""
    costs, salt, key = parsed(pin_hash)
    return hmac.compare_digest(_scrypt(pin, costs, salt, len(key)), key)


def _scrypt(pin: str, costs: tuple[int, int, int], salt: bytes, length: int) -> bytes:
    n, r, p = costs
    return hashlib.scrypt(pin.encode(), salt=salt, n=n, r=r, p=p, maxmem=_MAX_MEMORY, dklen=length)


_SECOND_NS: Final = 1_000_000_000
FREE_TRIES: Final = 2
"""This many wrong tries in a row have no wait, because anyone may mistype."""
FIRST_WAIT_NS: Final = 30 * _SECOND_NS
"""The wait after the third wrong try; each further one doubles it."""
LONGEST_WAIT_NS: Final = 900 * _SECOND_NS


def wait_ns(tries: int) -> int:
    """Return the wait after ``tries`` wrong tries in a row, in ns: none, then 30 s, doubled by each further one up to 15 min."""
    # Bound the shift: a log of a thousand wrong tries must not give a number of a thousand bits.
    return min(FIRST_WAIT_NS << min(tries - FREE_TRIES - 1, 10), LONGEST_WAIT_NS) if tries > FREE_TRIES else 0
