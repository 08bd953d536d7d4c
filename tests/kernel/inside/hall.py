"""A hall inside the emulated machine: a real mosquitto with TLS, the clock's link and a listener, all beside the clock on the same two processors."""

import contextlib
import fcntl
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.trial_broker import CompleteHall, complete_hall, running_broker

PARTS: Final = Path(__file__).parents[3]
FOLDER: Final = Path("/tmp/hall")  # noqa: S108 - the machine inside has nobody else in it
ARRIVES_S: Final = 120
_SET_FLAGS: Final = 0x8914
_UP: Final = 0x41
"""SIOCSIFFLAGS, and IFF_UP with IFF_RUNNING, of linux/sockios.h and linux/if.h: there is no ``ip`` in here."""


class RunningHall:
    """The hall of one clock.

    Args:
        socket: where the clock serves its link.
    """

    def __init__(self, made: CompleteHall, socket: Path) -> None:
        (clock,) = made.clocks
        self.settings = f'[hall]\nenabled = true\ntable = 12\nsocket = "{socket}"\ntrust = "{clock.trust}"\nkey = "{clock.key}"\n'
        """The clock's."""
        self._store = FOLDER / "hall.db"

    def has(self, journal: Path) -> int:
        """Wait until the listener has each row that the journal has now; return how many."""
        (rows,) = _asked(journal, "SELECT max(seq) FROM rows")
        until = time.monotonic() + ARRIVES_S
        while not self._store.exists() or _asked(self._store, "SELECT count(*) FROM rows") != (rows,):
            if time.monotonic() > until:
                raise TimeoutError(_asked(self._store, "SELECT count(*), max(seq) FROM rows"))
            time.sleep(0.1)
        return int(rows)

    def compared(self, journal: Path) -> tuple[int, str]:
        """Return exit code and words of ``tilehall verify`` for the journal."""
        done = subprocess.run(
            [*_tilehall("verify"), "--store", str(self._store), str(journal)], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr


@contextlib.contextmanager
def running_hall(socket: Path) -> Iterator[RunningHall]:
    """Start broker, link and listener for the clock that serves ``socket``."""
    _loopback_up()
    shutil.rmtree(FOLDER, ignore_errors=True)
    made = complete_hall(FOLDER, clocks=1, stations=0)
    with contextlib.ExitStack() as stack:
        broker = stack.enter_context(running_broker(FOLDER / "broker", made.plan))
        where = ("--host", broker.host, "--port", str(broker.port))
        listener, link = made.listener.key.parent, made.clocks[0].identity.key.parent
        for words in (
            ("listen", "--folder", str(listener), "--store", str(FOLDER / "hall.db"), "--http", "0"),
            ("link", "--folder", str(link), "--socket", str(socket)),
        ):
            process = stack.enter_context(subprocess.Popen([*_tilehall(*words), *where], stderr=subprocess.DEVNULL))
            stack.callback(process.kill)
        yield RunningHall(made, socket)


def _tilehall(*words: str) -> list[str]:
    return [sys.executable, f"{PARTS}/bin/tilehall", *words]


def _asked(file: Path, query: str) -> tuple[int, ...]:
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as opened:
        found: tuple[int, ...] = opened.execute(query).fetchone()
        return found


def _loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
