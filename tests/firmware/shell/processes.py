"""The clock as a program of its own, its journal looked into meanwhile."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from subprocess import Popen

from appliance.errors import RecordError
from game.exact_json import decode
from records.journal import Kind
from tests import processes
from tests.firmware.shell.rig import PATIENCE_S, rows_in

TILECLOCK = (str(Path(sys.executable).with_name("tileclock")),)
running = partial(processes.running, TILECLOCK)
ready = partial(processes.ready, (*TILECLOCK, "run", "--pins", "mock", "--screen", "none"))


@contextmanager
def notified(folder: Path, *options: str, **environment: str) -> Iterator[tuple[socket.socket, Popen[str]]]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(folder / "notify"))
        systemd.settimeout(PATIENCE_S)
        words = ("run", "--journal", str(folder / "journal.db"), *options)
        with running(*words, NOTIFY_SOCKET=str(folder / "notify"), **environment) as clock:
            yield systemd, clock


def said_in(path: Path) -> list[str]:
    try:
        bodies = [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.EVENT]
    except RecordError:
        return []
    return [" ".join(str(body[key]) for key in ("do", "side", "reason") if key in body) for body in bodies]
