"""The sentinel: a process that sleeps until its parent program ends, and notes the instant.

Run as a script: it imports nothing of ours, to use little memory. Standard input is a pipe whose other end only the program holds: the kernel closes it when
the program ends, however it ends, and wakes the sentinel. Standard output is the crash record.

On a busy machine a woken process waits for a processor, often for tens of milliseconds. The kernel counts that wait (``/proc/self/schedstat``: ns run,
ns waited, turns) and our own run time; subtracting both from the time at which we notice gives the instant of waking.
"""

import contextlib
import os
import resource
import sys
import time

TIGHT_NS = 200_000
"""The clock and the kernel's counts belong together if read within this time, in ns."""
TRIES = 20


def _counts(schedstat: int | None) -> tuple[int, int, int, int, int]:
    """Return ns run, the instant, ns waited (0: not counted), and the number of voluntary context switches and of major page faults."""
    for _ in range(TRIES):
        ran, now = time.process_time_ns(), time.monotonic_ns()
        waited = 0 if schedstat is None else int(os.pread(schedstat, 100, 0).split()[1])
        if time.monotonic_ns() - now < TIGHT_NS:
            break
    used = resource.getrusage(resource.RUSAGE_SELF)
    return ran, now, waited, used.ru_nvcsw, used.ru_majflt


def _settle() -> None:
    """Settle on one processor: a process that has just worked may migrate while it sleeps, and some kernels (6.12 to 6.18) count that sleep as waiting."""
    with contextlib.suppress(OSError):  # systemd's filter forbids it; the sleeps below are enough in nearly all cases
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for _ in range(3):
        time.sleep(0.1)


def main(offset: int) -> None:
    """Wait; then write at ``offset`` the instants of the end (0: unknown) and of noticing it, in ns of CLOCK_MONOTONIC, and their complements."""
    try:
        schedstat = os.open("/proc/self/schedstat", os.O_RDONLY)
    except OSError:
        schedstat = None
    _settle()
    ran, _, waited, given_up, disk = _counts(schedstat)
    while os.read(0, 1):
        pass
    ran_then, noticed, waited_then, given_up_then, disk_then = _counts(schedstat)
    # Valid only for one sleep without uncounted waits; before the first turn the kernel has counted nothing.
    known = waited > 0 and given_up_then == given_up + 1 and disk_then == disk
    ended = noticed - (waited_then - waited) - (ran_then - ran) if known else 0
    full = (1 << 64) - 1
    os.pwrite(1, b"".join(word.to_bytes(8, "little") for word in (ended, noticed, ended ^ full, noticed ^ full)), offset)


if __name__ == "__main__":
    main(int(sys.argv[1]))
