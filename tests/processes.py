"""Our programs as processes of their own: started, waited for until systemd would hear that they are ready, killed at the end."""

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 60.0
"""How long anything may take on a busy machine."""
_UNSET = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "NOTIFY_SOCKET", "WATCHDOG_USEC")


@contextmanager
def running(command: Sequence[str], *arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Start a program, and kill it with all that it has started if it has not ended at the end; ``environment`` is beside the test's own without display and systemd."""
    env = {**{key: value for key, value in os.environ.items() if key not in _UNSET}, **environment}
    words = [*command, *arguments]
    process = subprocess.Popen(words, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        yield process
    finally:
        # After a kill by the test, what it has started still has work to do: the clock's sentinel notes the instant.
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@contextmanager
def ready(command: Sequence[str], folder: Path, *arguments: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Start a program as a service, and wait until it says that it is ready, to a socket in ``folder``."""
    name = folder / "notify"
    name.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifications:
        notifications.bind(str(name))
        notifications.settimeout(PATIENCE_S)
        with running(command, *arguments, NOTIFY_SOCKET=str(name), **environment) as process:
            while notifications.recv(1000) != b"READY=1":
                pass
            yield process


def until(condition: Callable[[], bool], what: str = "", patience_s: float = PATIENCE_S) -> None:
    begun, pause = time.monotonic(), threading.Event()
    while not condition():
        waited = time.monotonic() - begun
        assert waited < patience_s, what
        # The longer it takes, the rarer the looks: they must not take the processor from what they wait for.
        pause.wait(min(0.02 + waited / 20, 0.25))


def ended(process: Path) -> bool:
    """Tell whether the process with that folder in /proc has ended, whether or not somebody has asked how."""
    try:
        return "State:\tZ" in (process / "status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return True
