"""A process that hosts some tables: one loop over all their players, clocks and links.

It samples their readings once a second into flat arrays: a million of them fit in memory and are quick to compare.
"""

from __future__ import annotations

import contextlib
import gc
import heapq
import select
import time
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from appliance.process import raise_file_limit
from rules.duration import NS
from rules.side import BySide
from tools.simulate.plan import SAMPLES_A_SECOND, Schedule, TablePlan
from tools.simulate.table import NEVER, SimulatedTable

UNKNOWN: Final = -(1 << 63)
"""No reading: the clock was not known, or stale."""


class Samples:
    """The remaining ns of both sides, for each of some tables and each second."""

    def __init__(self, tables: range, seconds: int) -> None:
        self.tables, self.seconds = tables, seconds
        self._values = array("q", [UNKNOWN]) * (len(tables) * seconds * 2)

    def put(self, table: int, second: int, left: int, right: int) -> None:
        """Keep a reading."""
        place = self._place(table, second)
        self._values[place], self._values[place + 1] = left, right

    def at(self, table: int, second: int) -> BySide[int]:
        """Return a reading."""
        place = self._place(table, second)
        return BySide(self._values[place], self._values[place + 1])

    def write(self, path: Path) -> None:
        """Write them to a file."""
        with path.open("wb") as file:
            self._values.tofile(file)

    @classmethod
    def read(cls, path: Path, tables: range, seconds: int) -> Samples:
        """Read them again."""
        samples = cls(tables, seconds)
        samples._values = array("q")
        with path.open("rb") as file:
            samples._values.fromfile(file, path.stat().st_size // samples._values.itemsize)
        return samples

    def _place(self, table: int, second: int) -> int:
        return ((table - self.tables.start) * self.seconds + second) * 2


def apart(true: Samples, seen: Samples, left_out: range) -> Iterator[int]:
    """Yield how far ``seen`` is from ``true``, the worse of both sides, in ns.

    Args:
        true: of some tables.
        seen: of all tables.
        left_out: seconds that do not count.
    """
    for table in true.tables:
        for second in range(true.seconds):
            if second in left_out:
                continue
            own, remote = true.at(table, second), seen.at(table, second)
            if UNKNOWN not in (own.left, own.right, remote.left, remote.right):
                yield max(abs(own.left - remote.left), abs(own.right - remote.right))


_MS: Final = 1_000_000
_LONGEST_NS: Final = NS // 2


class Linked(Struct, frozen=True):
    """All links of this process are up."""


class Played(Struct, frozen=True):
    """The players have stopped, and the journals are complete."""

    presses: int
    complete: bool
    """Everything is on the disk."""


class DirectorComes(Struct, frozen=True):
    """To the tables of a trial: somebody goes to their calls, or does not after all."""

    devices: frozenset[str]
    comes: bool


class EndProcess(Struct, frozen=True):
    """To a process: end."""


def host(plans: Sequence[TablePlan], samples: Path, seed: int, pipe: Any) -> None:
    """Host the tables of ``plans`` until ``EndProcess`` comes; write their own readings to ``samples``."""
    raise_file_limit()
    _Worker(plans, samples, seed, pipe).run()


class _Worker:
    def __init__(self, plans: Sequence[TablePlan], samples: Path, seed: int, pipe: Pipe) -> None:
        self._pipe = pipe
        self._samples_file = samples
        self._poll = select.epoll()
        self._poll.register(pipe.fileno(), select.EPOLLIN)
        self._watched: dict[int, dict[int, bool]] = defaultdict(dict)
        """For each table the descriptors it waits for, and whether for writing too."""
        self._owner: dict[int, int] = {}
        self._tables = [SimulatedTable(plan, time.monotonic_ns(), seed) for plan in plans]
        self._groups = [
            [table for table in self._tables if table.plan.number % SAMPLES_A_SECOND == group] for group in range(SAMPLES_A_SECOND)
        ]
        self._due: list[tuple[int, int]] = [(0, place) for place in range(len(plans))]
        self._next = [0] * len(plans)
        self._schedule: Schedule | None = None
        self._samples: Samples | None = None
        self._sampled = 0
        self._linked = self._played = self._over = False

    def run(self) -> None:
        while not self._over:
            self._step(self._wait())
            self._report()
        for table in self._tables:
            table.close()

    def _wait(self) -> dict[int, set[int]]:
        now = time.monotonic_ns()
        due = min(self._due[0][0], self._sample_due(), now + _LONGEST_NS)
        ready: dict[int, set[int]] = defaultdict(set)
        for descriptor, _ in self._poll.poll(max(0, (due - now) / NS)):
            if descriptor in self._owner:
                ready[self._owner[descriptor]].add(descriptor)
        if self._pipe.poll():
            self._receive(self._pipe.recv())
        return ready

    def _receive(self, message: object) -> None:
        if isinstance(message, EndProcess):
            self._over = True
        elif isinstance(message, DirectorComes):
            for table in self._tables:
                if table.plan.link.device in message.devices:
                    table.director_comes(time.monotonic_ns(), comes=message.comes)
        elif isinstance(message, Schedule):
            self._schedule = message
            # A full collection looks at what all tables of this process hold, for 0.2 s. A clock holds one.
            gc.collect()
            gc.freeze()
            numbers = [table.plan.number for table in self._tables]
            self._samples = Samples(range(numbers[0], numbers[-1] + 1), message.seconds)
            for place, table in enumerate(self._tables):
                table.play(message)
                self._push(place, 0)

    def _step(self, ready: dict[int, set[int]]) -> None:
        now = time.monotonic_ns()
        places = set(ready)
        while self._due[0][0] <= now:
            due, place = heapq.heappop(self._due)
            if due == self._next[place]:
                places.add(place)
                self._push(place, now + _LONGEST_NS)
        for place in places:
            now = time.monotonic_ns()
            self._push(place, self._tables[place].step(now, frozenset(ready.get(place, ()))))
            self._watch(place)
        self._take_samples()

    def _push(self, place: int, due: int) -> None:
        self._next[place] = due
        heapq.heappush(self._due, (due, place))

    def _watch(self, place: int) -> None:
        """Wait for what the table's link waits for now."""
        watched = self._watched[place]
        wanted = {descriptor: write for descriptor, write in self._tables[place].descriptors().items() if descriptor >= 0}
        for descriptor in watched.keys() - wanted.keys():
            del watched[descriptor]
            if self._owner.get(descriptor) == place:
                del self._owner[descriptor]
                # The kernel has forgotten those that are closed.
                with contextlib.suppress(OSError):
                    self._poll.unregister(descriptor)
        for descriptor, write in wanted.items():
            if watched.get(descriptor) is not write:
                watched[descriptor] = write
                self._owner[descriptor] = place
                self._register(descriptor, write=write)

    def _register(self, descriptor: int, *, write: bool) -> None:
        events = select.EPOLLIN | (select.EPOLLOUT if write else 0)
        try:
            self._poll.register(descriptor, events)
        except FileExistsError:
            self._poll.modify(descriptor, events)

    def _sample_due(self) -> int:
        if self._schedule is None or self._sampled >= self._schedule.samples:
            return NEVER
        return self._schedule.sample(self._sampled)

    def _take_samples(self) -> None:
        if self._samples is None or time.monotonic_ns() < (at := self._sample_due()):
            return
        second, group = divmod(self._sampled, SAMPLES_A_SECOND)
        for table in self._groups[group]:
            remaining = table.remaining(at)
            self._samples.put(table.plan.number, second, remaining.left, remaining.right)
        self._sampled += 1

    def _report(self) -> None:
        if not self._linked and all(table.linked for table in self._tables):
            self._linked = True
            self._pipe.send(Linked())
        if self._schedule is None or self._samples is None or self._played:
            return
        # A press that began before the end is let go.
        if time.monotonic_ns() > self._schedule.end + 5 * NS:
            self._played = True
            self._samples.write(self._samples_file)
            complete = sum(table.end_play() for table in self._tables) == len(self._tables)
            self._pipe.send(Played(sum(table.presses for table in self._tables), complete))
