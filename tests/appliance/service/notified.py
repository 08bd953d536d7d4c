"""A program that is run as systemd runs it: it tells when it is ready, and what is to be done with it is done then."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE_S = 30
"""A start may take so long on a busy machine."""


@contextmanager
def notified(program: str, machine: Path) -> Iterator[subprocess.Popen[str]]:
    """Give ``program`` (Python, told the folder and ``run``) once it is ready; its state is kept in ``machine``. It is killed afterwards if it still runs."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(machine / "notify"))
        told.settimeout(PATIENCE_S)
        environment = {**os.environ, "NOTIFY_SOCKET": str(machine / "notify"), "STATE_DIRECTORY": str(machine / "state")}
        command = [sys.executable, "-c", program, str(machine), "run"]
        with subprocess.Popen(command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                while told.recv(100) != b"READY=1":
                    pass
                yield process
            finally:
                process.kill()
