"""The station as a program of its own: started, told apart from ready, ended or killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PATIENCE_S = 20.0
TILEKIOSK = (sys.executable, "-m", "kiosk.cli")
UNSET = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "NOTIFY_SOCKET", "WATCHDOG_USEC")


@contextmanager
def running(*arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Start ``tilekiosk`` and kill it at the end, if it has not ended by then."""
    env = {**{key: value for key, value in os.environ.items() if key not in UNSET}, **environment}
    command = [*TILEKIOSK, *arguments]
    # A session of its own: what it has started itself goes with it.
    process = subprocess.Popen(command, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@contextmanager
def ready(folder: Path, *arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Start ``tilekiosk run`` and wait until it says to systemd that it is ready."""
    name = folder / "notify"
    name.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(name))
        told.settimeout(PATIENCE_S)
        with running("run", *arguments, NOTIFY_SOCKET=str(name), **environment) as process:
            assert told.recv(100) == b"EXTEND_TIMEOUT_USEC=180000000"
            assert told.recv(100) == b"READY=1"
            yield process


def until(condition: Callable[[], bool], what: str = "") -> None:
    """Look until ``condition`` holds."""
    deadline, pause = time.monotonic() + PATIENCE_S, threading.Event()
    while not condition():
        assert time.monotonic() < deadline, what
        pause.wait(0.02)


def ended(process: Path) -> bool:
    """Tell whether the process with that folder in /proc has ended, whether or not somebody has asked how."""
    try:
        return "State:\tZ" in (process / "status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return True
