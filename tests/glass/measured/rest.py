"""Runs inside the emulated machine by Debian's Python alone, where a test has written it: what the machine does in some seconds in which nothing happens, and what of it a program does.

Answers with one line of JSON. Arguments: the seconds, and the program's unit, which need not run.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

TRACING = Path("/sys/kernel/tracing")
PICTURES = TRACING / "events/virtio_gpu/virtio_gpu_cmd_queue/enable"
"""Whatever is drawn on the panel becomes commands to it."""


class Counts(NamedTuple):
    program_s: float
    wakes: int
    """How often they have slept and been woken."""
    idle_s: float
    """In which the machine had nothing to do."""
    switches: int


def counts(pid: int) -> Counts:
    tasks = list(Path(f"/proc/{pid}/task").iterdir()) if pid else []
    used = sum(int((task / "schedstat").read_text(encoding="utf-8").split()[0]) for task in tasks)
    status = "\n".join((task / "status").read_text(encoding="utf-8") for task in tasks)
    wakes = sum(int(line.split()[1]) for line in status.splitlines() if line.startswith("voluntary_ctxt_switches:"))
    machine = {name: numbers for name, *numbers in map(str.split, Path("/proc/stat").read_text(encoding="utf-8").splitlines())}
    idle, waiting = machine["cpu"][3:5]
    return Counts(used / 1e9, wakes, (int(idle) + int(waiting)) / os.sysconf("SC_CLK_TCK"), int(machine["ctxt"][0]))


def rest(seconds: float, pid: int) -> dict[str, float]:
    """Return what was counted while this program slept: it takes some milliseconds of it itself."""
    (TRACING / "trace").write_text("", encoding="utf-8")
    PICTURES.write_text("1", encoding="utf-8")
    before, began = counts(pid)._asdict(), time.monotonic()
    time.sleep(seconds)
    after, gone = counts(pid)._asdict(), time.monotonic() - began
    PICTURES.write_text("0", encoding="utf-8")
    drawn = sum("virtio_gpu_cmd_queue" in line for line in (TRACING / "trace").read_text(encoding="utf-8").splitlines())
    return {name: after[name] - before[name] for name in before} | {"s": gone, "drawn": drawn}


if __name__ == "__main__":
    main = ["systemctl", "show", "--property=MainPID", "--value", sys.argv[2]]
    sys.stdout.write(json.dumps(rest(float(sys.argv[1]), int(subprocess.run(main, check=True, capture_output=True).stdout))))
