"""The hash chain: each row's hash covers the previous row's, so that changed, inserted and removed rows are detected.

It shows tampering to anyone who noted an earlier head. It cannot prevent the writing of a whole new chain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Final

GENESIS: Final = "0" * 64
"""The hash "before" the first row."""


def chained(previous: str, fields: Sequence[object]) -> str:
    """Return the SHA-256, in hexadecimal, of the previous row's hash ``previous`` and this row's ``fields`` as compact JSON."""
    canonical = json.dumps(fields, separators=(",", ":"))
    return hashlib.sha256(f"{previous}\n{canonical}".encode()).hexdigest()


NOTED_DIGITS: Final = 16
"""How much of a hash proves something: rows whose hash begins with eight given digits are found by trying in seconds, 16 in no lifetime."""


def short(full: str) -> str:
    """Return the first digits of a hash, for people to note."""
    return full[:NOTED_DIGITS]
