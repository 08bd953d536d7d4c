"""Runs inside the emulated machine: does what it is asked over the serial line, each in a process of its own."""

import json
import subprocess
import sys
import tty

from tests.kernel.inside.framed import Said, serve


def answer(asked: Said) -> Said:
    """Return what the scenario said, or how it failed."""
    if asked["do"] == "end":
        return {"end": True}
    command = [sys.executable, "-m", "tests.kernel.inside.scenarios", json.dumps(asked)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return {"failed": done.stderr[-6000:]}
    said: Said = json.loads(done.stdout.splitlines()[-1])
    return said


if __name__ == "__main__":
    with open("/dev/ttyS1", "r+b", buffering=0) as raw:  # noqa: PTH123 - a device
        tty.setraw(raw.fileno())
        serve(raw.fileno(), answer)
