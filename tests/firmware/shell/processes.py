"""The clock as a program of its own: started, told apart from ready, ended or killed, its journal looked into meanwhile."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from firmware.journal.body import decode
from firmware.journal.errors import JournalError
from firmware.journal.row import Kind
from tests.firmware.shell.rig import PATIENCE_S, rows_in

TILECLOCK = Path(sys.executable).with_name("tileclock")


@contextmanager
def running(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Start ``tileclock`` and kill it at the end, if it has not ended by then."""
    env = {
        **{key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")},
        **environment,
    }
    process = subprocess.Popen([str(TILECLOCK), *arguments], env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def ready(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start ``tileclock run`` and wait until it says to systemd that it is ready."""
    name = folder / "notify"
    name.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(name))
        told.settimeout(PATIENCE_S)
        with running("run", "--pins", "mock", "--screen", "none", *arguments, NOTIFY_SOCKET=str(name)) as process:
            assert told.recv(100) == b"READY=1"
            yield process


def said_in(path: Path) -> list[str]:
    """Return what the journal's events say: name, side and reason."""
    try:
        bodies = [decode(kept.row.body) for kept in rows_in(path) if kept.row.kind == Kind.EVENT]
    except JournalError:
        return []
    return [" ".join(str(body[key]) for key in ("do", "side", "reason") if key in body) for body in bodies]


def until(condition: Callable[[], bool]) -> None:
    """Look until ``condition`` holds."""
    deadline, pause = time.monotonic() + PATIENCE_S, threading.Event()
    while not condition():
        assert time.monotonic() < deadline
        pause.wait(0.02)
