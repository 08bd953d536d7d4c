"""The digits that device and hall show (docs/spec/wire.md, "Enrolling"). Pure.

The device commits itself to its request and a random number before it sees the hall's, and the hall sends its own before it sees the request. So a program in
between cannot try requests until the digits fit: it has one try for each conversation.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

_DIGITS: Final = 8
_TYPED: Final = re.compile(r"(\d{4})[ -]?(\d{4})")
_WHOLE: Final = re.compile(r"[0-9a-f]{64}")


def commitment(request: str, secret: str) -> str:
    """Return what a device sends first.

    Args:
        request: its request, as text.
        secret: its random number in hexadecimal, unknown until the hall has sent its own.
    """
    return _hash("tc/1 commitment", _hash(request), secret)


@dataclass(frozen=True, slots=True)
class Conversation:
    """All that both sides have sent."""

    ca: bytes
    """The hall's CA certificate, in DER."""
    request: str
    secret: str
    nonce: str
    """The hall's random number in hexadecimal."""

    @property
    def transcript(self) -> str:
        """The hash of it in hexadecimal: the same on both sides only if both have seen the same."""
        return _hash("tc/1 enrol", hashlib.sha256(self.ca).hexdigest(), _hash(self.request), self.secret, self.nonce)


def digits_of(transcript: str) -> str:
    """Return the digits to compare: ``1234-5678``."""
    number = f"{int(transcript, 16) % 10**_DIGITS:0{_DIGITS}}"
    return f"{number[:4]}-{number[4:]}"


def as_typed(text: str) -> str | None:
    """Return digits (with a hyphen, a blank or nothing between) in their form, or a whole transcript as a scanner types it; None: neither."""
    found = _TYPED.fullmatch(text.strip())
    if found is not None:
        return f"{found[1]}-{found[2]}"
    return text.strip() if _WHOLE.fullmatch(text.strip()) else None


def fingerprint(certificate: bytes) -> str:
    """Return the SHA-256 of a certificate in DER."""
    return hashlib.sha256(certificate).hexdigest()


def _hash(*lines: str) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
