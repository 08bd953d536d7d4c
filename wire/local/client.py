"""The link's end of the local socket, and its packets: one is a JSON object with the key ``t``. Standard library only: the link uses it."""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from appliance.version import VERSION as VERSION_OF_PROGRAM
from wire.topics import VERSION

Packet: TypeAlias = dict[str, Any]
FROM_LINK: Final = 8_192
TO_LINK: Final = 131_072


class PacketFault(Exception):
    """A packet that is too large, or no JSON object with ``t``; the message follows "found"."""


class PeerGone(Exception):
    """The other side has closed the connection, or speaks another version."""


def encode(packet: Mapping[str, object], most: int) -> bytes:
    data = json.dumps(packet, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")
    if len(data) > most:
        raise PacketFault(f"{len(data)} bytes, more than {most}")
    return data


def decode(data: bytes) -> Packet:
    try:
        packet = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise PacketFault("no JSON") from error
    if not isinstance(packet, dict) or not isinstance(packet.get("t"), str):
        raise PacketFault("no object with the key t")
    return packet


class DeviceClient:
    """A connection to the device's program, by its socket's path; nothing here blocks.

    Methods raise ``PeerGone`` once the device has ended the connection: connect again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None

    def fileno(self) -> int:
        return -1 if self._socket is None else self._socket.fileno()

    def connect(self) -> bool:
        if self._socket is not None:
            return True
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
            # So that a busy device does not keep the link from its broker.
            while len(packets) < 50:
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
        if self._socket is not None:
            self._socket.close()
            self._socket = None


_S: Final = 1_000_000_000
CONNECT_EVERY_NS: Final = _S
_NOT_RUNNING: Final = "The device's program does not run."


class DeviceEnd(DeviceClient):
    """The link's connection to one device, by the id in its certificate. Instants in ns of CLOCK_MONOTONIC."""

    def __init__(self, device: str, path: Path) -> None:
        super().__init__(path)
        self._device = device
        self.greeted = False
        """The program has said which device it is, and knows the link."""
        self.why = _NOT_RUNNING
        self.due = 0
        self.full_until = 0

    def packets(self, now: int, ready: frozenset[int]) -> Iterator[Packet]:
        """Connect and greet if necessary; yield what the program says after that. On ``PeerGone`` or ``PacketFault`` call ``lost``."""
        if self.fileno() < 0:
            if now < self.due:
                return
            self.due = now + CONNECT_EVERY_NS
            if not self.connect():
                return
        elif self.fileno() not in ready and self.greeted:
            return
        for packet in self.read():
            if self.greeted:
                yield packet
            else:
                self._greet(packet)
        self.due = now + CONNECT_EVERY_NS

    def _greet(self, packet: Mapping[str, Any]) -> None:
        if packet["t"] != "hello" or packet.get("v") != VERSION:
            raise PeerGone(f"Expected a device of version {VERSION}, found {packet.get('v')!r}: install the same release of both packages.")
        if packet.get("id") != self._device:
            raise PeerGone(f"Expected the device {self._device} of the certificate, found {packet.get('id')!r}: enrol this device.")
        self.greeted = True
        self.write({"t": "hello", "v": VERSION, "version": VERSION_OF_PROGRAM})

    def send(self, packet: Mapping[str, Any], now: int) -> bool:
        """Send a packet; False: the socket is full until ``full_until``. Raises ``PeerGone``."""
        done = self.write(packet)
        if not done:
            self.full_until = now + _S // 10
        return done

    def offer(self, packet: Mapping[str, Any]) -> bool:
        """Send a packet; False: the socket has no room for it, or it is too large, and it is lost. Raises ``PeerGone``."""
        try:
            return self.write(packet)
        except PacketFault:
            return False

    def lost(self, fault: PeerGone | PacketFault, now: int) -> None:
        if isinstance(fault, PacketFault):
            self.why = f"The device's program sends something other than packets: {fault}."
        else:
            # A sentence of ours, or only that it is gone.
            self.why = str(fault) if str(fault).endswith(".") else _NOT_RUNNING
        self.close()
        self.greeted, self.full_until, self.due = False, 0, now + CONNECT_EVERY_NS
