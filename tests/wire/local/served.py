"""A device for the tests of the local socket: it remembers what it was asked and told."""

import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.processes import until
from wire.local.client import DeviceClient, Packet, PeerGone
from wire.local.recorded import RecordedDevice
from wire.reports import LinkState, RowBatch, WireRow

HASH = "ab" * 32


@dataclass
class Device(RecordedDevice):
    """Rows 1 to ``last``; everything heard is kept."""

    last: int = 0
    fat: int = 0
    """Bytes of each row."""
    taken: list[tuple[str, str, bool]] = field(default_factory=list)
    reported: list[Mapping[str, object]] = field(default_factory=list)
    states: list[LinkState] = field(default_factory=list)
    beats: int = 0
    threads: set[str] = field(default_factory=set)

    def hello(self) -> dict[str, object]:
        return {"kind": "clock", "id": "c-mzuhvlpymk6xo3ep", "key": "k", "boot": "b", "name": "", "version": "1"}

    def rows(self, after: int, limit: int) -> RowBatch | None:
        self.threads.add(threading.current_thread().name)
        last = min(self.last, after + limit)
        if last <= after:
            return None
        rows: list[WireRow] = [(HASH, [seq, "x" * self.fat]) for seq in range(after + 1, last + 1)]
        return RowBatch(epoch="0011223344556677", first=after + 1, last=last, previous=HASH, rows=rows)

    def new_rows(self) -> None:
        pass

    def beat(self) -> dict[str, object]:
        self.beats += 1
        return {"nonce": f"{self.beats:032x}"}

    def receive(self, topic: str, payload: str, *, retained: bool) -> None:
        self.taken.append((topic, payload, retained))

    def heard(self, packet: Mapping[str, object]) -> None:
        self.reported.append(packet)

    def link(self, state: LinkState) -> None:
        self.states.append(state)


def packets(client: DeviceClient, kind: str, count: int = 1) -> list[Packet]:
    found: list[Packet] = []

    def come() -> bool:
        found.extend(packet for packet in client.read() if packet["t"] == kind)
        return len(found) >= count

    until(come, f"{count} packets {kind}")
    return found


def connected(path: Path) -> socket.socket:
    """Return a connection to the device, for packets that no client sends."""
    raw = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    until(lambda: raw.connect_ex(str(path)) == 0, "the socket")
    return raw


def greet(client: DeviceClient) -> Packet:
    until(client.connect, "a connection")
    (hello,) = packets(client, "hello")
    assert hello["v"] == 1
    assert client.write({"t": "hello", "v": 1, "version": "1"})
    return hello


def is_gone(client: DeviceClient) -> bool:
    with suppress(PeerGone):
        client.read()
        return False
    return True
