"""The link's end of the local socket, and its packets: one is a JSON object with the key ``t``. Standard library only: the link uses it."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
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
    """Return the packet's bytes; raises ``PacketFault`` if they are more than ``most``."""
    data = json.dumps(packet, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")
    if len(data) > most:
        raise PacketFault(f"{len(data)} bytes, more than {most}")
    return data


def decode(data: bytes) -> Packet:
    """Return the packet in ``data``; raises ``PacketFault`` if it is none."""
    try:
        packet = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise PacketFault("no JSON") from error
    if not isinstance(packet, dict) or not isinstance(packet.get("t"), str):
        raise PacketFault("no object with the key t")
    return packet


_MAX_AT_ONCE: Final = 50
"""Packets of one ``read``, so that a busy device does not keep the link from its broker."""


class DeviceClient:
    """A connection to the device's program, by its socket's path or by a connected one; nothing here blocks.

    Methods raise ``PeerGone`` once the device has ended the connection: connect again.
    """

    def __init__(self, path: Path | socket.socket) -> None:
        self._path = path if isinstance(path, Path) else None
        self._socket: socket.socket | None = None if isinstance(path, Path) else path
        if self._socket is not None:
            self._socket.setblocking(False)

    def fileno(self) -> int:
        """Return the descriptor to wait on; -1: not connected."""
        return -1 if self._socket is None else self._socket.fileno()

    def connect(self) -> bool:
        """Connect if necessary; return whether there is a connection."""
        if self._socket is not None or self._path is None:
            return self._socket is not None
        attempt = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC)
        try:
            attempt.connect(str(self._path))
        except OSError:
            attempt.close()
            return False
        self._socket = attempt
        return True

    def read(self) -> list[Packet]:
        """Return the packets that have come, oldest first, some at a time: read again while the descriptor is readable. Raises ``PacketFault`` for something else."""
        packets: list[Packet] = []
        if self._socket is None:
            return packets
        with suppress(BlockingIOError):
            while len(packets) < _MAX_AT_ONCE:
                try:
                    data = self._socket.recv(TO_LINK)
                except ConnectionError:
                    data = b""
                if not data:
                    if packets:
                        # The next read finds the end again.
                        break
                    self.close()
                    raise PeerGone("the device has closed the connection")
                packets.append(decode(data))
        return packets

    def write(self, packet: Mapping[str, object]) -> bool:
        """Send a packet; False: the socket is full or not connected, try again when it is writable. Raises ``PacketFault`` if it is larger than the device takes."""
        data = encode(packet, FROM_LINK)
        if self._socket is None:
            return False
        try:
            self._socket.send(data)
        except BlockingIOError:
            return False
        except OSError as error:
            self.close()
            raise PeerGone("the device has closed the connection") from error
        return True

    def close(self) -> None:
        """Close the connection. Idempotent."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
