"""Builds or verifies a lexicon in a process of its own: ``python -m tests.benchmarks.lexicon_at_work library|command|verify TEXT FILE``.

Prints, last, the ms and the CPU's ms it took, imports not counted, and the most memory the process ever had resident, in KiB. That is read from within:
what the kernel tells the parent (``ru_maxrss``) has the parent's own in it.
"""

import sys
import time
from pathlib import Path

from lexicon import Lexicon
from lexicon.alphabet import load_alphabet
from lexicon.build import Label, build_text
from lexicon.cli.main import main


def build_by_library(text: str, to: str) -> None:
    build_text(Path(text), Path(to), Label(load_alphabet("english"), "Benchmark"))


def build_by_command(text: str, to: str) -> None:
    main(["build", text, "-o", to, "--name", "Benchmark"], standalone_mode=False)


def verify(_: str, path: str) -> None:
    with Lexicon.open(path) as lexicon:
        lexicon.verify()


def peak() -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))


if __name__ == "__main__":
    way, text, path = sys.argv[1:]
    begun, begun_cpu = time.perf_counter_ns(), time.process_time_ns()
    {"library": build_by_library, "command": build_by_command, "verify": verify}[way](text, path)
    took, cpu = time.perf_counter_ns() - begun, time.process_time_ns() - begun_cpu
    sys.stdout.write(f"\n{took // 1_000_000} {cpu // 1_000_000} {peak()}\n")
