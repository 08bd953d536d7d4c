"""Runs inside the emulated machine: does what it is asked over the serial line, each in a process of its own, and answers with one line of JSON."""

import json
import subprocess
import sys
import tty
from typing import BinaryIO


def answer(asked: str) -> str:
    """Return what the scenario said, or how it failed, as JSON."""
    done = subprocess.run([sys.executable, "-m", "tests.kernel.inside.scenarios", asked], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return json.dumps({"failed": done.stderr[-6000:]})
    return done.stdout.splitlines()[-1]


def serve(port: BinaryIO) -> None:
    """Answer until there is an empty line."""
    port.write(b"ready\n")
    while (asked := port.readline().decode().strip()) != "":
        port.write(answer(asked).encode() + b"\n")


if __name__ == "__main__":
    with open("/dev/ttyS1", "r+b", buffering=0) as raw:  # noqa: PTH123 - a device
        tty.setraw(raw.fileno())
        serve(raw)
