import itertools
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from records.journal import Kind, reading, verify
from tests import processes
from tests.firmware.shell.rig import rows_in
from tests.wire.local.served import connected

PRESSES = 12
A_SECOND = 10_000
"""Messages of a flood."""
HELLO = b'{"t": "hello", "v": 1, "version": "1"}'
GARBAGE = b"\x00\xff{" * 1300
ORDER = b'{"t": "in", "topic": "order", "payload": "{\\"v\\": 1, \\"body\\": \\"{\\", \\"signature\\": \\"\\"}", "retained": false}'
ROWS = b'{"t": "rows", "after": 0, "limit": 100}'
BEAT = b'{"t": "beat"}'
UP, DOWN = (b'{"t": "link", "state": "%s", "why": ""}' % state for state in (b"up", b"down"))


def _send(path: Path, over: threading.Event, packets: Iterator[bytes], *, reads: bool) -> int:
    """Try to send ``A_SECOND`` packets a second, as long as the clock is there; return how many were tried."""
    link = connected(path)
    link.setblocking(False)
    tried = 0
    with link, suppress(ConnectionError, BrokenPipeError):
        link.send(HELLO)
        while not over.wait(0.01):
            for packet in itertools.islice(packets, A_SECOND // 100):
                tried += 1
                with suppress(BlockingIOError):
                    link.send(packet)
            with suppress(BlockingIOError):
                while reads:
                    link.recv(1 << 17)
    return tried


def garbage_and_orders(path: Path, over: threading.Event) -> int:
    return _send(path, over, itertools.cycle((GARBAGE, ORDER, UP, DOWN, BEAT)), reads=True)


def asking_and_never_reading(path: Path, over: threading.Event) -> int:
    return _send(path, over, itertools.cycle((ROWS, BEAT, UP)), reads=False)


def coming_and_going(path: Path, over: threading.Event) -> int:
    tried = 0
    while not over.wait(0.01):
        tried += 1
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET | socket.SOCK_NONBLOCK) as link, suppress(OSError):
            link.connect(str(path))
            for packet in (HELLO, UP, ROWS):
                link.send(packet)
            over.wait(0.05)
    return tried


@pytest.mark.parametrize("link", [garbage_and_orders, asking_and_never_reading, coming_and_going])
@pytest.mark.waits(7)
def test_no_press_picture_or_memory_is_lost(tmp_path: Path, link: Callable[[Path, threading.Event], int]) -> None:
    journal, path, over = tmp_path / "journal.db", tmp_path / "hall.sock", threading.Event()
    tried: list[int] = []
    command = (sys.executable, "-m", "tests.benchmarks.pressing", str(PRESSES), str(journal), "short", str(path))
    with processes.running(command, SDL_VIDEODRIVER="dummy") as clock:
        processes.until(path.exists, "the socket")
        attack = threading.Thread(target=lambda: tried.append(link(path, over)), daemon=True)
        attack.start()
        resident = _watched(clock)
        over.set()
        output, errors = clock.communicate(timeout=processes.PATIENCE_S)
        attack.join(processes.PATIENCE_S)
    assert (clock.returncode, errors) == (0, "")
    found = json.loads(output.splitlines()[-1])
    # Every press has its picture, and is charged to the nanosecond.
    assert (len(found["delays"]), found["off_ns"]) == (PRESSES, 0)
    events = [stored for stored in rows_in(journal) if stored.row.kind == Kind.EVENT]
    assert len(events) == PRESSES + 1
    with reading(journal) as connection:
        assert verify(connection).fault is None
    assert tried[0] > PRESSES
    quarter = len(resident) // 4
    assert max(resident[-quarter:]) - max(resident[quarter : 2 * quarter]) < 4096, resident


def _watched(clock: subprocess.Popen[str]) -> list[int]:
    """Return the clock's memory (KiB) from now on until its last press, ten times a second."""
    resident = []
    # A finished process has no memory to read.
    with suppress(OSError, IndexError):
        while clock.poll() is None:
            status = Path(f"/proc/{clock.pid}/status").read_text(encoding="ascii")
            resident.append(int(status.partition("VmRSS:")[2].split()[0]))
            time.sleep(0.1)
    return resident
