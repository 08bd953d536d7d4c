"""What a device keeps at the broker, and how a beat says what that is (docs/spec/wire.md, "Values"). Standard library only."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Final

KEPT: Final = ("up", "state", "call")
"""The retained topics of a device."""


def checksum(payloads: Mapping[str, bytes]) -> int:
    """Return the CRC-32 of the payloads in the order of ``KEPT``, joined by line feeds; one that is missing is empty."""
    return zlib.crc32(b"\n".join(payloads.get(name, b"") for name in KEPT))
