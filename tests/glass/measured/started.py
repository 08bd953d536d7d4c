"""Runs inside the emulated machine, where a test has written it, in a program's unit: starts that program, and says what processor time its first picture took.

Told by the program as to systemd (READY=1), which each of ours does when its first picture stands and its pins are open. The program is ended then.
"""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """Return the processor time of a process and all its threads, in it and in the kernel: exact to a tick, as the kernel scales it."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def started(command: list[str]) -> dict[str, float]:
    """Start a program, and return its processor time and the time gone by, s, once it is ready."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifications:
        notifications.bind("\0started")
        began = time.monotonic()
        with subprocess.Popen(command, env={**os.environ, "NOTIFY_SOCKET": "@started"}) as program:
            while b"READY=1" not in notifications.recv(4096).split(b"\n"):
                pass
            used, gone = cpu_s(program.pid), time.monotonic() - began
            program.kill()
    return {"cpu_s": used, "s": gone}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(started(sys.argv[1:])))
