import gc
import os
import socket
import time
import tracemalloc
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.processes import until
from tests.wire.local.served import Device, greet, packets
from wire.local.client import DeviceClient, PeerGone
from wire.local.server import MAX_A_SECOND, SILENT_NS, DeviceServer, Peer, Slots
from wire.reports import OpenCall

pytestmark = pytest.mark.waits(5)

OURS = frozenset({os.getuid()})
S = 1_000_000_000


def _pair() -> tuple[socket.socket, socket.socket]:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    theirs.setblocking(False)
    return ours, theirs


def _stuff(link: socket.socket, data: bytes) -> int:
    count = 0
    with suppress(BlockingIOError):
        while True:
            link.send(data)
            count += 1
    return count


def test_fifty_packets_a_second_are_read_and_the_rest_stays_in_the_kernel() -> None:
    ours, link = _pair()
    device = Device()
    with closing(Peer(ours, device, Slots(), device.link, 0)) as peer, closing(link):
        link.send(b'{"t": "hello", "v": 1}')
        assert _stuff(link, b'{"t": "in", "topic": "order", "payload": "", "retained": false}') > 2 * MAX_A_SECOND
        peer.read(0)
        assert len(device.taken) == MAX_A_SECOND - 1
        assert not peer.may_read(S - 1)
        assert peer.due(S // 2) == S
        peer.read(S // 2)
        assert len(device.taken) == MAX_A_SECOND - 1
        peer.read(S)
        assert len(device.taken) == 2 * MAX_A_SECOND - 1


def test_a_link_that_reads_nothing_leaves_one_packet_behind() -> None:
    ours, link = _pair()
    device, slots = Device(last=10**9, fat=500), Slots()
    with closing(Peer(ours, device, slots, device.link, 0)) as peer, closing(link):
        link.send(b'{"t": "hello", "v": 1}')
        for second in range(200):
            with suppress(BlockingIOError):
                link.send(b'{"t": "rows", "after": 0, "limit": 100}')
            slots.put("call", OpenCall(since=second, boot="b", table=None))
            peer.read(second * S)
            peer.write()
        assert peer.wants_write
        values = [link.recv(1 << 17)]
        peer.write()
        with suppress(BlockingIOError):
            while True:
                values.append(link.recv(1 << 17))
                peer.write()
        # Once it reads again, the value is the latest one.
        assert b'"since":199' in [value for value in values if b'"set"' in value][-1]
        link.close()
        slots.put("call", OpenCall(since=200, boot="b", table=None))
        with pytest.raises(PeerGone):
            peer.write()


def test_a_silent_link_is_down_after_15_s() -> None:
    ours, link = _pair()
    device = Device()
    with closing(Peer(ours, device, Slots(), device.link, 0)) as peer, closing(link):
        link.send(b'{"t": "hello", "v": 1}')
        link.send(b'{"t": "link", "state": "up", "why": ""}')
        peer.read(5)
        peer.tick(5 + SILENT_NS - 1)
        assert [state.up for state in device.states] == [True]
        peer.tick(5 + SILENT_NS)
        assert [state.up for state in device.states] == [True, False]


@pytest.mark.parametrize("garbage", [b"\x00\xff" * 2000, b'{"t": "in", "topic": "order", "payload": "x", "retained": false}'])
def test_a_flood_is_held_back_and_costs_no_memory(tmp_path: Path, garbage: bytes) -> None:
    device = Device()
    with closing(DeviceServer(tmp_path / "hall.sock", device, OURS)):
        client = DeviceClient(tmp_path / "hall.sock")
        greet(client)
        raw = client.fileno()
        tracemalloc.start()
        try:
            _flood_for(raw, garbage, 0.5)
            device.taken.clear()
            gc.collect()
            before, _ = tracemalloc.get_traced_memory()
            sent = _flood_for(raw, garbage, 1)
            device.taken.clear()
            gc.collect()
            after, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        # The kernel's buffer holds the rest back: a sender that would send as fast as it can gets through 50 a second.
        assert sent <= 3 * MAX_A_SECOND + 200
        assert after - before < 100_000
        client.close()


def _flood_for(link: int, data: bytes, seconds: float) -> int:
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        try:
            os.write(link, data)
            count += 1
        except BlockingIOError:
            with suppress(BlockingIOError):
                os.read(link, 1 << 17)
            time.sleep(0.0005)
    return count


def test_a_link_that_connects_again_and_again_is_taken_once_a_second(tmp_path: Path) -> None:
    device = Device()
    path = tmp_path / "hall.sock"
    with closing(DeviceServer(path, device, OURS)):
        until(path.exists, "the socket")
        began, greeted = time.monotonic(), 0
        while greeted < 3:
            client = DeviceClient(path)
            until(client.connect, "a connection")
            packets(client, "hello")
            greeted += 1
            client.close()
        assert time.monotonic() - began >= 2
