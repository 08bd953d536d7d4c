"""One packet of the local socket: a JSON object with the key ``t``. Standard library only: the link uses it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Packet: TypeAlias = dict[str, Any]
FROM_LINK: Final = 8_192
"""The largest packet from the link, in bytes."""
TO_LINK: Final = 131_072
"""The largest packet to the link, in bytes."""


class PacketFault(Exception):
    """A packet that is too large, or no JSON object with ``t``; the message follows "found"."""


class PeerGone(Exception):
    """The other side has closed the connection, or speaks another version."""


def encode(packet: Mapping[str, object], most: int) -> bytes:
    """Return the packet's bytes.

    Raises:
        PacketFault: they are more than ``most``.
    """
    data = json.dumps(packet, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")
    if len(data) > most:
        raise PacketFault(f"{len(data)} bytes, more than {most}")
    return data


def decode(data: bytes) -> Packet:
    """Return the packet in ``data``.

    Raises:
        PacketFault: it is none.
    """
    try:
        packet = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise PacketFault("no JSON") from error
    if not isinstance(packet, dict) or not isinstance(packet.get("t"), str):
        raise PacketFault("no object with the key t")
    return packet
