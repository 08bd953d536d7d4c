"""The hash chain: each row's hash covers the row before it, so that no row can be changed, put in or taken out unnoticed.

It shows tampering to whoever noted down an earlier head; it keeps nobody from writing a whole new chain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Final

GENESIS: Final = "0" * 64
"""What stands in for the hash before the first row."""


def chained(previous: str, fields: Sequence[object]) -> str:
    """Return the SHA-256, in hexadecimal, of the row before's hash ``previous`` and this row's ``fields`` as compact JSON."""
    canonical = json.dumps(fields, separators=(",", ":"))
    return hashlib.sha256(f"{previous}\n{canonical}".encode()).hexdigest()


def short(full: str) -> str:
    """Return the part of a hash that a person can note down."""
    return full[:12]
