"""The sentinel: a process that sleeps until its parent program ends, and notes the instant.

Run as a script: it imports nothing of ours, to use little memory. Standard input is a pipe whose other end only the program holds: the kernel closes it when
the program ends, however it ends, and wakes the sentinel. Standard output is the crash record.

On a busy machine a woken process waits for a processor, often for tens of milliseconds. The kernel counts that wait (``/proc/self/schedstat``: ns run,
ns waited, turns) and our own run time; subtracting both from the time at which we notice gives the instant of waking.

The counts to subtract from are read by a second thread while the first sleeps in the pipe. Reading them before would count a wait between the reading
and the sleep as one after it: once in 500 kills on a busy machine, by 20 ms.
"""

import _thread
import contextlib
import os
import resource
import sys
import time

TIGHT_NS = 200_000
"""The clock and the kernel's counts belong together if read within this time, in ns."""
TRIES = 20
LOOKS_EVERY_S = 0.1


Counts = tuple[int, int, int, int]
"""What the kernel counts of a thread: ns on a processor, ns of waiting for one (0: not counted), voluntary context switches, major page faults."""


def _own_counts() -> tuple[Counts, int]:
    """Return this thread's counts, and the instant (ns of CLOCK_MONOTONIC) that they belong to."""
    for _ in range(TRIES):
        ran, now = time.thread_time_ns(), time.monotonic_ns()
        waited = _waited("/proc/thread-self/schedstat")[1]
        if time.monotonic_ns() - now < TIGHT_NS:
            break
    used = resource.getrusage(resource.RUSAGE_THREAD)
    return (ran, waited, used.ru_nvcsw, used.ru_majflt), now


def _waited(schedstat: str) -> tuple[int, int]:
    """Return the ns that a thread has run and waited; zeros where the kernel does not count them."""
    try:
        with open(schedstat, "rb", 0) as file:  # noqa: PTH123 - pathlib would double the memory
            ran, waited, _ = file.read().split()
    except OSError:
        return 0, 0
    return int(ran), int(waited)


def _counts_asleep(task: str) -> Counts | None:
    """Return the counts of the thread whose folder in ``/proc`` is ``task``; None: it does not sleep."""
    with open(f"{task}/stat", "rb", 0) as file:  # noqa: PTH123 - as above
        fields = file.read().rpartition(b")")[2].split()
    with open(f"{task}/status", "rb", 0) as file:  # noqa: PTH123 - as above
        status = file.read()
    slept = int(status.partition(b"\nvoluntary_ctxt_switches:")[2].split()[0])
    return (*_waited(f"{task}/schedstat"), slept, int(fields[9])) if fields[0] == b"S" else None


def _look(task: str, found: list[Counts]) -> None:
    last = None
    while not found:
        time.sleep(LOOKS_EVERY_S)
        counts = _counts_asleep(task)
        if counts is not None and counts == last:
            found.append(counts)
        last = counts


def _settle() -> None:
    """Settle on one processor: a process that has just worked may migrate while it sleeps, and some kernels (6.12 to 6.18) count that sleep as waiting."""
    with contextlib.suppress(OSError):  # systemd's filter forbids it; the sleeps below are enough in nearly all cases
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    for _ in range(3):
        time.sleep(0.1)


def main(offset: int) -> None:
    """Wait; then write at ``offset`` the instants of the end (0: unknown) and of noticing it, in ns of CLOCK_MONOTONIC, and their complements."""
    _settle()
    asleep: list[Counts] = []
    _thread.start_new_thread(_look, (f"/proc/self/task/{_thread.get_native_id()}", asleep))
    while os.read(0, 1):
        pass
    then, noticed = _own_counts()
    ended = 0
    if asleep:
        ran, waited, slept, disk = asleep[0]
        ran_then, waited_then, slept_then, disk_then = then
        # Valid only for one sleep without uncounted waits; before the first turn the kernel has counted nothing.
        if waited > 0 and (slept_then, disk_then) == (slept, disk):
            ended = noticed - (waited_then - waited) - (ran_then - ran)
    full = (1 << 64) - 1
    os.pwrite(1, b"".join(word.to_bytes(8, "little") for word in (ended, noticed, ended ^ full, noticed ^ full)), offset)


if __name__ == "__main__":
    main(int(sys.argv[1]))
